"""The generative model as a learner sees it: a shape to plan for and samples to draw."""

import numpy as np

from ccerates.sample_source import SampleSource


class Simulator(SampleSource):
    """A simulator of one game: learners know its dimensions and can only draw samples.

    Any (step, state, joint action) may be queried; one call returns one reward for each player
    and one next state, and counts as one sample.
    """

    def sample(
        self, step: int, state: int, joint_action: int, generator: np.random.Generator
    ) -> tuple[np.ndarray, int]:
        """Draw one sample.

        Parameters
        ----------
        step, state, joint_action
            Where to query, each from 0.
        generator
            Source of randomness.

        Returns
        -------
        reward : numpy.ndarray
            (players,) float64 in [0, 1].
        next_state : int
        """
        return self._sample(step, state, joint_action, generator)
