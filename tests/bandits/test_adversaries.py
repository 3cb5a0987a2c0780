"""Adversaries against their formulas, by enumeration of the numbers that decide gains."""

from functools import cache

import numpy as np
import pytest

from bandits.bandit_twins import gain_table
from ccerates.bandits.adversaries import (
    ADVERSARIES,
    AdaptiveOptions,
    HighVarianceOptimumOptions,
    LateOptimumOptions,
    StochasticOptions,
    SwitchingOptions,
    make_schedule,
)
from ccerates.bandits.rounds import SUM_GAIN, collect_gains, start_audit
from ccerates.compilation import kernel
from ccerates.errors import InputError
from ccerates.lanes import load, store

LANES, COUNT, ROUNDS, BOUND = 4, 3, 90, 2.0
GRID = 1000


@cache
def _build():
    lanes = LANES

    @kernel
    def gains_of(schedule, phase, weight, action, uniforms, audit, played_rounds, bound, out):
        count = weight.shape[0]
        for row in range(uniforms.shape[0]):
            gains = collect_gains(
                schedule,
                phase,
                weight,
                count,
                lanes,
                played_rounds,
                bound,
                load(action, (0,), lanes),
                load(uniforms, (row,), lanes),
                audit,
            )
            store(out, (row,), gains)

    return gains_of


def enumerate_round(adversary, options, k, weights, action):
    """Return the gains on a grid of uniform numbers, and mu_k(a) - m_k as the audit has it."""
    schedule = make_schedule(adversary, options, num_actions=COUNT, rounds=ROUNDS, gain_bound=BOUND)
    phase = int(np.searchsorted(schedule.start, k, side="right")) - 1
    uniforms = (np.arange(GRID) + 0.5)[:, None].repeat(LANES, axis=1) / GRID
    columns = np.repeat(np.array(weights)[:, None], LANES, axis=1)
    actions, out = np.full((1, LANES), action), np.empty((GRID, LANES))
    audit = start_audit(COUNT, LANES, BOUND)
    _build()(schedule, phase, columns, actions, uniforms[:1], audit, 0, BOUND, out[:1])
    mean = audit.mean_sum[:, 0].copy() + BOUND / 2  # m_1 = B/2
    _build()(schedule, phase, columns, actions, uniforms, audit, 0, BOUND, out)
    assert audit.sums[SUM_GAIN, 0] == pytest.approx(out[:, 0].sum() + out[0, 0])
    return out[:, 0], mean


@pytest.mark.parametrize("adversary", ADVERSARIES)
@pytest.mark.parametrize("k", [0, 29, 30, 44, 45, 89])
def test_mean_is_the_exact_mean_of_gains_and_that_of_the_formula(adversary, k) -> None:
    for weights in ([1 / 3, 1 / 3, 1 / 3], [0.9, 0.06, 0.04], [0.001, 0.999 - 1e-7, 1e-7]):
        low, high, chance = gain_table(adversary, COUNT, ROUNDS, k, np.array(weights))
        for action in range(COUNT):
            gains, mean = enumerate_round(adversary, None, k, weights, action)
            np.testing.assert_allclose(mean, BOUND * (low + (high - low) * chance), rtol=1e-12)
            # The grid resolves probabilities to 1/GRID.
            assert abs(gains.mean() - mean[action]) <= np.ptp(gains) / GRID + 1e-12
            values = {float(value) for value in BOUND * np.array([low[action], high[action]])}
            assert all(min(abs(gain - v) for v in values) < 1e-12 for gain in set(gains))
            assert gains.min() >= 0.0
            assert gains.max() <= BOUND


@pytest.mark.parametrize(
    ("adversary", "options"),
    [
        ("stochastic", StochasticOptions(gap=1.0, noise=0.0)),
        ("stochastic", StochasticOptions(gap=0.0, noise=0.5)),
        ("switching", SwitchingOptions(noise=0.5)),
        ("late-optimum", LateOptimumOptions(noise=0.1)),
        ("high-variance-optimum", HighVarianceOptimumOptions(gap=0.5, noise=0.5)),
        ("adaptive", AdaptiveOptions(gap=0.5, punishment=10.0)),
    ],
)
def test_extreme_options_keep_gains_and_means_in_range(adversary, options) -> None:
    for k in (0, 89):
        for weights in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]):
            for action in range(COUNT):
                gains, mean = enumerate_round(adversary, options, k, weights, action)
                assert ((mean >= -1e-12) & (mean <= BOUND + 1e-12)).all()
                assert ((gains >= 0.0) & (gains <= BOUND)).all()
                assert abs(gains.mean() - mean[action]) <= np.ptp(gains) / GRID + 1e-12


def test_noise_is_the_standard_deviation() -> None:
    gains, _ = enumerate_round("stochastic", StochasticOptions(noise=0.03), 0, [1 / 3] * 3, 1)
    assert gains.std() == pytest.approx(0.03 * BOUND, rel=1e-9)


def test_best_arm_in_hindsight() -> None:
    """Sums of means at uniform play: what the docstrings say of arm 0."""
    totals = {}
    for adversary in ADVERSARIES:
        rows = []
        for k in range(ROUNDS):
            low, high, chance = gain_table(adversary, COUNT, ROUNDS, k, np.full(COUNT, 1 / COUNT))
            rows.append(low + (high - low) * chance)
        totals[adversary] = np.sum(rows, axis=0)
        assert totals[adversary][0] > totals[adversary][1]
    assert totals["switching"][0] == pytest.approx(60.0)
    assert totals["late-optimum"][0] == pytest.approx(54.0)
    # Late: up to two thirds of the rounds the others are ahead or equal.
    assert 45 * 0.3 + 15 * 0.9 < 60 * 0.5


@pytest.mark.parametrize(
    ("options", "values", "message"),
    [
        (StochasticOptions, {"gap": -0.1}, "stochastic: gap"),
        (SwitchingOptions, {"noise": 0.6}, "switching: noise"),
        (LateOptimumOptions, {"noise": 0.2}, "late-optimum: noise"),
        (HighVarianceOptimumOptions, {"gap": 0.6}, "high-variance-optimum: gap"),
        (HighVarianceOptimumOptions, {"noise": "a"}, "high-variance-optimum: noise"),
        (AdaptiveOptions, {"gap": 0.6}, "adaptive: gap"),
        (AdaptiveOptions, {"punishment": -1.0}, "adaptive: punishment"),
    ],
)
def test_bad_options_are_named(options, values, message) -> None:
    with pytest.raises(InputError, match=message):
        options(**values)
