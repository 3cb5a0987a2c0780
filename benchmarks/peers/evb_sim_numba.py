"""EVB-sim as plain scalar loops, compiled by Numba."""

from collections.abc import Callable

import numpy as np
from numba import njit

from benchmarks.peers.evb_values import (
    DEVIATION,
    Learnt,
    Sums,
    maximal_rate,
    rate_numerator,
    values,
)
from ccerates.games.model import MarkovGame

GAIN, CENTRED, STABILITY, BIAS, LOWER_GAIN, LOWER_VARIANCE, VARIANCE, RATE = range(8)


@njit(error_model="numpy")
def choose(estimate, count, rate, guess, weight):
    """Set the weights of `count` actions; return the multiplier."""
    lowest = estimate[0]
    for action in range(1, count):
        lowest = max(lowest, estimate[action])
    lowest += 1 / rate
    multiplier = max(guess, lowest)
    while True:
        total = squares = 0.0
        for action in range(count):
            weight[action] = 1 / (multiplier - estimate[action])
            total += weight[action]
            squares += weight[action] * weight[action]
        residual = total / rate - 1
        if abs(residual) <= 1e-10:
            break
        multiplier = max(multiplier + residual * total / squares, lowest)
    for action in range(count):
        weight[action] /= total
    return multiplier


@njit(error_model="numpy")
def play(
    uniforms, num_actions, bound, highest, numerator, reward, next_state, cumulative, upper, lower
):
    """Play all rounds at one state; return policy, final estimates and sums of the players.

    `reward` is (players, joint_actions), `next_state` and `cumulative` (joint_actions, successors),
    `upper` and `lower` (states, players) of the next step.
    """
    players, most = num_actions.size, num_actions.max()
    policy, product = np.zeros(reward.shape[1]), np.empty(reward.shape[1])
    estimate, weight = np.zeros((players, most)), np.empty((players, most))
    square = np.full((players, most), bound * bound)
    multiplier, sums = np.zeros(players), np.zeros((players, 8))
    actions = np.empty(players, np.int64)
    for played in range(len(uniforms)):
        joint = 0
        product[0] = 1.0
        size = 1
        for player in range(players):
            count, own = num_actions[player], weight[player]
            rate = numerator[player] / np.sqrt(bound * bound + sums[player, VARIANCE])
            sums[player, RATE] = min(highest, rate)
            multiplier[player] = choose(
                estimate[player], count, sums[player, RATE], multiplier[player], own
            )
            action, total = 0, own[0]
            while action < count - 1 and uniforms[played, player] >= total:
                action += 1
                total += own[action]
            actions[player] = action
            joint = joint * count + action
            for index in range(size - 1, -1, -1):
                prefix = product[index]
                for other in range(count):
                    product[index * count + other] = prefix * own[other]
            size *= count
        for index in range(size):
            policy[index] += product[index]
        place, last = 0, cumulative.shape[1] - 1
        while place < last and uniforms[played, players] >= cumulative[joint, place]:
            place += 1
        there = next_state[joint, place]
        for player in range(players):
            own, action = sums[player], actions[player]
            gain = reward[player, joint] + upper[there, player]
            lower_gain = reward[player, joint] + lower[there, player]
            centred = gain - (own[GAIN] / played if played else bound / 2)
            lower_centred = lower_gain - (own[LOWER_GAIN] / played if played else bound / 2)
            chance = weight[player, action]
            increase = centred / chance
            before = square[player, action]
            square[player, action] += increase * increase
            bias = DEVIATION * (np.sqrt(square[player, action]) - np.sqrt(before))
            increase += bias
            estimate[player, action] += increase
            change = own[RATE] * chance * increase
            own[STABILITY] += (-change - np.log1p(-change)) / own[RATE]
            own[BIAS] += chance * bias
            own[GAIN] += gain
            own[CENTRED] += centred
            own[VARIANCE] += centred * centred
            own[LOWER_GAIN] += lower_gain
            own[LOWER_VARIANCE] += lower_centred * lower_centred
            squares = 0.0
            for other in range(num_actions[player]):
                squares += weight[player, other] * weight[player, other]
            multiplier[player] += chance * chance * increase / squares
    return policy / len(uniforms), estimate, sums


def learn(game: MarkovGame, rounds: int, draw: Callable[[int, int], np.ndarray]) -> Learnt:
    """Run EVB-sim once; see `evb_sim_loop.learn`."""
    horizon, states, players = game.horizon, game.num_states, game.num_players
    policy = np.empty((horizon, states, game.num_joint_actions))
    upper, lower = np.zeros((2, horizon + 1, states, players))
    cumulative = np.cumsum(game.probability, axis=-1)
    num_actions = np.array(game.num_actions)
    numerator = np.array([rate_numerator(count, rounds) for count in game.num_actions])
    for step in reversed(range(horizon)):
        layer, bound = game.layer[step], float(horizon - step)
        for state in range(states):
            policy[step, state], estimate, sums = play(
                draw(step, state),
                num_actions,
                bound,
                maximal_rate(bound),
                numerator,
                game.reward[layer, :, state],
                game.next_state[layer, state],
                cumulative[layer, state],
                upper[step + 1],
                lower[step + 1],
            )
            for player, count in enumerate(game.num_actions):
                own = Sums(*sums[player, : len(Sums._fields)])
                rate, final = sums[player, RATE], estimate[player, :count]
                found = values(own, final, rate, rounds, bound)
                upper[step, state, player], lower[step, state, player] = found
    return Learnt(policy, upper[:-1], lower[:-1])
