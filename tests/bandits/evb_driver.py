"""Compiled runs of one EVB in each lane against a table of gains, with every round recorded."""

from functools import cache
from typing import NamedTuple

import numpy as np

from ccerates.bandits import evb
from ccerates.bandits.evb_bounds import regret_terms
from ccerates.compilation import kernel
from ccerates.lanes import broadcast, gather, load, select, store

LANES = 4


class Run(NamedTuple):
    """What `play` returns; arrays end in an axis over lanes.

    Attributes
    ----------
    weight
        (rounds, actions, LANES): w_k.
    estimate
        (rounds + 1, actions, LANES): G_0 .. G_K.
    rate
        (rounds, LANES): eta_k.
    action
        (rounds, LANES).
    gain
        (rounds, LANES).
    sums
        (evb.NUM_SUMS, LANES): the bandit's running sums at the end.
    """

    weight: np.ndarray
    estimate: np.ndarray
    rate: np.ndarray
    action: np.ndarray
    gain: np.ndarray
    sums: np.ndarray


@cache
def _build():
    lanes = LANES  # a constant of the kernel

    @kernel
    def run(table, spite, uniforms, numbers, weight, estimate, rate, action, gain, sums):
        bound, rate_numerator, maximal_rate, bias_deviation, bias_range = numbers
        rounds, count = table.shape
        bandit = evb.allocate(1, count, lanes)
        evb.reset(bandit, np.array([count]), bound)
        rows = np.empty((count, lanes))
        estimate[0] = 0.0
        for k in range(rounds):
            evb.compute_weights(
                bandit, 0, count, lanes, maximal_rate, rate_numerator, bound * bound
            )
            actions = evb.draw_actions(bandit, 0, count, lanes, load(uniforms, (k,), lanes))
            for arm in range(count):
                rows[arm] = table[k, arm]
            gains = gather(rows, (), actions)
            if spite:
                likely = gather(bandit.weight, (0,), actions) > 1.0 / count
                gains = select(likely, 0.0, gains)
            centred = evb.centred_gains(
                load(bandit.sums, (0, evb.SUM_GAIN), lanes), gains, k, bound
            )
            range_ = broadcast(bias_range, lanes)
            evb.update(
                bandit, 0, count, lanes, bound, bias_deviation, range_, gains, centred, actions
            )
            weight[k] = bandit.weight[0]
            rate[k] = bandit.rate[0]
            estimate[k + 1] = bandit.estimate[0]
            store(action, (k,), actions)
            store(gain, (k,), gains)
        sums[:] = bandit.sums[0]

    return run


def play(table, constants, *, gain_bound, rate_scale=1.0, spite=False, seed=0):
    """Run bandits on ``table[round, action]``; with `spite` likely actions gain nothing."""
    rounds, count = table.shape
    shape = (rounds, LANES)
    result = Run(
        np.empty((rounds, count, LANES)),
        np.empty((rounds + 1, count, LANES)),
        np.empty(shape),
        np.empty(shape, np.int64),
        np.empty(shape),
        np.empty((evb.NUM_SUMS, LANES)),
    )
    uniforms = np.random.default_rng(seed).random(shape)
    numerator = rate_scale * np.sqrt(count * np.log(max(rounds, 3)))
    numbers = (gain_bound, numerator, *constants[2:3], *constants[:2])
    _build()(table, spite, uniforms, tuple(map(float, numbers)), *result)
    return result


def terms_of(run, constants, gain_bound):
    """Return the library's `RegretTerms` of every lane."""
    return regret_terms(
        run.estimate[-1].T,
        run.sums[evb.SUM_CENTRED],
        run.sums[evb.SUM_STABILITY],
        run.sums[evb.SUM_BIAS],
        run.rate[-1],
        len(run.rate),
        gain_bound,
        constants,
    )
