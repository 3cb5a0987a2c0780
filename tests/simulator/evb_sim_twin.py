"""EVB-sim as the paper writes it: plain Python, everything recomputed from the stored history."""

import math

import numpy as np
from scipy.optimize import brentq

from twins import Xoshiro


class Constants:
    """The paper's constants of one bandit; `iota` is None with practical ones."""

    def __init__(self, rigorous, num_actions, rounds, gain_bound, failure) -> None:
        if rigorous:
            events = (2 * math.log2(rounds / failure) + math.log2(num_actions) + 8) * (
                math.log2(rounds) + 7
            )
            iota = math.log(num_actions * events / failure)
            self.deviation, self.range = 1.44 * math.sqrt(iota), 2.36 * iota
            self.lower_deviation, self.lower_range = 1.44 * math.sqrt(iota), 1.18 * iota
        else:
            self.deviation, self.range = 0.25, 0.0
            self.lower_deviation, self.lower_range = 0.25, 0.0
        self.maximal_rate = 0.68 / (gain_bound * (1 + self.deviation + self.range))


def log_barrier_weights(estimate, rate):
    """Return argmax_w <G, w> + (1/eta) sum ln w over distributions w."""
    shifted = np.asarray(estimate) - np.max(estimate)  # lambda is then of the order of 1/eta

    def excess(multiplier):
        return math.fsum(1 / (multiplier - each) for each in shifted) / rate - 1

    bracket = (0.5 / rate, (len(shifted) + 1) / rate)
    multiplier = brentq(excess, *bracket, xtol=1e-15 / rate, rtol=1e-15)
    return 1 / (rate * (multiplier - shifted))


def centred(gains, gain_bound, ablation="none"):
    """Return x_k - m_k for all rounds; m_k is the mean of the earlier gains, B/2 at first."""
    if ablation == "centre":
        return list(gains)
    means = [math.fsum(gains[:k]) / k if k else gain_bound / 2 for k in range(len(gains))]
    return [gain - mean for gain, mean in zip(gains, means, strict=True)]


class Bandit:
    """One empirical-variance bandit: a list of rounds, and formulas on that list."""

    def __init__(self, num_actions, rounds, gain_bound, constants, options) -> None:
        self.num_actions, self.rounds = num_actions, rounds
        self.gain_bound, self.constants = gain_bound, constants
        self.rate_scale, self.ablation = options.rate_scale, options.ablation
        self.weights, self.rates, self.actions, self.gains = [], [], [], []

    def choose(self):
        """Return w_k."""
        variance = math.fsum(y * y for y in self.centred())
        if self.ablation == "adaptive-rate":
            variance = self.gain_bound**2 * self.rounds
        adaptive = self.rate_scale * math.sqrt(
            self.num_actions * math.log(max(self.rounds, 3)) / (self.gain_bound**2 + variance)
        )
        self.rates.append(min(self.constants.maximal_rate, adaptive))
        estimates = self.increments()
        total = estimates.sum(axis=0) if len(estimates) else np.zeros(self.num_actions)
        self.weights.append(log_barrier_weights(total, self.rates[-1]))
        return self.weights[-1]

    def centred(self):
        """Return x_k - m_k for all rounds."""
        return centred(self.gains, self.gain_bound, self.ablation)

    def importance_weighted(self):
        """Return (rounds, actions): (x_k - m_k) 1{a_k = a} / w_k(a)."""
        played = np.zeros((len(self.gains), self.num_actions))
        for k, y in enumerate(self.centred()):
            played[k, self.actions[k]] = y / self.weights[k][self.actions[k]]
        return played

    def biases(self):
        """Return (rounds, actions): b_k(a), from Q and rho of all rounds."""
        squares = self.importance_weighted() ** 2
        rounds = len(squares)
        if self.ablation == "bias":
            return np.zeros_like(squares)
        q = np.array([self.gain_bound**2 + squares[:k].sum(axis=0) for k in range(rounds + 1)])
        inverse = 1 / np.array(self.weights[:rounds]).reshape(rounds, self.num_actions)
        start = np.full((1, self.num_actions), float(self.num_actions))
        rho = np.array([np.vstack([start, inverse[:k]]).max(axis=0) for k in range(rounds + 1)])
        return self.constants.deviation * np.diff(np.sqrt(q), axis=0) + (
            self.constants.range * self.gain_bound * np.diff(rho, axis=0)
        )

    def increments(self):
        """Return (rounds, actions): the gain estimates."""
        return self.importance_weighted() + self.biases()

    def report(self):
        """Return what the trace holds, for a bandit whose rounds are over."""
        actions, rounds, bound = self.num_actions, self.rounds, self.gain_bound
        weights, rates, y = np.array(self.weights), self.rates, self.centred()
        c = np.array(rates)[:, None] * weights * self.increments()
        stability = math.fsum(
            (-c[k, a] - math.log(1 - c[k, a])) / rates[k]
            for k in range(rounds)
            for a in range(actions)
        )
        bias = float((weights * self.biases()).sum())
        covered = (self.constants.deviation + self.constants.range * actions) * bound
        covered *= self.ablation != "bias"
        constant = (actions - 1) * bound + covered
        estimate = self.increments().sum(axis=0)
        if rounds < actions:
            penalty, regret_bound = 0.0, rounds * bound
            slack = np.full(actions, np.nan)
        else:
            penalty = actions * math.log(rounds / actions) / rates[-1]
            observed = max(estimate) - math.fsum(y) + covered
            regret_bound = max(0.0, min(observed, penalty + stability + bias + constant))
            regret_bound = min(regret_bound, rounds * bound)
            comparators = (1 - actions / rounds) * np.eye(actions) + 1 / rounds
            advantage = [((u - weights) * self.increments()).sum() for u in comparators]
            slack = penalty + stability - np.array(advantage)
        return {
            "mean_gain": math.fsum(self.gains) / rounds,
            "gain_variance": np.var(self.gains),
            "played_variance": math.fsum(each * each for each in y),
            "final_rate": rates[-1],
            "penalty": penalty,
            "stability": stability,
            "bias": bias,
            "constant": constant,
            "regret_bound": regret_bound,
            "pathwise_slack": slack,
            "square": bound**2 + (self.importance_weighted() ** 2).sum(axis=0),
            "range_": np.maximum(actions, (1 / weights).max(axis=0)),
        }


def draw(probabilities, uniform):
    """Return the index whose interval of the unit interval holds `uniform`."""
    place = int(np.searchsorted(np.cumsum(probabilities), uniform, side="right"))
    return min(place, int(np.flatnonzero(probabilities)[-1]))


def run_twin(game, rounds, words, options):
    """Return policy, values, certificate, trace and transitions of a run.

    `words(step, state)` gives the generator state of a (step, state).
    """
    shape = (game.horizon, game.num_states, game.num_players)
    policy = np.zeros((*shape[:2], game.num_joint_actions))
    upper, lower = np.zeros((2, shape[0] + 1, *shape[1:]))
    trace, transitions = {}, np.zeros((*shape[:2], game.num_states), dtype=int)
    failure = options.failure / math.prod(shape)
    for step in reversed(range(game.horizon)):
        bound = game.horizon - step
        layer = game.layer[step]
        for state in range(game.num_states):
            generator = Xoshiro(words(step, state))
            bandits = []
            for count in game.num_actions:
                constants = Constants(
                    options.constants == "rigorous", count, rounds, bound, failure
                )
                bandits.append(Bandit(count, rounds, bound, constants, options))
            lower_gains = [[] for _ in bandits]
            for _ in range(rounds):
                product = np.ones(())
                actions = []
                for bandit in bandits:
                    weights = bandit.choose()
                    product = np.multiply.outer(product, weights)
                    actions.append(draw(weights, generator.uniform()))
                policy[step, state] += product.ravel() / rounds
                joint = np.ravel_multi_index(actions, game.num_actions)
                place = draw(game.probability[layer, state, joint], generator.uniform())
                there = game.next_state[layer, state, joint, place]
                transitions[step, state, there] += 1
                for player, bandit in enumerate(bandits):
                    reward = game.reward[layer, player, state, joint]
                    bandit.actions.append(actions[player])
                    bandit.gains.append(reward + upper[step + 1, there, player])
                    lower_gains[player].append(reward + lower[step + 1, there, player])
            for player, bandit in enumerate(bandits):
                here = (step, state, player)
                trace[here] = report = bandit.report()
                bonus = options.bonus_scale * report["regret_bound"] / rounds
                bonus *= options.ablation != "bonus"
                upper[here] = min(report["mean_gain"] + bonus, bound)
                gains = lower_gains[player]
                report["lower_mean_gain"] = np.mean(gains)
                report["lower_variance"] = np.var(gains)
                variance = math.fsum(y * y for y in centred(gains, bound))
                margin = bandit.constants.lower_deviation * math.sqrt(variance)
                margin += bandit.constants.lower_range * bound
                lower[here] = max(0.0, math.fsum(gains) / rounds - margin / rounds)
    certificate = max(
        sum(
            game.start[state] * (upper[0, state, player] - lower[0, state, player])
            for state in range(game.num_states)
        )
        for player in range(game.num_players)
    )
    return policy, upper[:-1], lower[:-1], certificate, trace, transitions
