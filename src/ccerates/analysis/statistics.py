"""Bootstrap over replicates, intervals of probabilities and weighted straight lines.

Cells of a sweep are independent samples and are resampled independently; algorithms in one cell
ran on the same games, so a statistic that compares them gets the same resampled replicates for
both. Intervals are BCa (Efron 1987). BCa is undefined on degenerate data, for example when all
replicates agree; then the percentile interval is taken and the method says so.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

CONFIDENCE = 0.95
"""Confidence level of every interval."""


class Estimate(NamedTuple):
    """A statistic with its bootstrap interval.

    Attributes
    ----------
    value
        The statistic of the data.
    low, high
        Ends of the interval; NaN if `method` is ``"none"``.
    method
        ``"bca"``, ``"percentile"``, or ``"none"`` for fewer than two replicates.
    distribution
        (resamples,) float64 bootstrap distribution; empty if `method` is ``"none"``.
    """

    value: float
    low: float
    high: float
    method: str
    distribution: np.ndarray


def bootstrap(
    statistic: Callable[..., np.ndarray],
    sizes: Sequence[int],
    seed: np.random.SeedSequence,
    resamples: int,
) -> Estimate:
    """Return a statistic of several independent samples with its interval.

    Parameters
    ----------
    statistic
        Takes one integer array (..., n_j) for each sample j, positions of (re)sampled replicates,
        and returns float64 of shape (...). It must be finite whatever is drawn.
    sizes
        Number of replicates of each sample.
    seed
        Stream of the resampling; equal seeds give equal intervals.
    resamples
        Number of bootstrap resamples, at least 1.

    Returns
    -------
    Estimate
    """
    positions = tuple(np.arange(size) for size in sizes)
    value = float(statistic(*positions))
    if min(sizes) < 2:
        return Estimate(value, np.nan, np.nan, "none", np.empty(0))

    def along_last_axis(*resampled: np.ndarray, **_axis: int) -> np.ndarray:
        return statistic(*resampled)

    percentile = stats.bootstrap(
        positions,
        along_last_axis,
        n_resamples=resamples,
        vectorized=True,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        bca = stats.bootstrap(
            positions,
            along_last_axis,
            n_resamples=0,
            vectorized=True,
            confidence_level=CONFIDENCE,
            method="BCa",
            bootstrap_result=percentile,
        )
    defined = np.isfinite(bca.confidence_interval).all()
    chosen, method = (bca, "bca") if defined else (percentile, "percentile")
    low, high = chosen.confidence_interval
    return Estimate(value, float(low), float(high), method, percentile.bootstrap_distribution)


def weighted_slope(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the slope of the weighted least-squares line.

    Parameters
    ----------
    x, weights
        (points,) abscissae, not all equal, and positive weights.
    y
        (..., points) ordinates.

    Returns
    -------
    numpy.ndarray
        (...) slopes.
    """
    shares = weights / weights.sum()
    centred = x - shares @ x
    slope: np.ndarray = (y @ (shares * centred)) / (shares @ centred**2)
    return slope


def clopper_pearson(violations: int, runs: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a probability.

    Parameters
    ----------
    violations
        Number of runs in which the event happened.
    runs
        Number of runs, at least 1.

    Returns
    -------
    low, high : float
    """
    test = stats.binomtest(violations, runs)
    interval = test.proportion_ci(confidence_level=CONFIDENCE, method="exact")
    return float(interval.low), float(interval.high)
