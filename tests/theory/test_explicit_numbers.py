"""The numbers in the theorems bound the terms that the proofs add up, and the paper states them."""

import itertools
import math
import re
from pathlib import Path

import pytest

from theory.explicit_numbers import rate_factors
from theory.plain_evb import rigorous_iota

SECTIONS = Path(__file__).parents[2] / "paper" / "sections"

GRID = [
    (count, 10.0**power, rigorous_iota(count, 10.0**power, 10.0**-exponent))
    for count, power, exponent in itertools.product(
        (1, 2, 5, 100), (0.0, 0.5, 1.0, 2.0, 4.0, 9.0, 15.0), (0.001, 1.0, 3.0, 10.0, 300.0)
    )
    if 10.0**power >= count
]


@pytest.mark.parametrize("rate_scale", [0.01, 0.3, 1.0, 4.0, 100.0])
def test_rate_of_the_bandit(rate_scale) -> None:
    first, second = rate_factors(rate_scale)
    for count, rounds, iota in GRID:
        log, more = math.log(rounds), iota + math.log(rounds)
        rate_log = math.log(max(rounds, 3.0))
        c1, c2 = 1.44 * math.sqrt(iota), 2.36 * iota
        squares = math.log1p(rounds**3 * math.exp(min(2.0 * iota, 600.0)))
        squares = max(squares, 3.0 * log + 2.0 * iota)
        with_variance = (4.0 * rate_scale + 1.0 / rate_scale) * math.sqrt(rate_log)
        with_variance += 2.36 * c1 * math.sqrt(squares)
        assert with_variance <= first * math.sqrt(iota * more)
        with_range = (
            count * log * (1.0 + c1 + c2) / 0.68
            + math.sqrt(count * rate_log) / rate_scale
            + 2.36 * c2 * count * (2.0 * log + iota + 2.0)
            + (count - 1.0)
            + c1
            + c2 * count
        )
        assert with_range <= second * count * iota * more


def surplus_factors(count, rounds, iota):
    """Return factors of sqrt(A iota iota' Var / K) and of A B iota iota' / K in beta + p."""
    log, more = math.log(rounds), iota + math.log(rounds)
    unit = count * iota * more
    excess = log + 0.25  # of V over K Var, in B^2
    first = 9.0 + 1.44 * math.sqrt(iota / unit)
    second = 9.0 * math.sqrt(unit * excess) + 18.0 * unit
    second += 1.44 * math.sqrt(iota * excess) + 1.18 * iota
    return first, second / unit


def test_numbers_with_a_simulator() -> None:
    first, second = rate_factors(1.0)
    assert first <= 9.0
    assert second <= 18.0
    for count, rounds, iota in GRID:
        with_variance, with_range = surplus_factors(count, rounds, iota)
        assert with_variance <= 9.72
        assert with_range <= 23.0
    assert 10.0 / math.sqrt(150.0) + 23.0 / 150.0 < 1.0


def test_numbers_online() -> None:
    for horizon, episodes in itertools.product((1, 2, 5, 100), (2, 3, 10, 10**4, 10**12)):
        log = horizon * math.log(episodes)
        assert 1.0 + 3.0 * log <= 4.45 * log
    for _, rounds, iota in GRID:
        if rounds >= 2.0:
            assert iota * (iota + math.log(rounds)) * math.log(rounds) >= math.e
    # e: visit weights; e/(e - 1): from drawn starts to mu; 8.9 = 2 * 4.45: sum of 1/n.
    starts = math.e / (math.e - 1.0)
    assert starts * 9.72 * math.sqrt(8.9 * math.e) < 76.0
    assert starts * (23.0 * 8.9 * math.e + 2.0) < 900.0
    assert 76.0 / math.sqrt(7500.0) + 900.0 / 7500.0 < 1.0


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("bandit", "C_1 = 6 + 2 c_eta + 1/(2 c_eta), quad C_2 = 17 + 1/(8 c_eta)"),
        ("bandit", "with $C_1 <= 9$ and $C_2 <= 18$ for $c_eta = 1$"),
        ("simulator", '"cert"_infinity <= 10 sqrt((A thin iota'),
        ("simulator", "+ 23 thin (A H^2 iota iota') / K"),
        ("simulator", "$K >= 150 A H^3 iota iota' \\/ epsilon^2$"),
        ("online", '"cert" <= 76 sqrt((A S thin iota'),
        ("online", "+ 900 thin (A S H^3 iota iota' ln K) / K"),
        ("online", "$K >= 7500 A S H^4 iota iota' ln K \\/ epsilon^2$"),
    ],
)
def test_numbers_are_those_of_the_paper(section, expected) -> None:
    source = (SECTIONS / f"{section}.typ").read_text(encoding="utf-8")
    assert expected in re.sub(r"\s+", " ", source)
