"""V-learning and CCE-V-learning by their textbook formulas, in plain Python: all visits are kept.

Nothing is updated: every policy and value is computed anew from the list of all visits, with the
weights w_i of weighted Exp3-IX and the weights alpha^i_t of the values written out as products, in
exact fractions.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from twins import Xoshiro


class Visit(NamedTuple):
    policies: list  # theta of each player
    actions: list
    losses: list  # of each player
    targets: list  # r + V(s'), without the bonus


class TwinRun(NamedTuple):
    states: list  # [episode][step]
    joint_actions: list
    policies: list  # [episode][step][player]
    values: list  # [episode][step][player]: V of the visited state after the visit
    upper: np.ndarray  # (horizon, states, players)
    visits: np.ndarray


def step_size(horizon, t):
    return Fraction(horizon + 1, horizon + t)


def loss_weights(horizon, t):
    """w_i = a_i / prod_{2<=j<=i} (1 - a_j) for i = 1..t."""
    weights = []
    product = Fraction(1)
    for i in range(1, t + 1):
        if i > 1:
            product *= 1 - step_size(horizon, i)
        weights.append(step_size(horizon, i) / product)
    return weights


def value_weights(horizon, t):
    """alpha^i_t = a_i prod_{i<j<=t} (1 - a_j) for i = 1..t."""
    return [
        step_size(horizon, i)
        * math.prod((1 - step_size(horizon, j) for j in range(i + 1, t + 1)), start=Fraction(1))
        for i in range(1, t + 1)
    ]


def rate(horizon, count, t):
    return math.sqrt(horizon * math.log(count) / (count * t))


def theta(visits, player, count, horizon, rate_scale, exploration):
    """Return the policy after these visits: proportional to exp(-(eta_t / w_t) sum w_i l_i)."""
    t = len(visits)
    if t == 0:
        return [1.0 / count] * count
    weights = loss_weights(horizon, t)
    sums = [0.0] * count
    for i, visit in enumerate(visits):
        b = visit.actions[player]
        gamma = exploration * rate(horizon, count, i + 1)
        estimate = visit.losses[player] / (visit.policies[player][b] + gamma)
        sums[b] += float(weights[i] / weights[-1]) * estimate
    eta = rate_scale * rate(horizon, count, t)
    powers = [math.exp(-eta * (each - min(sums))) for each in sums]
    return [each / math.fsum(powers) for each in powers]


def draw(probabilities, uniform):
    """Return the index whose interval of the unit interval holds `uniform`."""
    place = int(np.searchsorted(np.cumsum(probabilities), uniform, side="right"))
    return min(place, int(np.flatnonzero(probabilities)[-1]))


def run(game, episodes, words, *, truncated, bonus, rate_scale, exploration):
    """Play episodes.

    `truncated` tells V-learning from CCE-V-learning; `bonus(player, t)` is beta_t; `exploration`
    multiplies gamma_t; `words` is the state of the generator.
    """
    horizon, players = game.horizon, game.num_players
    generator = Xoshiro(words)
    memory = [[[] for _ in range(game.num_states)] for _ in range(horizon)]
    played = TwinRun([], [], [], [], np.zeros((horizon, game.num_states, players)), None)

    def value(step, state, player):
        if step == horizon:
            return 0.0
        visits = memory[step][state]
        if not visits:
            return float(horizon - step)
        weights = value_weights(horizon, len(visits))
        total = math.fsum(
            float(weight) * (visit.targets[player] + bonus(player, i + 1))
            for i, (weight, visit) in enumerate(zip(weights, visits, strict=True))
        )
        return min(total, float(horizon - step)) if truncated else total

    for _ in range(episodes):
        state = draw(game.start, generator.uniform())
        path = [[] for _ in range(4)]
        for step in range(horizon):
            policies = [
                theta(memory[step][state], player, count, horizon, rate_scale, exploration)
                for player, count in enumerate(game.num_actions)
            ]
            actions = [draw(policy, generator.uniform()) for policy in policies]
            joint = int(np.ravel_multi_index(actions, game.num_actions))
            layer = game.layer[step]
            place = draw(game.probability[layer, state, joint], generator.uniform())
            there = int(game.next_state[layer, state, joint, place])
            rewards = [float(game.reward[layer, i, state, joint]) for i in range(players)]
            later = [value(step + 1, there, player) for player in range(players)]
            known = [min(each, float(horizon - step - 1)) for each in later]
            losses = [(horizon - r - v) / horizon for r, v in zip(rewards, known, strict=True)]
            targets = [r + v for r, v in zip(rewards, later, strict=True)]
            memory[step][state].append(Visit(policies, actions, losses, targets))
            values = [value(step, state, player) for player in range(players)]
            for part, item in zip(path, (state, joint, policies, values), strict=True):
                part.append(item)
            state = there
        for part, item in zip(played[:4], path, strict=True):
            part.append(item)
    for step in range(horizon):
        for state in range(game.num_states):
            for player in range(players):
                played.upper[step, state, player] = value(step, state, player)
    visits = np.array([[len(each) for each in row] for row in memory])
    return played._replace(visits=visits)
