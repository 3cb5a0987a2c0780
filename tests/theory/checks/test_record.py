"""How sides become slack and verdict, by hand."""

import math

import numpy as np
import pytest

from ccerates.theory.checks.record import DETERMINISTIC, Check

INEQUALITY = Check("some inequality", "A <= B.")
IDENTITY = Check("some identity", "A = B.", "=")


def one(check, lhs, rhs, scale=1.0):
    (result,) = check.results(
        DETERMINISTIC, "algorithm", ["run"], np.array([lhs]), np.array([rhs]), scale
    )
    return result


def test_the_tightest_place_is_reported() -> None:
    result = one(INEQUALITY, [1.0, 2.0, 3.0], [5.0, 2.5, 9.0])
    assert result == ("some inequality", "algorithm", DETERMINISTIC, "run", 2.0, 2.5, 0.5, True)


def test_tightness_is_relative_to_the_scale() -> None:
    """0.5 of 1 is more room than 1 of 100; a violation of 1e-6 in 1e4 is rounding, in 1 not."""
    assert one(INEQUALITY, [0.0, 0.0], [0.5, 1.0], np.array([[1.0, 100.0]])).rhs == 1.0
    sides = [1e-6, 1e-6], [0.0, 0.0]
    assert one(INEQUALITY, *sides, 1e4).holds
    mixed = one(INEQUALITY, *sides, np.array([[1e4, 1.0]]))
    assert not mixed.holds
    assert mixed.slack == -1e-6


@pytest.mark.parametrize("check", [INEQUALITY, IDENTITY])
def test_missing_numbers_are_violations(check) -> None:
    result = one(check, [1.0, math.nan, 1.0], [1.0, 1.0, 1.0])
    assert not result.holds
    assert math.isnan(result.slack)
    assert not one(check, [1.0], [1.0], math.nan).holds


def test_identities_fail_on_both_sides() -> None:
    for difference in (-1e-6, 1e-6):
        result = one(IDENTITY, [1.0, 2.0], [1.0, 2.0 + difference])
        assert result.slack == pytest.approx(-1e-6)
        assert not result.holds
    assert one(IDENTITY, [1.0], [1.0 + 1e-12]).holds
    assert one(INEQUALITY, [1.0], [1.0 + 1e-6]).holds
    assert not one(INEQUALITY, [1.0], [1.0 - 1e-6]).holds


def test_runs_are_judged_one_by_one() -> None:
    lhs, rhs = np.array([[0.0, 0.0], [0.0, 2.0], [0.0, 0.0]]), np.ones((3, 1))
    results = INEQUALITY.results(DETERMINISTIC, "algorithm", ["a", "b", "c"], lhs, rhs, 1.0)
    assert [(result.run, result.slack, result.holds) for result in results] == [
        ("a", 1.0, True), ("b", -1.0, False), ("c", 1.0, True),
    ]  # fmt: skip
