"""EVB-sim as a loop over rounds, with NumPy on the actions of a player."""

from collections.abc import Callable

import numpy as np

from benchmarks.peers.evb_values import (
    DEVIATION,
    Learnt,
    Sums,
    maximal_rate,
    rate_numerator,
    values,
)
from ccerates.games.model import MarkovGame


class Bandit:
    """One player's empirical-variance bandit at one state."""

    def __init__(self, num_actions: int, rounds: int, bound: float) -> None:
        self.bound, self.maximal_rate = bound, maximal_rate(bound)
        self.numerator = rate_numerator(num_actions, rounds)
        self.estimate = np.zeros(num_actions)
        self.square = np.full(num_actions, bound**2)
        self.multiplier, self.played = 0.0, 0
        self.gain = self.centred = self.variance = self.stability = self.bias = 0.0
        self.lower_gain = self.lower_variance = 0.0

    def choose(self) -> None:
        """Set this round's weights, by Newton's method from the last round's multiplier."""
        self.rate = min(self.maximal_rate, self.numerator / np.sqrt(self.bound**2 + self.variance))
        lowest = self.estimate.max() + 1 / self.rate
        multiplier = max(self.multiplier, lowest)
        while True:
            inverse = 1 / (multiplier - self.estimate)
            total = inverse.sum()
            residual = total / self.rate - 1
            if abs(residual) <= 1e-10:
                break
            multiplier = max(multiplier + residual * total / (inverse @ inverse), lowest)
        self.weight = inverse / total
        self.multiplier = multiplier

    def update(self, action: int, gain: float, lower_gain: float) -> None:
        """Take in what the action gained, and what it would have with lower values."""
        centred = gain - (self.gain / self.played if self.played else self.bound / 2)
        mean = self.lower_gain / self.played if self.played else self.bound / 2
        weight = self.weight[action]
        estimate = centred / weight
        square = self.square[action] + estimate**2
        bias = DEVIATION * (np.sqrt(square) - np.sqrt(self.square[action]))
        self.square[action] = square
        self.estimate[action] += estimate + bias
        change = self.rate * weight * (estimate + bias)
        self.stability += (-change - np.log1p(-change)) / self.rate
        self.bias += weight * bias
        self.gain += gain
        self.centred += centred
        self.variance += centred**2
        self.lower_variance += (lower_gain - mean) ** 2
        self.lower_gain += lower_gain
        self.multiplier += weight**2 * (estimate + bias) / (self.weight @ self.weight)
        self.played += 1

    def values(self, rounds: int) -> tuple[np.ndarray, np.ndarray]:
        """Return upper and lower value."""
        names = (self.gain, self.centred, self.stability, self.bias)
        sums = Sums(*map(np.array, (*names, self.lower_gain, self.lower_variance)))
        return values(sums, self.estimate, np.array(self.rate), rounds, self.bound)


def learn(game: MarkovGame, rounds: int, draw: Callable[[int, int], np.ndarray]) -> Learnt:
    """Run EVB-sim once.

    Parameters
    ----------
    game
        What to learn.
    rounds
        K.
    draw
        ``draw(step, state)``: (rounds, players + 1) uniform numbers.
    """
    horizon, states, players = game.horizon, game.num_states, game.num_players
    policy = np.zeros((horizon, states, *game.num_actions))
    upper, lower = np.zeros((2, horizon + 1, states, players))
    cumulative = np.cumsum(game.probability, axis=-1)
    for step in reversed(range(horizon)):
        layer, bound = game.layer[step], float(horizon - step)
        for state in range(states):
            bandits = [Bandit(count, rounds, bound) for count in game.num_actions]
            for uniforms in draw(step, state):
                product = np.ones(())
                actions = []
                for bandit, uniform in zip(bandits, uniforms, strict=False):
                    bandit.choose()
                    below = np.cumsum(bandit.weight[:-1])
                    actions.append(below.searchsorted(uniform, side="right"))
                    product = np.multiply.outer(product, bandit.weight)
                policy[step, state] += product
                joint = np.ravel_multi_index(actions, game.num_actions)
                places = cumulative[layer, state, joint, :-1]
                place = places.searchsorted(uniforms[-1], side="right")
                there = game.next_state[layer, state, joint, place]
                reward = game.reward[layer, :, state, joint]
                gains = reward + upper[step + 1, there]
                lower_gains = reward + lower[step + 1, there]
                for player, bandit in enumerate(bandits):
                    bandit.update(actions[player], gains[player], lower_gains[player])
            for player, bandit in enumerate(bandits):
                own = bandit.values(rounds)
                upper[step, state, player], lower[step, state, player] = own
    return Learnt(policy.reshape(horizon, states, -1) / rounds, upper[:-1], lower[:-1])
