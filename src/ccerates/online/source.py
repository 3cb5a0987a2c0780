"""Whole episodes of a game, as an online learner sees them."""

import math
from functools import cached_property

import numpy as np

from ccerates.sample_source import SampleSource, cumulative_probability


class Episodes(SampleSource):
    """Episodes of one game: learners know its dimensions and can only play it from the start.

    One episode is `reset` and then one `step` for each of the `horizon` steps; it counts as
    `horizon` samples. The distribution of the first state is known to learners.
    """

    @cached_property
    def _cumulative_start(self) -> np.ndarray:
        return cumulative_probability(self.start)

    def reset(self, generator: np.random.Generator) -> int:
        """Draw the first state of an episode.

        Parameters
        ----------
        generator
            Source of randomness.
        """
        return int(np.count_nonzero(generator.random() >= self._cumulative_start))

    def step(
        self, step: int, state: int, joint_action: int, generator: np.random.Generator
    ) -> tuple[np.ndarray, int]:
        """Play one step.

        Parameters
        ----------
        step, state
            Where the episode is, each from 0.
        joint_action
            Index of what the players do, row-major.
        generator
            Source of randomness.

        Returns
        -------
        rewards : numpy.ndarray
            (players,) float64 in [0, 1].
        next_state : int
            After the last step it means nothing.

        Raises
        ------
        IndexError
            If `step`, `state` or `joint_action` is not in the game.
        """
        for name, place, count in (
            ("step", step, self.horizon),
            ("state", state, self.num_states),
            ("joint_action", joint_action, math.prod(self.num_actions)),
        ):
            if not 0 <= place < count:
                raise IndexError(f"{name} {place}: expected 0..{count - 1}")
        return self._sample(step, state, joint_action, generator)
