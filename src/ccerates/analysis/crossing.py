"""The last downward crossing of a curve through its target.

A curve of gaps over a budget grid is taken as straight between neighbours on logarithmic axes. It
reaches its target at the last place where it comes down through it, that is where it gets below
for good: some learners' curves rise first, so an earlier crossing would flatter them.
"""

from typing import NamedTuple

import numpy as np

from ccerates.analysis.runs import Cell

FLOOR = 0.1
"""Gaps below this share of the target count as this share. Gaps may be zero or negative; on
logarithmic axes a very small one would pull the crossing to the budget before it."""


class Crossing(NamedTuple):
    """Where curves cross their target for the last time.

    Attributes
    ----------
    log_samples
        (...) float64 ln(samples); the end of the grid for curves that do not cross.
    ends_above, stays_below
        (...) bool: curves without a crossing, by the side they are on.
    """

    log_samples: np.ndarray
    ends_above: np.ndarray
    stays_below: np.ndarray


def last_crossing(samples: np.ndarray, gap: np.ndarray, target: float) -> Crossing:
    """Find the last downward crossing of curves by log-log interpolation.

    Parameters
    ----------
    samples
        (budgets,) float64, positive and increasing.
    gap
        (..., budgets) float64.
    target
        Gap to reach, positive.

    Returns
    -------
    Crossing
    """
    log_samples = np.log(samples)
    log_gap = np.log(np.maximum(gap, FLOOR * target))
    above = log_gap > np.log(target)
    num_budgets = samples.size
    stays_below = ~above.any(axis=-1)
    ends_above = above[..., -1]
    last_above = num_budgets - 1 - np.argmax(above[..., ::-1], axis=-1)
    crosses = ~(stays_below | ends_above)
    before = np.where(crosses, last_above, 0)[..., None]
    after = np.minimum(before + 1, num_budgets - 1)
    gap_before = np.take_along_axis(log_gap, before, axis=-1)[..., 0]
    gap_after = np.take_along_axis(log_gap, after, axis=-1)[..., 0]
    drop = np.where(crosses, gap_before - gap_after, 1.0)
    share = (gap_before - np.log(target)) / drop
    left, right = log_samples[before[..., 0]], log_samples[after[..., 0]]
    at = np.where(crosses, left + share * (right - left), log_samples[0])
    return Crossing(np.where(ends_above, log_samples[-1], at), ends_above, stays_below)


def log_samples_to_target(cell: Cell, replicates: np.ndarray) -> np.ndarray:
    """Return ln(samples to target) of the mean curves of (re)sampled replicates.

    Parameters
    ----------
    cell
        The runs.
    replicates
        (..., n) int: positions of replicates.

    Returns
    -------
    numpy.ndarray
        (...) float64; the end of the grid for curves that do not cross.
    """
    return last_crossing(cell.samples, cell.mean_gap(replicates), cell.target).log_samples
