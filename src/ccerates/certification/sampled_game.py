"""What is asked of a game to certify a policy of it."""

from typing import Protocol

import numpy as np


class SampledGame(Protocol):
    """What is known of a game: its dimensions, and samples."""

    @property
    def num_actions(self) -> tuple[int, ...]:
        """A_i for each player."""
        ...

    @property
    def num_states(self) -> int:
        """S."""
        ...

    @property
    def horizon(self) -> int:
        """H."""
        ...

    @property
    def start(self) -> np.ndarray | None:
        """(states,) distribution of the first state; None if it is not known."""
        ...

    def sample(
        self, step: int, state: int, joint_action: int, generator: np.random.Generator
    ) -> tuple[np.ndarray, int]:
        """Return (players,) rewards in [0, 1] and the next state; joint actions are row-major."""
        ...
