"""Variance of the return of a Markov joint policy, twice over.

The law of total variance says that the variance of the return is the expected sum, along the
trajectory, of the one-step variances of r + V^pi(s'). The two functions below compute the two
sides by recursions that share nothing but the law of one step: one adds up centred squares, the
other carries first and second moments of the return. Returns from H steps of rewards in [0, 1]
lie in [0, H], so that either is at most H^2 / 4.
"""

import numpy as np

from ccerates.evaluation.markov import check_policy, policy_value
from ccerates.evaluation.one_step import average, step_outcomes
from ccerates.games.model import MarkovGame


def total_variance(game: MarkovGame, policy: np.ndarray) -> np.ndarray:
    """Return sum_h E_pi Var(r_h + V^pi_{h+1}(s_{h+1}) | s_h) from every start state.

    The variance at a step is over the joint action and the next state.

    Parameters
    ----------
    game
        The game.
    policy
        (horizon, states, joint_actions), rows non-negative and summing to one.

    Returns
    -------
    numpy.ndarray
        (states, players), in squared units of reward.

    Raises
    ------
    InputError
        If `policy` is not a joint policy of `game`.
    """
    policy = check_policy(game, policy)
    value = np.concatenate([policy_value(game, policy), np.zeros((1, *_shape(game)))])
    total = np.zeros(_shape(game))
    for step in reversed(range(game.horizon)):
        chance, reward, successor = step_outcomes(game, policy, step)
        deviation = reward + value[step + 1][successor] - value[step][:, None, None]
        total = average(chance, deviation**2 + total[successor])
    return total


def return_variance(game: MarkovGame, policy: np.ndarray) -> np.ndarray:
    """Return the variance of the return from every start state, by its second moment.

    Parameters
    ----------
    game
        The game.
    policy
        (horizon, states, joint_actions), rows non-negative and summing to one.

    Returns
    -------
    numpy.ndarray
        (states, players), in squared units of reward; rounding may leave it below zero by about
        1e-16 H^2.

    Raises
    ------
    InputError
        If `policy` is not a joint policy of `game`.
    """
    policy = check_policy(game, policy)
    first, second = np.zeros((2, *_shape(game)))
    for step in reversed(range(game.horizon)):
        chance, reward, successor = step_outcomes(game, policy, step)
        second = average(chance, reward**2 + 2.0 * reward * first[successor] + second[successor])
        first = average(chance, reward + first[successor])
    return second - first**2


def _shape(game: MarkovGame) -> tuple[int, int]:
    return game.num_states, game.num_players
