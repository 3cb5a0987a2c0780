"""Checks of single values that users write: parameters of games, options of learners.

Numbers may be NumPy's; truth values are no numbers. Each check raises `InputError` with the name of
the value, what was expected and what stood there.
"""

import difflib
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ccerates.errors import InputError


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint at the known name closest to `word`, or the list of known names."""
    known = sorted(known)
    close = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise InputError unless `value` is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"{name}: expected one of {', '.join(choices)}, got {value!r}")


def check_integer(name: str, value: Any, low: int, high: int | None = None) -> None:
    """Raise InputError unless `value` is an integer in low..high."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise InputError(f"{name}: expected an integer, got {value!r}")
    if value < low or (high is not None and value > high):
        wanted = f">= {low}" if high is None else f"in {low}..{high}"
        raise InputError(f"{name}: expected an integer {wanted}, got {value!r}")


def check_number(name: str, value: Any, low: float, high: float = math.inf) -> None:
    """Raise InputError unless `value` is a finite number in [low, high]."""
    _check_finite(name, value)
    if not low <= value <= high:
        wanted = f">= {low:g}" if high == math.inf else f"in [{low:g}, {high:g}]"
        raise InputError(f"{name}: expected a number {wanted}, got {value!r}")


def check_between(name: str, value: Any, low: float, high: float = math.inf) -> None:
    """Raise InputError unless `value` is a finite number strictly between `low` and `high`."""
    _check_finite(name, value)
    if not low < value < high:
        wanted = f"> {low:g}" if high == math.inf else f"> {low:g} and < {high:g}"
        raise InputError(f"{name}: expected a number {wanted}, got {value!r}")


def normalise_policy(
    name: str, values: np.ndarray, tolerance: float, action: str = "action"
) -> np.ndarray:
    """Return (horizon, states, actions) distributions whose sums are one up to rounding.

    Parameters
    ----------
    name
        What messages call it.
    values
        (horizon, states, actions) float64.
    tolerance
        How far sums may be from one.
    action
        What messages call the last axis.

    Raises
    ------
    InputError
        If an entry is no probability or a sum is not one; the message names the place.
    """
    wrong = ~(values >= 0.0)  # also true for NaN
    if wrong.any():
        step, state, place = (int(index) for index in np.argwhere(wrong)[0])
        raise InputError(
            f"{name} at step {step}, state {state}, {action} {place} is "
            f"{values[step, state, place]}; expected a probability in [0, 1]"
        )
    total = values.sum(axis=-1)
    wrong = ~(np.abs(total - 1.0) <= tolerance)
    if wrong.any():
        step, state = (int(index) for index in np.argwhere(wrong)[0])
        raise InputError(
            f"{name} at step {step}, state {state} sums to {total[step, state]:.12g}; "
            f"expected 1 (within {tolerance:g})"
        )
    normalised: np.ndarray = values / total[..., None]
    return normalised


def _check_finite(name: str, value: Any) -> None:
    numeric = isinstance(value, int | float | np.integer | np.floating)
    if not numeric or isinstance(value, bool) or not math.isfinite(value):
        raise InputError(f"{name}: expected a finite number, got {value!r}")
