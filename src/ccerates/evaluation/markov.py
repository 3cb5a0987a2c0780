"""Exact values and CCE gaps of Markov joint policies, by backward induction.

A Markov joint policy is an array (horizon, states, joint_actions); row (h, s) is a distribution
over joint actions, drawn afresh at every step with shared randomness. The opponents' part of such
a policy is Markov too, so that a best response needs no memory: it faces the marginal
pi_{-i,h}(.|s) at every step and state.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ccerates.checks import normalise_policy
from ccerates.errors import InputError
from ccerates.games.model import MarkovGame

SUM_TOLERANCE = 1e-9


class GapReport(NamedTuple):
    """CCE gaps of a joint policy, in units of reward; conventions in `ccerates.evaluation`.

    Attributes
    ----------
    players
        (players,) gap of each player, averaged over the start distribution.
    gap
        Maximum of `players`.
    players_worst
        (players,) gap of each player from the state where it is largest.
    gap_worst
        Maximum of `players_worst`.
    """

    players: np.ndarray
    gap: float
    players_worst: np.ndarray
    gap_worst: float


def cce_gap(game: MarkovGame, policy: np.ndarray) -> GapReport:
    """Return the exact CCE gaps of a Markov joint policy.

    Parameters
    ----------
    game
        The game.
    policy
        (horizon, states, joint_actions), rows non-negative and summing to one.

    Returns
    -------
    GapReport
        Gaps per player and their maximum, never clipped.

    Raises
    ------
    InputError
        If `policy` is not a joint policy of `game`.
    """
    policy = check_policy(game, policy)
    gaps = _best_response_value(game, policy)[0] - _policy_value(game, policy)[0]
    players = game.start @ gaps
    players_worst = gaps.max(axis=0)
    return GapReport(players, float(players.max()), players_worst, float(players_worst.max()))


def policy_value(game: MarkovGame, policy: np.ndarray) -> np.ndarray:
    """Return V^pi, the expected return of every player from every step and state.

    Parameters
    ----------
    game
        The game.
    policy
        (horizon, states, joint_actions), rows non-negative and summing to one.

    Returns
    -------
    numpy.ndarray
        (horizon, states, players); entry (h, s, i) lies in [0, H-h].

    Raises
    ------
    InputError
        If `policy` is not a joint policy of `game`.
    """
    return _policy_value(game, check_policy(game, policy))


def best_response_value(game: MarkovGame, policy: np.ndarray) -> np.ndarray:
    """Return V^dag, the value of each player's best response to the others' part of a policy.

    The deviating player commits to ignore the recommendations and does not see them; the others
    follow theirs.

    Parameters
    ----------
    game
        The game.
    policy
        (horizon, states, joint_actions), rows non-negative and summing to one.

    Returns
    -------
    numpy.ndarray
        (horizon, states, players); entry (h, s, i) is player i's value when i alone deviates.

    Raises
    ------
    InputError
        If `policy` is not a joint policy of `game`.
    """
    return _best_response_value(game, check_policy(game, policy))


def uniform_policy(game: MarkovGame) -> np.ndarray:
    """Return the policy that plays every joint action equally often.

    Returns
    -------
    numpy.ndarray
        (horizon, states, joint_actions).
    """
    shape = (game.horizon, game.num_states, game.num_joint_actions)
    return np.full(shape, 1.0 / game.num_joint_actions)


def product_policy(game: MarkovGame, player_policies: Sequence[np.ndarray]) -> np.ndarray:
    """Return the joint policy of players who draw their actions independently.

    Parameters
    ----------
    game
        The game.
    player_policies
        One array (horizon, states, A_i) for each player, rows non-negative and summing to one.

    Returns
    -------
    numpy.ndarray
        (horizon, states, joint_actions).

    Raises
    ------
    InputError
        If an array is missing or is not a policy of its player.
    """
    if len(player_policies) != game.num_players:
        raise InputError(
            f"player_policies: expected one array for each of {game.num_players} players, "
            f"got {len(player_policies)}"
        )
    joint = np.ones((game.horizon, game.num_states, 1))
    for player, values in enumerate(player_policies):
        own = _distributions(f"policy of player {player}", values, game, game.num_actions[player])
        joint = (joint[..., :, None] * own[..., None, :]).reshape(*joint.shape[:2], -1)
    return joint


def check_policy(game: MarkovGame, policy: np.ndarray) -> np.ndarray:
    """Return `policy` as float64 with rows that sum to one to rounding.

    Parameters
    ----------
    game
        The game the policy is for.
    policy
        (horizon, states, joint_actions); row sums within 1e-9 of one are renormalised.

    Returns
    -------
    numpy.ndarray
        (horizon, states, joint_actions), a new array.

    Raises
    ------
    InputError
        If the shape is wrong, or a row has a negative entry, a NaN, or a sum other than one; the
        message names the step and the state.
    """
    return _distributions("policy", policy, game, game.num_joint_actions)


def _distributions(name: str, values: np.ndarray, game: MarkovGame, count: int) -> np.ndarray:
    """Return `values` as (horizon, states, count) distributions, or say where they are not."""
    expected = (game.horizon, game.num_states, count)
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: not a rectangular array of numbers ({error})") from error
    if array.shape != expected:
        raise InputError(
            f"{name}: expected shape (horizon, states, actions) = {expected}, got {array.shape}"
        )
    return normalise_policy(name, array, SUM_TOLERANCE)


def _action_values(game: MarkovGame, step: int, next_value: np.ndarray) -> np.ndarray:
    """Return r_h + P_h V_{h+1} as (players, states, joint_actions); `next_value` is (states, m)."""
    layer = game.layer[step]
    following = np.take(next_value.T, game.next_state[layer], axis=1)
    expected = np.einsum("sjz,isjz->isj", game.probability[layer], following)
    values: np.ndarray = game.reward[layer] + expected
    return values


def _policy_value(game: MarkovGame, policy: np.ndarray) -> np.ndarray:
    value = np.zeros((game.horizon + 1, game.num_states, game.num_players))
    for step in reversed(range(game.horizon)):
        action_values = _action_values(game, step, value[step + 1])
        value[step] = np.einsum("sj,isj->si", policy[step], action_values)
    return value[:-1]


def _best_response_value(game: MarkovGame, policy: np.ndarray) -> np.ndarray:
    value = np.zeros((game.horizon + 1, game.num_states, game.num_players))
    marginals = [_opponents(game, policy, player) for player in range(game.num_players)]
    for step in reversed(range(game.horizon)):
        action_values = _action_values(game, step, value[step + 1])
        for player, marginal in enumerate(marginals):
            own = action_values[player].reshape(game.num_states, *_split(game, player))
            value[step, :, player] = np.einsum("sbc,sbac->sa", marginal[step], own).max(axis=1)
    return value[:-1]


def _split(game: MarkovGame, player: int) -> tuple[int, int, int]:
    """Return the sizes of (players before, own actions, players after) in a joint action."""
    before = math.prod(game.num_actions[:player])
    after = math.prod(game.num_actions[player + 1 :])
    return before, game.num_actions[player], after


def _opponents(game: MarkovGame, policy: np.ndarray, player: int) -> np.ndarray:
    """Return pi_{-i,h}(.|s) as (horizon, states, before, after), see `_split`."""
    marginal: np.ndarray = policy.reshape(*policy.shape[:2], *_split(game, player)).sum(axis=3)
    return marginal
