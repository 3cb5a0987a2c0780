"""Numbers and formulas as people read them, against values written by hand."""

import numpy as np
import pytest

from ccerates.report.cells import cell, mathematics, number, power, with_interval

MINUS, DASH, TIMES = "\N{MINUS SIGN}", "\N{EN DASH}", "\N{MULTIPLICATION SIGN}"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (3.994578836, "3.995"),
        (-1.91072, f"{MINUS}1.911"),
        (16, "16"),
        (50000.0, "50000"),
        (999999.0, "999999"),
        (1000000.0, f"1 {TIMES} 10⁶"),
        (1854700.76, f"1.855 {TIMES} 10⁶"),
        (4.069010417e-05, f"4.069 {TIMES} 10⁻⁵"),
        (-2.5e-7, f"{MINUS}2.5 {TIMES} 10⁻⁷"),
        (0.0, "0"),
        (float("nan"), DASH),
        (float("inf"), "inf"),
        (-float("inf"), f"{MINUS}inf"),
    ],
)
def test_numbers(value, shown):
    assert number(value) == shown


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("q-ftrl", ("q-ftrl", "")),
        (True, ("yes", "")),
        (np.False_, ("no", "")),
        (np.int64(5), ("5", "")),
        (0.5, ("0.5", "")),
        (3.994578836123, ("3.995", "3.994578836")),
        (-2.0, (f"{MINUS}2", "-2")),
        (1854700.76, (f"1.855 {TIMES} 10⁶", "1854700.76")),
        (float("nan"), (DASH, "")),
    ],
)
def test_cells_carry_the_value_that_they_do_not_show(value, expected):
    assert cell(value) == expected


def test_powers_and_intervals():
    assert (power(4), power(-2.0), power(0), power(1.5)) == ("⁴", "⁻²", "⁰", "^1.5")
    assert with_interval(3.9946, 3.8914, 4.0886) == "3.99 [3.89, 4.09]"
    assert with_interval(-2.0, -2.1, -1.9) == f"{MINUS}2.00 [{MINUS}2.10, {MINUS}1.90]"
    assert with_interval(1.25, float("nan"), float("nan")) == "1.25"
    assert with_interval(float("nan"), 1.0, 2.0) == DASH


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("the bound H^4 S max_i A_i / eps^2 asks", "the bound H⁴ S maxᵢ Aᵢ / ε² asks"),
        ("say sum_i A_i for Q-FTRL", "say Σᵢ Aᵢ for Q-FTRL"),
        ("say m^0 and eps^-2", "say m⁰ and ε⁻²"),
        ("steps and epsilon stay", "steps and epsilon stay"),
    ],
)
def test_formulas_in_sentences(words, shown):
    assert mathematics(words) == shown
