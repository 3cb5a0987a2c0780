"""Which values the checks take: NumPy's numbers, no truth values, nothing out of range."""

import math

import numpy as np
import pytest

from ccerates.checks import (
    check_between,
    check_choice,
    check_integer,
    check_number,
    did_you_mean,
)
from ccerates.errors import InputError


@pytest.mark.parametrize("value", [1, 3, np.int64(2), np.uint8(3)])
def test_integers(value) -> None:
    check_integer("n", value, 1, 3)


@pytest.mark.parametrize("value", [True, np.True_, 1.0, np.float64(2.0), "2", None, math.nan])
def test_what_is_no_integer(value) -> None:
    with pytest.raises(InputError, match=r"^n: expected an integer, got "):
        check_integer("n", value, 0)


@pytest.mark.parametrize("value", [0, 4, np.int64(-1)])
def test_integers_out_of_range(value) -> None:
    with pytest.raises(InputError, match=r"^n: expected an integer in 1\.\.3, got "):
        check_integer("n", value, 1, 3)


@pytest.mark.parametrize("check", [check_number, check_between])
@pytest.mark.parametrize("value", [0.5, 1, np.float32(0.5), np.float64(1.5), np.int64(1)])
def test_numbers(check, value) -> None:
    check("x", value, 0.0, 2.0)
    check("x", value, 0.0)


@pytest.mark.parametrize("check", [check_number, check_between])
@pytest.mark.parametrize("value", [True, np.True_, "1", None, math.nan, math.inf, -math.inf, 1j])
def test_what_is_no_number(check, value) -> None:
    with pytest.raises(InputError, match=r"^x: expected a finite number, got "):
        check("x", value, 0.0)


@pytest.mark.parametrize("value", [0, 1.0])
def test_ends_belong_to_one_range_only(value) -> None:
    check_number("x", value, 0.0, 1.0)
    with pytest.raises(InputError, match=f"^x: expected a number > 0 and < 1, got {value}$"):
        check_between("x", value, 0.0, 1.0)


@pytest.mark.parametrize(
    ("check", "limits", "message"),
    [
        (check_number, (0.0,), "expected a number >= 0, got -0.5"),
        (check_number, (0.0, 2.5), r"expected a number in \[0, 2.5\], got -0.5"),
        (check_between, (0.0,), "expected a number > 0, got -0.5"),
    ],
)
def test_numbers_out_of_range(check, limits, message) -> None:
    with pytest.raises(InputError, match=f"^x: {message}$"):
        check("x", -0.5, *limits)


@pytest.mark.parametrize("value", ["c", "", None, 1, ["a"]])
def test_choices(value) -> None:
    check_choice("kind", "a", ("a", "b"))
    with pytest.raises(InputError, match=r"^kind: expected one of a, b, got "):
        check_choice("kind", value, ("a", "b"))


def test_hints() -> None:
    assert did_you_mean("horizn", ["players", "horizon"]) == "did you mean 'horizon'?"
    assert did_you_mean("xyz", ["players", "horizon"]) == "known: horizon, players"
