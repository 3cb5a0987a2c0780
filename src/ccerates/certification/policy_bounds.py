"""Bounds on the values of a policy and of best responses to it, from samples at every state.

At a step h and state s, let x_k = r_k + V_{h+1}(s'_k) be the gains of n samples of one kind: of one
player when all follow the policy, or when it plays one action and the others follow. V_{h+1} bounds
the value of step h+1 from above or below. It was computed from samples of later steps alone, so
given those the gains are independent and equally distributed, and their mean is what the step adds
to the recursion. The lemma on self-normalised deviations (the paper's `lem-direct`) bounds it by
the mean of the gains, plus or minus

    [1.44 sqrt(iota sum_k (x_k - m_k)^2) + 1.18 B iota] / n,

where m_k is the mean of x_1..x_{k-1} (m_1 = B/2) and B = H - h. The union is over

    2 H S (m + sum_i A_i)

sums: two sides, every step and state, m values of the policy and sum_i A_i deviations; log2 n + 7
levels for each are in `direct_iota`. A best response takes the best action: the maximum over a
player's actions of the upper (lower) bounds is an upper (lower) bound on its value.
"""

from typing import NamedTuple, Protocol

import numpy as np

from ccerates.certification.draws import Draws, SampledGame
from ccerates.theory.constants import DIRECT_DEVIATION, DIRECT_RANGE, direct_iota

SIDES = (1, -1)  # upper bounds first, lower bounds second


class Values(NamedTuple):
    """Values from every step and state on, bounded from both sides.

    Attributes
    ----------
    policy
        (2, horizon + 1, states, players): upper and lower bounds on the policy's value.
    response
        The same of the best response, in which the player does not see its recommendation.
    """

    policy: np.ndarray
    response: np.ndarray


class Radius(Protocol):
    """Half the width of a confidence interval."""

    def __call__(self, place: tuple[int, int, int], kind: slice, gains: np.ndarray) -> np.ndarray:
        """Return it for sums of gains.

        Parameters
        ----------
        place
            Side (0 or 1), step, state.
        kind
            Which of the m + sum_i A_i sums of a place they are.
        gains
            (sums, samples).

        Returns
        -------
        numpy.ndarray
            (sums,)
        """
        ...


class SampledRadius:
    """The radius of the lemma; keeps the spread of the gains that it has seen.

    Parameters
    ----------
    game
        For its dimensions.
    failure
        Probability with which any of the bounds may fail.

    Attributes
    ----------
    spread
        (2, horizon, states, m + sum_i A_i): mean of (x_k - m_k)^2.
    """

    def __init__(self, game: SampledGame, failure: float) -> None:
        self._horizon, self._events, self._failure = game.horizon, count_sums(game), failure
        sums = len(game.num_actions) + sum(game.num_actions)
        self.spread = np.full((len(SIDES), game.horizon, game.num_states, sums), np.nan)

    def __call__(self, place: tuple[int, int, int], kind: slice, gains: np.ndarray) -> np.ndarray:
        """Return the radius: see `Radius`."""
        bound, count = float(self._horizon - place[1]), gains.shape[-1]
        spread = self.spread[place][kind] = mean_square(gains, bound)
        return radius(spread, bound, count, direct_iota(self._events, count, self._failure))


class PredictedRadius:
    """The radius with more samples of the same spread.

    Parameters
    ----------
    game
        For its dimensions.
    failure
        As for `SampledRadius`.
    spread
        What that has seen.
    factor
        How many times as many samples as there are, a positive number.
    """

    def __init__(
        self, game: SampledGame, failure: float, spread: np.ndarray, factor: float
    ) -> None:
        self._horizon, self._events, self._failure = game.horizon, count_sums(game), failure
        self._spread, self._factor = spread, factor

    def __call__(self, place: tuple[int, int, int], kind: slice, gains: np.ndarray) -> np.ndarray:
        """Return the radius: see `Radius`."""
        count = max(1, int(gains.shape[-1] * self._factor))
        iota = direct_iota(self._events, count, self._failure)
        return radius(self._spread[place][kind], float(self._horizon - place[1]), count, iota)


def no_radius(place: tuple[int, int, int], kind: slice, gains: np.ndarray) -> np.ndarray:  # noqa: ARG001
    """Return zeros, with which both bounds are the estimate."""
    return np.zeros(len(gains))


def count_sums(game: SampledGame) -> int:
    """Return the number of sums that the lemma is used for."""
    kinds = len(game.num_actions) + sum(game.num_actions)
    return len(SIDES) * game.horizon * game.num_states * kinds


def mean_square(gains: np.ndarray, bound: float) -> np.ndarray:
    """Return the mean of (x_k - m_k)^2, with the mean of earlier gains as m_k.

    Parameters
    ----------
    gains
        (sums, samples) in [0, bound].
    bound
        B; m_1 = B / 2.
    """
    centre = np.empty_like(gains)
    centre[:, 0] = bound / 2.0
    earlier = np.arange(1, gains.shape[-1])
    centre[:, 1:] = np.cumsum(gains[:, :-1], axis=-1) / earlier
    squares: np.ndarray = np.square(gains - centre).mean(axis=-1)
    return squares


def radius(spread: np.ndarray, bound: float, count: int, iota: float) -> np.ndarray:
    """Return the radius of a mean of `count` gains in [0, bound] with this mean square."""
    width: np.ndarray = DIRECT_DEVIATION * np.sqrt(iota * spread / count)
    return width + DIRECT_RANGE * bound * iota / count


def bound_values(game: SampledGame, draws: Draws, radius_of: Radius) -> Values:
    """Return bounds on the values at every step and state, from the last step to the first.

    Where nothing was drawn they are 0 and the number of remaining steps.

    Parameters
    ----------
    game
        For its dimensions.
    draws
        The samples.
    radius_of
        Half the widths of the intervals.
    """
    players = len(game.num_actions)
    policy = np.zeros((len(SIDES), game.horizon + 1, game.num_states, players))
    policy[0] = np.arange(game.horizon, -1, -1)[:, None, None]
    response = policy.copy()
    first = np.searchsorted(draws.player, np.arange(players))  # deviations are sorted by player
    follows, deviates = slice(0, players), slice(players, players + len(draws.player))
    for step in reversed(range(game.horizon)):
        for state in np.flatnonzero(draws.reached[step]).tolist():
            reward, following = draws.follow(step, state)
            own_reward, own_following = draws.deviate(step, state)
            for side, sign in enumerate(SIDES):
                place = (side, step, state)
                gains = reward + policy[side, step + 1, following].T
                value = gains.mean(axis=-1) + sign * radius_of(place, follows, gains)
                policy[place] = np.clip(value, 0.0, game.horizon - step)
                gains = own_reward + response[side, step + 1][own_following, draws.player[:, None]]
                value = gains.mean(axis=-1) + sign * radius_of(place, deviates, gains)
                best = np.maximum.reduceat(value, first)
                response[place] = np.clip(best, 0.0, game.horizon - step)
    return Values(policy, response)


def gap_bounds(start: np.ndarray | None, values: Values) -> tuple[np.ndarray, np.ndarray]:
    """Return (players,) upper and lower bounds on the gap of each player.

    Parameters
    ----------
    start
        (states,) distribution of the first state; None takes the state where it is largest.
    values
        What `bound_values` returned.
    """
    upper = values.response[0, 0] - values.policy[1, 0]
    lower = values.response[1, 0] - values.policy[0, 0]
    if start is None:
        return upper.max(axis=0), lower.max(axis=0)
    return start @ upper, start @ lower
