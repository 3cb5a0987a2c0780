"""The empirical-variance bandit along many histories at once, in plain NumPy.

Written from the paper; it shares no code with the package. Unlike the kernels it takes the actions
and the gains from outside, so that every history can be walked through, likely or not.
"""

import math

import numpy as np


def count_events(num_actions, rounds, failure):
    """Return N of the paper."""
    levels = 2 * (math.log2(rounds) - math.log2(failure)) + math.log2(num_actions) + 8
    return levels * (math.log2(rounds) + 7)


def rigorous_iota(num_actions, rounds, failure):
    """Return iota = ln(A N / delta), for delta down to 1e-300."""
    return math.log(num_actions * count_events(num_actions, rounds, failure)) - math.log(failure)


def maximise(estimate, rate):
    """Return (paths, arms): argmax_w <G, w> + sum_a ln(w_a) / eta over the simplex.

    sum_a 1/(eta (x + max G - G_a)) = 1 is convex and decreasing in x: Newton's method from
    x = 1/eta, where the left side is at least one, comes up to the root from below.
    """
    gap = estimate.max(axis=1, keepdims=True) - estimate
    rate = rate[:, None]
    x = 1.0 / rate
    for _ in range(60):
        inverse = 1.0 / (rate * (x + gap))
        moved = (inverse.sum(axis=1, keepdims=True) - 1.0) / (rate * inverse**2).sum(
            axis=1, keepdims=True
        )
        x = x + moved
        if (np.abs(moved) <= 1e-14 * x).all():
            break
    weight = 1.0 / (rate * (x + gap))
    return weight / weight.sum(axis=1, keepdims=True)


class Sums:
    """What the deviation lemma and the certificate of any bandit are made of."""

    def __init__(self, paths, num_actions, rounds, gain_bound, deviation, range_) -> None:
        self.num_actions, self.rounds, self.gain_bound = num_actions, rounds, gain_bound
        self.deviation, self.range_ = deviation, range_
        shape = (paths, num_actions)
        self.played = 0
        self.total = np.zeros(paths)
        self.centred = np.zeros(paths)
        self.variance = np.zeros(paths)
        self.importance = np.zeros(shape)
        self.square = np.full(shape, float(gain_bound) ** 2)
        self.inverse = np.full(shape, float(num_actions))
        self.every = np.arange(paths)

    def centre(self):
        """Return m_k."""
        if self.played == 0:
            return np.full(self.total.shape, self.gain_bound / 2)
        return self.total / self.played

    def take(self, weight, action, gain):
        """Take in one round; return the importance-weighted gain and the bias of every arm."""
        centred = gain - self.centre()
        importance = np.zeros(weight.shape)
        importance[self.every, action] = centred / weight[self.every, action]
        square = self.square + importance**2
        inverse = np.maximum(self.inverse, 1.0 / weight)
        bias = self.deviation * (np.sqrt(square) - np.sqrt(self.square))
        bias += self.range_ * self.gain_bound * (inverse - self.inverse)
        self.square, self.inverse = square, inverse
        self.importance += importance
        self.total += gain
        self.centred += centred
        self.variance += centred**2
        self.played += 1
        return importance, bias

    def deviation_bound(self):
        """Return (paths, arms): right side of the deviation lemma."""
        squares = np.maximum(self.square - self.gain_bound**2, 0.0)
        range_ = self.range_ * self.gain_bound * self.inverse
        return self.importance + self.deviation * np.sqrt(squares) + range_

    def certificate(self):
        """Return (paths,): the regret bound that holds for any bandit."""
        range_ = self.range_ * self.gain_bound * self.inverse
        largest = (self.importance + self.deviation * np.sqrt(self.square) + range_).max(axis=1)
        return largest - self.centred


class PlainEvb(Sums):
    """EVB in every path."""

    def __init__(
        self, paths, num_actions, rounds, gain_bound, deviation, range_, rate_scale=1.0
    ) -> None:
        super().__init__(paths, num_actions, rounds, gain_bound, deviation, range_)
        self.largest_rate = 0.68 / (gain_bound * (1 + deviation + range_))
        self.rate_scale = rate_scale
        self.estimate = np.zeros((paths, num_actions))
        self.stability = np.zeros(paths)
        self.bias = np.zeros(paths)
        self.product = np.zeros(paths)  # sum of <w_k, g_k>
        self.largest_step = 0.0

    def weights(self):
        """Return (paths, arms): w_k."""
        log = math.log(max(self.rounds, 3))
        rate = np.sqrt(self.num_actions * log / (self.gain_bound**2 + self.variance))
        self.rate = np.minimum(self.largest_rate, self.rate_scale * rate)
        self.weight = maximise(self.estimate, self.rate)
        return self.weight

    def update(self, action, gain) -> None:
        """Take in the gains of one round; `weights` must have been called."""
        importance, bias = self.take(self.weight, action, gain)
        increment = importance + bias
        c = self.rate[:, None] * self.weight * increment
        self.largest_step = max(self.largest_step, float(np.abs(c).max()))
        self.stability += ((-c - np.log1p(-c)) / self.rate[:, None]).sum(axis=1)
        self.bias += (self.weight * bias).sum(axis=1)
        self.product += (self.weight * increment).sum(axis=1)
        self.estimate += increment

    def penalty(self):
        """Return (paths,): A ln(K/A) / eta_K."""
        return self.num_actions * math.log(self.rounds / self.num_actions) / self.rate

    def pathwise_slack(self):
        """Return (paths, arms): right minus left side, for u = (1 - A/K) e_a + 1/K."""
        share = self.num_actions / self.rounds
        mean = self.estimate.mean(axis=1, keepdims=True)
        gained = (1 - share) * self.estimate + share * mean
        return (self.penalty() + self.stability + self.product)[:, None] - gained

    def allowance(self):
        """Return Delta."""
        return (self.deviation + self.range_ * self.num_actions) * self.gain_bound

    def worst_case_bound(self):
        """Return (paths,): the bound with a hat."""
        constant = (self.num_actions - 1) * self.gain_bound + self.allowance()
        return self.penalty() + self.stability + self.bias + constant

    def observed_bound(self):
        """Return (paths,): the observed bound."""
        return self.estimate.max(axis=1) - self.centred + self.allowance()

    def regret_bound(self):
        """Return (paths,): R_K."""
        if self.rounds < self.num_actions:
            return np.full(self.total.shape, self.rounds * self.gain_bound)
        smaller = np.minimum(self.observed_bound(), self.worst_case_bound())
        return np.clip(smaller, 0.0, self.rounds * self.gain_bound)
