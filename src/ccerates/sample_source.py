"""What learners may see of a game, and the tables that samples are drawn from."""

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


def make_tables(game: MarkovGame) -> SamplingTables:
    """Return the sampling tables of all layers of a game."""
    return SamplingTables(game.reward, game.next_state, cumulative_probability(game.probability))


def cumulative_probability(probability: np.ndarray) -> np.ndarray:
    """Return cumulative sums along the last axis, +inf from the last positive probability on.

    Parameters
    ----------
    probability
        (..., places) float64; sums along the last axis are one.
    """
    cumulative = np.cumsum(probability, axis=-1)
    # The last place in use must catch every rounding error, and unused ones may follow it.
    used = probability > 0.0
    last = used.shape[-1] - 1 - np.argmax(used[..., ::-1], axis=-1)
    cumulative[np.arange(used.shape[-1]) >= last[..., None]] = np.inf
    return cumulative


def extend_lists(lists: np.ndarray, length: int, filling: float) -> np.ndarray:
    """Return successor lists with places added at their ends.

    Parameters
    ----------
    lists
        (..., places).
    length
        Number of places wanted, at least the present one.
    filling
        What new places hold: 0 for states, +inf for cumulative probabilities.
    """
    added = ((0, 0),) * (lists.ndim - 1) + ((0, length - lists.shape[-1]),)
    return np.pad(lists, added, constant_values=filling)


class SampleSource:
    """What every source of samples tells a learner: the dimensions of the game and the start.

    Parameters
    ----------
    game
        The game to draw from.

    Attributes
    ----------
    num_actions, num_states, horizon
        Dimensions of the game.
    start
        (states,) distribution of the first state, which the protocols let learners know.
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
        """Identity of the game behind the source."""
        return self._game.content_hash

    @cached_property
    def _tables(self) -> SamplingTables:
        return make_tables(self._game)

    def _step_tables(self, step: int) -> SamplingTables:
        """Return the tables of one step, for sampling code only."""
        layer = self._game.layer[step]
        return SamplingTables(*(values[layer] for values in self._tables))

    def _sample(
        self, step: int, state: int, joint_action: int, generator: np.random.Generator
    ) -> tuple[np.ndarray, int]:
        """Return (players,) rewards and a next state, drawn with one uniform number."""
        tables = self._step_tables(step)
        cumulative = tables.cumulative[state, joint_action]
        place = int(np.count_nonzero(generator.random() >= cumulative))
        reward = tables.reward[:, state, joint_action].copy()
        return reward, int(tables.next_state[state, joint_action, place])
