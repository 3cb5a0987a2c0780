"""What the published online learners have in common: their options and the logarithm in bonuses."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ccerates.checks import check_between, check_choice

Shape = tuple[tuple[int, ...], int, int]
"""(num_actions, num_states, horizon)."""

EXPLORATION = {"practical": 0.1, "theory": 1.0}
"""Implicit exploration gamma of the bandits, as a share of the published one.

The published gamma serves bounds with high probability; in our trials a tenth of it needs fewer
samples.
"""


@dataclass(frozen=True)
class BaselineOptions:
    """Options of a published learner.

    Attributes
    ----------
    constants
        ``"practical"`` (a small constant in the bonus and little exploration, no claim of
        coverage) or ``"theory"`` (the publication's, or 1 if it leaves a constant unspecified).
    rate_scale
        Multiplies the learning rate of the bandits; not their exploration.
    bonus_scale
        Multiplies the bonus.
    failure
        delta, in the logarithm of the bonus.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    name: ClassVar[str]

    constants: Literal["practical", "theory"] = "practical"
    rate_scale: float = 1.0
    bonus_scale: float = 1.0
    failure: float = 0.05

    def __post_init__(self) -> None:
        check_choice(f"{self.name}: constants", self.constants, ("practical", "theory"))
        check_between(f"{self.name}: rate_scale", self.rate_scale, 0.0)
        check_between(f"{self.name}: bonus_scale", self.bonus_scale, 0.0)
        check_between(f"{self.name}: failure", self.failure, 0.0, 1.0)


def log_term(shape: Shape, episodes: int, failure: float) -> float:
    """Return iota = ln(m H S max_i A_i K / delta).

    Parameters
    ----------
    shape
        (num_actions, num_states, horizon).
    episodes
        K, the planned number of episodes.
    failure
        delta.
    """
    num_actions, num_states, horizon = shape
    places = len(num_actions) * horizon * num_states * max(num_actions)
    return math.log(places * episodes / failure)


def allocate_values(shape: Shape, lanes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the `upper`, `lower` and `surplus` of a learner without lower values.

    Parameters
    ----------
    shape
        (num_actions, num_states, horizon).
    lanes
        Number of lanes.

    Returns
    -------
    upper : numpy.ndarray
        (horizon + 1, players, states, lanes): the number of steps that are left.
    lower, surplus : numpy.ndarray
        NaN, of the same shape and with one step less.
    """
    num_actions, num_states, horizon = shape
    values = (horizon + 1, len(num_actions), num_states, lanes)
    steps_left = np.arange(horizon, -1.0, -1.0)[:, None, None, None]
    upper = np.broadcast_to(steps_left, values).copy()
    return upper, np.full(values, np.nan), np.full((horizon, *values[1:]), np.nan)
