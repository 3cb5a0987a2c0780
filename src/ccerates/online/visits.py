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
    joint_action
        (episodes, horizon, lanes) int64: what was played. No episodes unless an observer needs
        samples or the run is recorded.
    reward
        (episodes, horizon, players, lanes) float64: what each player got. No episodes unless an
        observer needs samples.
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
    joint_action: np.ndarray
    reward: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    surplus: np.ndarray


class Observer(Protocol):
    """Watches one replicate of an online learner.

    Attributes
    ----------
    needs_values
        Whether `upper`, `lower` and `surplus` of the chunks are to be filled.
    needs_samples
        Whether `joint_action` and `reward` are.
    """

    needs_values: bool
    needs_samples: bool

    def observe(self, chunk: VisitChunk, lane: int) -> None:
        """Take in consecutive episodes; the replicate is the given lane of the chunk.

        Called in the order of the episodes, perhaps from another thread than the last call.
        """

    def state(self) -> dict[str, np.ndarray]:
        """Return all that was taken in so far, as arrays of numbers with at least one axis."""

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from what `state` returned."""


class Together:
    """Several observers of one replicate.

    Parameters
    ----------
    *observers
        Told in this order.
    """

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers
        self.needs_values = any(each.needs_values for each in observers)
        self.needs_samples = any(each.needs_samples for each in observers)

    def observe(self, chunk: VisitChunk, lane: int) -> None:
        """Hand on consecutive episodes; see `Observer`."""
        for each in self._observers:
            each.observe(chunk, lane)

    def state(self) -> dict[str, np.ndarray]:
        """Return the states of all; the names begin with the place of an observer."""
        return {
            f"{place}-{name}": values
            for place, each in enumerate(self._observers)
            for name, values in each.state().items()
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Restore all."""
        for place, each in enumerate(self._observers):
            own = f"{place}-"
            each.restore({k.removeprefix(own): v for k, v in state.items() if k.startswith(own)})
