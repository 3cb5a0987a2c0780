"""Numbers of actions and starts that people write into a simulator, read and checked."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from ccerates.checks import check_integer
from ccerates.errors import InputError

_TOLERANCE = 1e-6  # of the sum of start probabilities
_MOST_JOINT_ACTIONS = 2**24


def read_num_actions(path: Path, values: Any) -> tuple[int, ...]:
    """Return the number of actions of each player.

    Parameters
    ----------
    path
        The user's file, for messages.
    values
        What it says.

    Raises
    ------
    InputError
        If these are no positive integers, or too many actions together.
    """
    try:
        counts = tuple(values)
    except TypeError:
        counts = ()
    if not counts:
        raise InputError(
            f"{path}: num_actions is {values!r}; expected the number of actions of each player, "
            "for example (2, 3)"
        )
    for player, count in enumerate(counts):
        check_integer(f"{path}: num_actions[{player}]", count, 1)
    if math.prod(map(int, counts)) > _MOST_JOINT_ACTIONS:
        raise InputError(
            f"{path}: num_actions are {counts}; a policy needs a number for each of their "
            f"combinations, of which {_MOST_JOINT_ACTIONS} may be"
        )
    return tuple(map(int, counts))


def read_start(path: Path, start: Any, num_states: int) -> np.ndarray | None:
    """Return the distribution of the first state.

    Parameters
    ----------
    path
        The user's file, for messages.
    start
        A state, a probability for each state, or None.
    num_states
        S.

    Returns
    -------
    numpy.ndarray
        (states,) float64; None for None.

    Raises
    ------
    InputError
        If it is none of these.
    """
    if start is None:
        return None
    expected = f"expected a state in 0..{num_states - 1} or a probability for each state"
    wrong = f"{path}: start is {start!r}; {expected}"
    if isinstance(start, int | np.integer):
        if not 0 <= start < num_states:
            raise InputError(wrong)
        return np.asarray(np.arange(num_states) == start, dtype=np.float64)
    try:
        values = np.array(start, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(wrong) from None
    if values.shape != (num_states,) or not (values >= 0.0).all():
        raise InputError(wrong)
    if not abs(values.sum() - 1.0) <= _TOLERANCE:
        raise InputError(f"{path}: start sums to {values.sum():.12g}; expected 1")
    normalised: np.ndarray = values / values.sum()
    return normalised
