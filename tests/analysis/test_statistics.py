"""Bootstrap intervals against textbook formulas, a second implementation and coverage."""

import numpy as np
import pytest
from scipy.stats import norm

from ccerates.analysis.statistics import bootstrap, weighted_slope

SEED = np.random.SeedSequence(7)


def _mean_interval(data: np.ndarray, seed: np.random.SeedSequence = SEED, resamples: int = 4000):
    return bootstrap(lambda places: data[places].mean(axis=-1), [data.size], seed, resamples)


def test_bca_agrees_with_efrons_formula() -> None:
    data = np.random.default_rng(1).lognormal(size=20)
    estimate = _mean_interval(data)
    drawn = np.sort(estimate.distribution)
    bias = norm.ppf(np.mean(drawn < data.mean()))
    deleted = np.array([np.delete(data, place).mean() for place in range(data.size)])
    influence = deleted.mean() - deleted
    skew = np.sum(influence**3) / (6.0 * np.sum(influence**2) ** 1.5)
    levels = [
        norm.cdf(bias + (bias + z) / (1.0 - skew * (bias + z))) for z in norm.ppf([0.025, 0.975])
    ]
    assert estimate.method == "bca"
    assert [estimate.low, estimate.high] == pytest.approx(np.quantile(drawn, levels), rel=1e-6)
    assert estimate.value == pytest.approx(data.mean())


def test_difference_of_two_samples_matches_the_normal_interval() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.normal(5.0, 2.0, size=400), rng.normal(1.0, 3.0, size=300)
    estimate = bootstrap(
        lambda one, two: first[one].mean(axis=-1) - second[two].mean(axis=-1),
        [400, 300],
        SEED,
        5000,
    )
    error = np.sqrt(first.var() / 400 + second.var() / 300)
    centre = first.mean() - second.mean()
    assert estimate.low == pytest.approx(centre - 1.96 * error, abs=0.1 * error)
    assert estimate.high == pytest.approx(centre + 1.96 * error, abs=0.1 * error)


def test_coverage_on_skewed_data_is_near_the_level() -> None:
    rng = np.random.default_rng(3)
    data = rng.gamma(2.0, size=(300, 40))
    seeds = SEED.spawn(300)
    intervals = [_mean_interval(row, seed, 600) for row, seed in zip(data, seeds, strict=True)]
    covered = np.mean([interval.low <= 2.0 <= interval.high for interval in intervals])
    assert 0.90 <= covered <= 0.975


def test_the_seed_decides() -> None:
    data = np.random.default_rng(4).normal(size=20)
    first, again, other = (
        _mean_interval(data, np.random.SeedSequence(seed), 200) for seed in (1, 1, 2)
    )
    assert (first.low, first.high) == (again.low, again.high)
    assert (first.low, first.high) != (other.low, other.high)


def test_degenerate_data_fall_back_to_the_percentile_interval() -> None:
    estimate = _mean_interval(np.full(20, 0.5))
    assert (estimate.low, estimate.high, estimate.method) == (0.5, 0.5, "percentile")


def test_one_replicate_has_no_interval() -> None:
    estimate = _mean_interval(np.array([0.5]))
    assert estimate.method == "none"
    assert np.isnan([estimate.low, estimate.high]).all()


def test_weighted_slope_agrees_with_polyfit() -> None:
    rng = np.random.default_rng(5)
    x, y, weights = rng.normal(size=6), rng.normal(size=(3, 6)), rng.uniform(0.1, 3.0, size=6)
    expected = np.polyfit(x, y.T, 1, w=np.sqrt(weights))[0]
    assert weighted_slope(x, y, weights) == pytest.approx(expected, rel=1e-9)
