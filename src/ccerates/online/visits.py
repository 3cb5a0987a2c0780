"""What an online learner did, episode by episode, and who may watch it."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np


class VisitChunk(NamedTuple):
    """What a learner did in some consecutive episodes, replicates side by side in lanes.

    The arrays are used again for the next chunk: whoever needs them longer copies them.

    Attributes
    ----------
    state
        (episodes, horizon, lanes) int64: state visited at each step.
    policy
        (episodes, horizon, players, max_actions, lanes) float64: the product policy used at that
        visit; zeros beyond a player's own actions.
    upper, lower
        (episodes, horizon, players, lanes) float64: the learner's upper and lower value of the
        visited (step, state) after the visit. No episodes unless an observer needs values.
    surplus
        (episodes, horizon, players, lanes) float64: what upper - lower of the visited (step, state)
        holds beyond the mean of upper - lower at the states that followed in the stage that was
        completed last there: bonus and lower margin. As `upper`.
    """

    state: np.ndarray
    policy: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    surplus: np.ndarray


class Observer(Protocol):
    """Watches one replicate of an online learner.

    Attributes
    ----------
    needs_values
        Whether `upper`, `lower` and `surplus` of the chunks are to be filled.
    """

    needs_values: bool

    def observe(self, chunk: VisitChunk, lane: int) -> None:
        """Take in consecutive episodes; the replicate is the given lane of the chunk.

        Called in the order of the episodes, perhaps from another thread than the last call.
        """

    def state(self) -> dict[str, np.ndarray]:
        """Return all that was taken in so far, as arrays of numbers with at least one axis."""

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from what `state` returned."""
