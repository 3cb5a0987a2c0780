"""Q-FTRL by its textbook formulas, in plain NumPy: histories are kept, weights written out."""

import math
from typing import NamedTuple

import numpy as np

from twins import Xoshiro


class TwinRun(NamedTuple):
    policy: np.ndarray  # (horizon, states, joint_actions)
    value: np.ndarray  # (horizon, states, players), as the next two
    upper: np.ndarray
    lower: np.ndarray


def weights(step_sizes) -> np.ndarray:
    """alpha^K_k = alpha_k prod_{j>k} (1 - alpha_j)."""
    steps = np.asarray(step_sizes)
    tails = np.append(np.cumprod((1.0 - steps)[:0:-1])[::-1], 1.0)
    return steps * tails


def run(game, rounds, generators, *, c_a, c_b, failure) -> TwinRun:
    """Run Q-FTRL; `generators` holds one xoshiro256++ state for each (step, state)."""
    horizon, states, players = game.horizon, game.num_states, game.num_players
    policy = np.zeros((horizon, states, game.num_joint_actions))
    value, upper, lower = (np.zeros((horizon + 1, states, players)) for _ in range(3))
    for step in range(horizon - 1, -1, -1):
        for state in range(states):
            generator = Xoshiro(generators[step][state])
            later = (value[step + 1], upper[step + 1], lower[step + 1])
            policies, gains = _play(game, step, state, rounds, generator, later, c_a)
            w = weights(_step_sizes(rounds, c_a))
            for k in range(rounds):
                joint = np.ones(1)
                for each in policies[k]:
                    joint = np.outer(joint, each).ravel()
                policy[step, state] += w[k] * joint
            bound = horizon - step
            for player in range(players):
                pi = np.array([policies[k][player] for k in range(rounds)])
                q, u, low = (
                    np.array([gains[k][player][which] for k in range(rounds)]) for which in range(3)
                )
                value[step, state, player] = _value(game, rounds, w, pi, q, bound, c_b, failure)
                share = failure / (players * horizon * states)
                count = game.num_actions[player]
                iota = math.log((count + 1) * (math.log2(rounds) + 7) / share)
                bounds = [_deviate(w, u[:, a], bound, iota) for a in range(count)]
                upper[step, state, player] = min(bound, max(sum(each) for each in bounds))
                mean, deviation = _deviate(w, (pi * low).sum(axis=1), bound, iota)
                lower[step, state, player] = max(0.0, mean - deviation)
    return TwinRun(policy, value[:-1], upper[:-1], lower[:-1])


def _step_sizes(rounds, c_a):
    constant = c_a * math.log(rounds)
    return [constant / (k - 1 + constant) for k in range(1, rounds + 1)]


def _play(game, step, state, rounds, generator, later, c_a):
    """Return all policies [k][player] and all gains [k][player] = (3, actions) of one state."""
    layer = game.layer[step]
    step_sizes = _step_sizes(rounds, c_a)
    policies = [[np.full(count, 1.0 / count) for count in game.num_actions]]
    gains = []
    for k in range(rounds):
        gains.append([])
        for player, count in enumerate(game.num_actions):
            columns = []
            for action in range(count):
                joint = [
                    action if other == player else _draw(policies[k][other], generator)
                    for other in range(game.num_players)
                ]
                index = np.ravel_multi_index(joint, game.num_actions)
                place = _draw(game.probability[layer, state, index], generator)
                there = game.next_state[layer, state, index, place]
                reward = game.reward[layer, player, state, index]
                columns.append([reward + table[there, player] for table in later])
            gains[k].append(np.array(columns).T)
        eta = math.sqrt(math.log(rounds) / (step_sizes[k] * game.horizon))
        w = weights(step_sizes[: k + 1])
        policies.append([])
        for player in range(game.num_players):
            estimate = sum(w[j] * gains[j][player][0] for j in range(k + 1))
            powers = np.exp(eta * (estimate - estimate.max()))
            policies[k + 1].append(powers / powers.sum())
    return policies, gains


def _draw(distribution, generator):
    """Inverse of the distribution function; no choice of probability zero is returned."""
    place = int(np.searchsorted(np.cumsum(distribution), generator.uniform(), side="right"))
    return min(place, int(np.flatnonzero(distribution)[-1]))


def _value(game, rounds, w, pi, q, bound, c_b, failure):
    mean = (pi * q).sum(axis=1)
    variance = (pi * q**2).sum(axis=1) - mean**2
    log = math.log(rounds * game.num_states * sum(game.num_actions) / failure)
    factor = c_b * math.sqrt(log**3 / (rounds * game.horizon))
    beta = factor * sum(w * (variance + game.horizon))
    return min(sum(w * mean) + beta, bound)


def _deviate(w, gains, bound, iota):
    """Return the weighted mean and the deviation around means of the earlier gains."""
    centres = [gains[:k].mean() if k else bound / 2 for k in range(len(gains))]
    squares = sum((w * (gains - centres)) ** 2)
    return sum(w * gains), 1.44 * math.sqrt(iota * squares) + 1.18 * max(w) * bound * iota
