"""Plain NumPy and SciPy counterparts of the bandits, the adversaries and the arena.

Written from the published formulas; they share no code with the package.
"""

import math

import numpy as np
from scipy.optimize import brentq

from twins import Xoshiro

C1, C2 = 1.44, 2.36


class Evb:
    def __init__(self, count, rounds, bound, constants) -> None:
        self.count, self.rounds, self.bound = count, rounds, bound
        levels = 2 * math.log2(rounds / 0.05) + math.log2(count) + 8
        iota = math.log(count * levels * (math.log2(rounds) + 7) / 0.05)
        rigorous = constants == "rigorous"
        self.deviation = C1 * math.sqrt(iota) if rigorous else 0.25
        self.range = C2 * iota if rigorous else 0.0
        self.largest_rate = 0.68 / (bound * (1 + self.deviation + self.range))
        self.estimate, self.square = np.zeros(count), np.full(count, bound**2)
        self.inverse = np.full(count, float(count))
        self.gains, self.variance = [], 0.0
        self.stability = self.bias = 0.0

    def probabilities(self):
        ratio = self.count * math.log(max(self.rounds, 3)) / (self.bound**2 + self.variance)
        self.rate = min(self.largest_rate, math.sqrt(ratio))
        top = self.estimate.max()
        excess = lambda x: (1 / (self.rate * (x + top - self.estimate))).sum() - 1  # noqa: E731
        root = brentq(excess, 0.9 / self.rate, 1.1 * self.count / self.rate, xtol=1e-13, rtol=1e-14)
        self.weights = 1 / (self.rate * (root + top - self.estimate))
        return self.weights

    def update(self, action, gain) -> None:
        centred = gain - (np.mean(self.gains) if self.gains else self.bound / 2)
        importance = np.zeros(self.count)
        importance[action] = centred / self.weights[action]
        square = self.square + importance**2
        inverse = np.maximum(self.inverse, 1 / self.weights)
        bias = self.deviation * (np.sqrt(square) - np.sqrt(self.square))
        bias += self.range * self.bound * (inverse - self.inverse)
        c = self.rate * self.weights * (importance + bias)
        self.stability += ((-c - np.log1p(-c)) / self.rate).sum()
        self.bias += self.weights @ bias
        self.estimate, self.square, self.inverse = (
            self.estimate + importance + bias,
            square,
            inverse,
        )
        self.gains.append(gain)
        self.variance += centred**2


class Exp3Ix:
    def __init__(self, count, rounds, bound) -> None:
        self.bound, self.loss = bound, np.zeros(count)
        self.rate = math.sqrt(2 * math.log(count) / (count * rounds))

    def probabilities(self):
        power = np.exp(-self.rate * (self.loss - self.loss.min()))
        self.weights = power / power.sum()
        return self.weights

    def update(self, action, gain) -> None:
        self.loss[action] += (1 - gain / self.bound) / (self.weights[action] + self.rate / 2)


class Exp3P:
    def __init__(self, count, rounds, bound) -> None:
        self.count, self.bound, self.estimate = count, bound, np.zeros(count)
        self.bonus = math.sqrt(math.log(count / 0.05) / (count * rounds))
        self.rate = 0.95 * math.sqrt(math.log(count) / (count * rounds))
        self.mix = 1.05 * math.sqrt(count * math.log(count) / rounds)

    def probabilities(self):
        power = np.exp(self.rate * (self.estimate - self.estimate.max()))
        self.weights = (1 - self.mix) * power / power.sum() + self.mix / self.count
        return self.weights

    def update(self, action, gain) -> None:
        gained = np.full(self.count, self.bonus)
        gained[action] += gain / self.bound
        self.estimate += gained / self.weights


class TsallisInf:
    def __init__(self, count, rounds, bound) -> None:
        del rounds
        self.count, self.bound, self.loss, self.k = count, bound, np.zeros(count), 0

    def probabilities(self):
        self.k += 1
        self.rate = 4 / math.sqrt(self.k)
        least = self.loss.min()
        low, high = least - 2 * math.sqrt(self.count) / self.rate, least - 2 / self.rate
        for _ in range(200):  # bisection: the sum of the weights grows with x
            x = (low + high) / 2
            self.weights = 4 / (self.rate * (self.loss - x)) ** 2
            low, high = (low, x) if self.weights.sum() > 1 else (x, high)
        return self.weights

    def update(self, action, gain) -> None:
        baseline = np.where(self.weights >= self.rate**2, 0.5, 0.0)
        self.loss += baseline
        self.loss[action] += (1 - gain / self.bound - baseline[action]) / self.weights[action]


def descend(before, loss, rate, least=0.0):
    """Return argmin_w <w, loss> + sum_a (w_a/v_a - 1 - ln(w_a/v_a)) / rate_a, w_a >= least.

    Where w_a > least, the gradient loss_a + (1/v_a - 1/w_a)/rate_a is the same for all arms.
    """

    def weights(multiplier):
        inverse = 1 / before + rate * (loss - multiplier)
        return np.maximum(1 / inverse, least)

    high = (loss + (1 / before - 1) / rate).min()  # one weight is 1
    low = (loss + (1 / before - len(before)) / rate).min() - 1e-9  # all are below 1/A
    low = min(low, high - 1e-9)
    root = brentq(lambda x: weights(x).sum() - 1, low, high, xtol=1e-15, rtol=1e-14)
    return weights(root)


class LogBarrier:
    def __init__(self, count, rounds, bound) -> None:
        self.bound, self.least, self.count = bound, 1 / rounds, count
        self.rate = np.full(count, math.sqrt(count * math.log(rounds) / rounds))
        self.growth = math.exp(1 / math.log(rounds))
        self.threshold = np.full(count, 2.0 * count)
        self.weights = np.full(count, 1 / count)
        self.raised = 0

    def probabilities(self):
        return self.weights

    def update(self, action, gain) -> None:
        loss = np.zeros(self.count)
        loss[action] = (1 - gain / self.bound) / self.weights[action]
        self.weights = descend(self.weights, loss, self.rate, self.least)
        for arm in range(self.count):
            if 1 / self.weights[arm] > self.threshold[arm]:
                self.threshold[arm] = 2 / self.weights[arm]
                self.rate[arm] *= self.growth
                self.raised += 1


class OptimisticLogBarrier:
    def __init__(self, count, rounds, bound) -> None:
        self.bound, self.count = bound, count
        self.rate = np.full(count, min(1 / 162, math.sqrt(count * math.log(rounds) / rounds)))
        self.anchor, self.prediction = np.full(count, 1 / count), np.zeros(count)

    def probabilities(self):
        self.weights = descend(self.anchor, self.prediction, self.rate)
        return self.weights

    def update(self, action, gain) -> None:
        estimate = self.prediction.copy()
        loss = 1 - gain / self.bound
        estimate[action] += (loss - self.prediction[action]) / self.weights[action]
        self.anchor = descend(self.anchor, estimate, self.rate)
        self.prediction[action] = loss


TWINS = {
    "exp3-ix": Exp3Ix,
    "exp3-p": Exp3P,
    "tsallis-inf": TsallisInf,
    "log-barrier": LogBarrier,
    "optimistic-log-barrier": OptimisticLogBarrier,
}


def gain_table(adversary, count, rounds, k, weights):
    """Return (low, high, probability of high) of every arm in round k, for the defaults, B = 1."""
    low, high, chance = np.zeros(count), np.ones(count), np.full(count, 0.5)
    if adversary == "stochastic":
        mean = np.array([0.6] + [0.4] * (count - 1))
        return mean - 0.1, mean + 0.1, chance
    if adversary == "switching":
        low, high = np.full(count, 0.49), np.full(count, 0.51)
        low[0] = high[0] = float(k >= rounds // 3)
        return low, high, chance
    if adversary == "late-optimum":
        mean = np.full(count, 0.5)
        mean[0] = 0.9 if k >= rounds // 2 else 0.3
        return mean - 0.05, mean + 0.05, chance
    if adversary == "high-variance-optimum":
        low[1:], high[1:], chance[0] = 0.49, 0.51, 0.6
        return low, high, chance
    chance[0] += 0.2
    return low, high, np.clip(chance - (weights - 1 / count), 0, 1)


def play(bandit, adversary, words, count, rounds, bound):
    """Return the sums of one run, by the names of the fields of `BanditRuns`."""
    generator = Xoshiro(words)
    gains, centred = [], []
    mean_sum, estimate_sum = np.zeros(count), np.zeros(count)
    square, range_ = np.full(count, bound**2), np.full(count, float(count))
    for k in range(rounds):
        weights = np.array(bandit.probabilities())
        cumulative = np.cumsum(weights)[:-1]
        action = int(np.searchsorted(cumulative, generator.uniform(), side="right"))
        low, high, chance = gain_table(adversary, count, rounds, k, weights)
        is_high = generator.uniform() < chance[action]
        gain = bound * (high if is_high else low)[action]
        centre = np.mean(gains) if gains else bound / 2
        mean_sum += bound * (low + (high - low) * chance) - centre
        importance = (gain - centre) / weights[action]
        estimate_sum[action] += importance
        square[action] += importance**2
        range_ = np.maximum(range_, 1 / weights)
        gains.append(gain)
        centred.append(gain - centre)
        bandit.update(action, gain)
    return {
        "gain": sum(gains),
        "centred": sum(centred),
        "played_variance": sum(value**2 for value in centred),
        "mean_sum": mean_sum,
        "estimate_sum": estimate_sum,
        "square": square,
        "range_": range_,
    }
