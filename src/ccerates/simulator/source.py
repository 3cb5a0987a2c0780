"""The generative model as a learner sees it: a shape to plan for and samples to draw."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ccerates.games.model import MarkovGame


class SamplingTables(NamedTuple):
    """What the sampling code inside the kernels reads; never handed to a learner's own logic.

    Attributes
    ----------
    reward
        (layers, players, states, joint_actions) float64.
    next_state
        (layers, states, joint_actions, successors) int32.
    cumulative
        Same shape, float64: cumulative successor probabilities; +inf from the last successor in
        use on, so that rounding never leads beyond it. A uniform number u in [0, 1) draws the
        successor whose place is the number of entries <= u.
    """

    reward: np.ndarray
    next_state: np.ndarray
    cumulative: np.ndarray


class Simulator:
    """A simulator of one game: learners know its dimensions and can only draw samples.

    Any (step, state, joint action) may be queried; one call returns one reward for each player
    and one next state, and counts as one sample.

    Parameters
    ----------
    game
        The game to simulate.

    Attributes
    ----------
    num_actions, num_states, horizon
        Dimensions of the game.
    start
        (states,) distribution of the first state, which the protocol lets learners know.
    """

    def __init__(self, game: MarkovGame) -> None:
        self._game = game
        self.num_actions = game.num_actions
        self.num_states = game.num_states
        self.horizon = game.horizon
        self.start = game.start

    @property
    def num_players(self) -> int:
        """Number of players, m."""
        return len(self.num_actions)

    @property
    def shape(self) -> tuple[tuple[int, ...], int, int]:
        """(num_actions, num_states, horizon): what runs of one batch must share."""
        return self.num_actions, self.num_states, self.horizon

    @property
    def content_hash(self) -> str:
        """Identity of the game behind the simulator."""
        return self._game.content_hash

    @cached_property
    def _tables(self) -> SamplingTables:
        cumulative = np.cumsum(self._game.probability, axis=-1)
        # The last place in use must catch every rounding error, and unused ones may follow it.
        used = self._game.probability > 0.0
        last = used.shape[-1] - 1 - np.argmax(used[..., ::-1], axis=-1)
        cumulative[np.arange(used.shape[-1]) >= last[..., None]] = np.inf
        return SamplingTables(self._game.reward, self._game.next_state, cumulative)

    def _step_tables(self, step: int) -> SamplingTables:
        """Return the tables of one step, for the sampling code inside kernels only."""
        layer = self._game.layer[step]
        return SamplingTables(*(values[layer] for values in self._tables))

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
        tables = self._step_tables(step)
        cumulative = tables.cumulative[state, joint_action]
        place = int(np.count_nonzero(generator.random() >= cumulative))
        reward = tables.reward[:, state, joint_action].copy()
        return reward, int(tables.next_state[state, joint_action, place])
