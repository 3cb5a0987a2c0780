"""Bandits against a table of mean gains in plain NumPy, many runs at once, with all audit sums."""

import math
from types import SimpleNamespace

import numpy as np

from ccerates.bandits.arena import BanditRuns


def rigorous_factors(num_actions, rounds, failure):
    """Return c_1 sqrt(iota) and c_2 iota as the paper writes them."""
    events = (2 * math.log2(rounds / failure) + math.log2(num_actions) + 8) * (
        math.log2(rounds) + 7
    )
    iota = math.log(num_actions * events / failure)
    return 1.44 * math.sqrt(iota), 2.36 * iota


def log_barrier(estimate, rate):
    """Return argmax_w <G, w> + (1/eta) sum ln w for every row of G, by bisection."""
    shifted = estimate - estimate.max(axis=1, keepdims=True)
    low = 1.0 / rate[:, None]
    high = shifted.shape[1] / rate[:, None]
    for _ in range(60):
        middle = 0.5 * (low + high)
        large = (1.0 / (middle - shifted)).sum(axis=1, keepdims=True) > rate[:, None]
        low, high = np.where(large, middle, low), np.where(large, high, middle)
    weight = 1.0 / (high - shifted)
    return weight / weight.sum(axis=1, keepdims=True)


def simulate(
    means, runs, *, bandit="evb", factors=(0.25, 0.0), gain_bound=1.0, sign=1.0, weighted=True
):
    """Play ``means[round, action]`` in [0, 1]: a gain is B with that probability, else 0.

    `bandit` is evb, or exp3 (exponential weights on centred estimates, mixed with 10 % uniform
    play). `factors` are EVB's c_1 sqrt(iota) and c_2 iota. Errors to plant: with sign -1 EVB
    prefers what did badly; unless `weighted`, estimates forget to divide by the probability.
    """
    rounds, arms = means.shape
    generator = np.random.default_rng(runs)
    every = np.arange(runs)
    limit = 0.68 / (gain_bound * (1.0 + sum(factors)))
    s = SimpleNamespace(
        **{name: np.zeros(runs) for name in ("gain", "centred", "variance", "stability", "bias")},
        **{name: np.zeros((runs, arms)) for name in ("mean_sum", "estimate", "total")},
        square=np.full((runs, arms), gain_bound**2),
        range_=np.full((runs, arms), float(arms)),
    )
    for k in range(rounds):
        rate = np.minimum(
            limit,
            np.sqrt(arms * math.log(max(rounds, 3)) / (gain_bound**2 + s.variance)),
        )
        if bandit == "evb":
            weight = log_barrier(sign * s.total, rate)
        else:
            size = math.sqrt(math.log(arms) / (arms * rounds)) / gain_bound
            powers = np.exp(size * (s.estimate - s.estimate.max(axis=1, keepdims=True)))
            weight = 0.9 * powers / powers.sum(axis=1, keepdims=True) + 0.1 / arms
        cumulative = weight.cumsum(axis=1)[:, :-1]
        action = (generator.random((runs, 1)) >= cumulative).sum(axis=1)
        gain = gain_bound * (generator.random(runs) < means[k, action])
        centre = s.gain / k if k else np.full(runs, 0.5 * gain_bound)
        played = np.zeros((runs, arms))
        played[every, action] = gain - centre
        if weighted:
            played /= weight
        root, range_ = np.sqrt(s.square), s.range_
        s.square = s.square + played**2
        s.range_ = np.maximum(range_, 1.0 / weight)
        bias = factors[0] * (np.sqrt(s.square) - root)
        bias += factors[1] * gain_bound * (s.range_ - range_)
        c = rate[:, None] * weight * (played + bias)
        s.stability += ((-c - np.log1p(-c)) / rate[:, None]).sum(axis=1)
        s.bias += (weight * bias).sum(axis=1)
        s.total += played + bias
        s.estimate += played
        s.mean_sum += gain_bound * means[k] - centre[:, None]
        s.gain += gain
        s.centred += gain - centre
        s.variance += (gain - centre) ** 2
    own = 1.0 if bandit == "evb" else np.nan
    return BanditRuns(
        gain=s.gain,
        centred=s.centred,
        played_variance=s.variance,
        mean_sum=s.mean_sum,
        estimate_sum=s.estimate,
        square=s.square,
        range_=s.range_,
        final_rate=own * rate,
        stability=own * s.stability,
        bias=own * s.bias,
        final_estimate=own * s.total,
    )


def describe(runs, rounds, *, bandit="evb", constants="rigorous", gain_bound=1.0, failure=0.05):
    """Return the metadata of simulated runs."""
    return {
        "label": bandit if constants == "published" else f"{bandit}-{constants}",
        "bandit": bandit,
        "constants": constants,
        "adversary": "table",
        "rounds": rounds,
        "num_actions": runs.mean_sum.shape[1],
        "gain_bound": gain_bound,
        "failure": failure,
    }
