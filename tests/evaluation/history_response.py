"""Exact best response to a certified policy, by enumeration of histories: tiny games only.

The deviator sees the states, its own actions and its own rewards, and remembers all of them; it
sees neither the episodes that the others jump between nor anybody's recommendation. The belief
about the episode in use follows from the history by Bayes' rule, so that dynamic programming over
histories is exact. The bound of `ccerates.evaluation.certified`, which lets the deviator know every
episode, is at least this value. Following the policy may be worth more still than this value: the
shared draws correlate the players, as in any coarse correlated equilibrium.
"""

import itertools
import math
from functools import cache

import numpy as np

from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.online.certified import CertifiedPolicy, visit_weights

MAX_WORK = 10**9
"""Largest number of histories times episodes, and of stored weights of visits."""


class _Belief:
    """What a deviator thinks after a history, times the probability of the history.

    Attributes
    ----------
    cursor
        (episodes,): mass of the episode before which the others look for a visit.
    uniform
        Mass of the others' playing uniformly from here on.
    """

    def __init__(self, cursor: np.ndarray, uniform: float) -> None:
        self.cursor, self.uniform = cursor, uniform


def history_response(game: MarkovGame, policy: CertifiedPolicy, player: int) -> float:
    """Return the value of a player's best response to the others' part of a certified policy.

    Parameters
    ----------
    game
        The game that was learnt.
    policy
        What the others follow.
    player
        Who deviates.

    Returns
    -------
    float
        Expected return over the start distribution, in [0, horizon].

    Raises
    ------
    InputError
        If the game has too many histories, or the policy too many episodes.
    """
    return _HistoryResponse(game, policy, player).value()


class _HistoryResponse:
    def __init__(self, game: MarkovGame, policy: CertifiedPolicy, player: int) -> None:
        self._game, self._policy, self._player = game, policy, player
        others = [range(count) for i, count in enumerate(game.num_actions) if i != player]
        self._others = list(itertools.product(*others))
        branching = game.num_actions[player] * len(self._others) * game.next_state.shape[-1]
        histories = game.num_states * branching ** (game.horizon - 1)
        if max(histories, policy.episodes * game.horizon) * policy.episodes > MAX_WORK:
            raise InputError(
                f"history response: {histories} histories and {policy.episodes} episodes are too "
                "many; take fewer steps, actions or episodes"
            )
        self._jumps = cache(self._jump_weights)

    def value(self) -> float:
        """Return the expected value over first states."""
        episodes = self._policy.episodes
        return math.fsum(
            self._best(0, state, _Belief(np.full(episodes, chance / episodes), 0.0))
            for state, chance in enumerate(self._game.start)
            if chance > 0.0
        )

    def _best(self, step: int, state: int, belief: _Belief) -> float:
        if step == self._game.horizon:
            return 0.0
        visits = self._policy.visits(step, state)
        # Cursors between the same two visits draw alike.
        count = np.searchsorted(visits, np.arange(self._policy.episodes))
        mass = np.bincount(count, weights=belief.cursor, minlength=len(visits) + 1)
        weights = self._jumps(step, state)
        drawn = mass @ weights
        uniform = belief.uniform + float(mass @ ~weights.any(axis=1))
        chance = self._chances(step, visits)
        return max(
            self._worth(step, state, action, visits, drawn[:, None] * chance, uniform)
            for action in range(self._game.num_actions[self._player])
        )

    def _worth(
        self,
        step: int,
        state: int,
        action: int,
        visits: np.ndarray,
        mass: np.ndarray,
        uniform: float,
    ) -> float:
        """Return the value of an action; `mass` is over (visits, actions of the others)."""
        game = self._game
        layer = game.layer[step]
        worth = 0.0
        following: dict[tuple[float, int], _Belief] = {}
        for place, others in enumerate(self._others):
            actions = (*others[: self._player], action, *others[self._player :])
            joint = np.ravel_multi_index(actions, game.num_actions)
            reward = float(game.reward[layer, self._player, state, joint])
            by_chance = uniform / len(self._others)
            worth += reward * (float(mass[:, place].sum()) + by_chance)
            for there, move in zip(
                game.next_state[layer, state, joint],
                game.probability[layer, state, joint],
                strict=True,
            ):
                if move > 0.0:
                    nothing = _Belief(np.zeros(self._policy.episodes), 0.0)
                    belief = following.setdefault((reward, int(there)), nothing)
                    belief.cursor[visits] += move * mass[:, place]
                    belief.uniform += move * by_chance
        return worth + math.fsum(
            self._best(step + 1, there, belief) for (_, there), belief in following.items()
        )

    def _chances(self, step: int, visits: np.ndarray) -> np.ndarray:
        """Return (visits, actions of the others): the probabilities that were used."""
        chance = np.ones((len(visits), 1))
        for i, count in enumerate(self._game.num_actions):
            if i != self._player:
                own = self._policy.policies[visits, step, i, :count]
                pairs = chance[:, :, None] * own[:, None, :]
                chance = pairs.reshape(len(visits), chance.shape[1] * count)
        return chance

    def _jump_weights(self, step: int, state: int) -> np.ndarray:
        """Return (visits + 1, visits): how each visit is drawn after a number of visits."""
        policy, total = self._policy, len(self._policy.visits(step, state))
        weights = np.zeros((total + 1, total))
        for visits in range(total + 1):
            drawn = visit_weights(policy.averaging, policy.horizon, visits)
            weights[visits, :visits] = drawn
        return weights
