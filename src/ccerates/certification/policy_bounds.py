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

from typing import NamedTuple

import numpy as np

from ccerates.certification.draws import Draws
from ccerates.certification.radii import SIDES, Radius
from ccerates.certification.sampled_game import SampledGame


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
