"""EVB-sim as a loop over rounds, with NumPy on all replicates and states at once."""

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


class Bandits:
    """One player's bandits in all lanes: a lane is a replicate and a state."""

    def __init__(self, num_actions: int, rounds: int, bound: float, lanes: int) -> None:
        self.bound, self.maximal_rate, self.lanes = bound, maximal_rate(bound), np.arange(lanes)
        self.numerator = rate_numerator(num_actions, rounds)
        self.estimate = np.zeros((lanes, num_actions))
        self.square = np.full((lanes, num_actions), bound**2)
        self.multiplier, self.played = np.zeros(lanes), 0
        self.gain, self.centred, self.variance, self.stability, self.bias = np.zeros((5, lanes))
        self.lower_gain, self.lower_variance = np.zeros((2, lanes))

    def choose(self) -> None:
        """Set this round's weights, by Newton's method from the last round's multipliers."""
        adaptive = self.numerator / np.sqrt(self.bound**2 + self.variance)
        self.rate = np.minimum(self.maximal_rate, adaptive)
        lowest = self.estimate.max(axis=1) + 1 / self.rate
        multiplier = np.maximum(self.multiplier, lowest)
        while True:
            inverse = 1 / (multiplier[:, None] - self.estimate)
            total = inverse.sum(axis=1)
            residual = total / self.rate - 1
            if np.abs(residual).max() <= 1e-10:
                break
            squares = np.einsum("la,la->l", inverse, inverse)
            multiplier = np.maximum(multiplier + residual * total / squares, lowest)
        self.weight = inverse / total[:, None]
        self.multiplier = multiplier

    def update(self, actions: np.ndarray, gains: np.ndarray, lower_gains: np.ndarray) -> None:
        """Take in what the actions gained, and what they would have with lower values."""
        centred = gains - (self.gain / self.played if self.played else self.bound / 2)
        mean = self.lower_gain / self.played if self.played else self.bound / 2
        place = self.lanes, actions
        weight, square_before = self.weight[place], self.square[place]
        estimate = centred / weight
        square = square_before + estimate**2
        bias = DEVIATION * (np.sqrt(square) - np.sqrt(square_before))
        self.square[place] = square
        self.estimate[place] += estimate + bias
        change = self.rate * weight * (estimate + bias)
        self.stability += (-change - np.log1p(-change)) / self.rate
        self.bias += weight * bias
        self.gain += gains
        self.centred += centred
        self.variance += centred**2
        self.lower_variance += (lower_gains - mean) ** 2
        self.lower_gain += lower_gains
        squares = np.einsum("la,la->l", self.weight, self.weight)
        self.multiplier = self.multiplier + weight**2 * (estimate + bias) / squares
        self.played += 1

    def values(self, rounds: int) -> tuple[np.ndarray, np.ndarray]:
        """Return upper and lower values."""
        names = (self.gain, self.centred, self.stability, self.bias)
        sums = Sums(*names, self.lower_gain, self.lower_variance)
        return values(sums, self.estimate, self.rate, rounds, self.bound)


def learn(
    game: MarkovGame, rounds: int, replicates: int, draw: Callable[[int], np.ndarray]
) -> Learnt:
    """Run EVB-sim in several replicates.

    Parameters
    ----------
    game
        What to learn.
    rounds
        K.
    replicates
        Number of runs, the first axis of what is returned.
    draw
        ``draw(step)``: (rounds, players + 1, replicates * states) uniform numbers.
    """
    horizon, states, players = game.horizon, game.num_states, game.num_players
    replicate, here = (part.ravel() for part in np.indices((replicates, states)))
    shape = (replicates, states, -1)
    policy = np.zeros((replicates, horizon, states, game.num_joint_actions))
    upper, lower = np.zeros((2, horizon + 1, replicates, states, players))
    cumulative = np.cumsum(game.probability, axis=-1)[..., :-1]
    for step in reversed(range(horizon)):
        layer, bound = game.layer[step], float(horizon - step)
        bandits = [Bandits(count, rounds, bound, len(here)) for count in game.num_actions]
        total = np.zeros((len(here), game.num_joint_actions))
        for uniforms in draw(step):
            product = np.ones((len(here), 1))
            actions = []
            for bandit, uniform in zip(bandits, uniforms, strict=False):
                bandit.choose()
                weight = bandit.weight
                below = uniform[:, None] >= np.cumsum(weight[:, :-1], axis=1)
                actions.append(np.count_nonzero(below, axis=1))
                product = (product[:, :, None] * weight[:, None]).reshape(len(here), -1)
            total += product
            joint = np.ravel_multi_index(actions, game.num_actions)
            below = uniforms[-1][:, None] >= cumulative[layer, here, joint]
            there = game.next_state[layer, here, joint, np.count_nonzero(below, axis=1)]
            for player, bandit in enumerate(bandits):
                reward = game.reward[layer, player, here, joint]
                later = (values_[step + 1, replicate, there, player] for values_ in (upper, lower))
                bandit.update(actions[player], *(reward + each for each in later))
        policy[:, step] = total.reshape(shape) / rounds
        for player, bandit in enumerate(bandits):
            own = bandit.values(rounds)
            upper[step, ..., player], lower[step, ..., player] = (x.reshape(shape[:2]) for x in own)
    return Learnt(policy, upper[:-1].swapaxes(0, 1), lower[:-1].swapaxes(0, 1))
