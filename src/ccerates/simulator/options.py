"""Checks that all options dataclasses share; each raises an error that names the place."""

import math
from collections.abc import Sequence

import numpy as np

from ccerates.errors import InputError


def check_choice(algorithm: str, name: str, value: object, choices: Sequence[str]) -> None:
    """Raise InputError unless `value` is one of `choices`."""
    if value not in choices:
        raise InputError(f"{algorithm}: {name} is {value!r}; expected one of {', '.join(choices)}")


def check_count(algorithm: str, name: str, value: object, least: int = 1) -> None:
    """Raise InputError unless `value` is an integer, `least` or more."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise InputError(f"{algorithm}: {name} is {value!r}; expected an integer >= {least}")


def check_positive(algorithm: str, name: str, value: float) -> None:
    """Raise InputError unless `value` is a finite positive number."""
    if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
        raise InputError(f"{algorithm}: {name} is {value!r}; expected a positive number")


def check_probability(algorithm: str, name: str, value: float) -> None:
    """Raise InputError unless `value` lies strictly between 0 and 1."""
    if not (isinstance(value, int | float) and 0 < value < 1):
        raise InputError(f"{algorithm}: {name} is {value!r}; expected a number between 0 and 1")
