"""What a measured exponent says about the theory's, in a word.

A band holds the exponents that agree with the theory (`ccerates.theory.rates.Rate.band`:
theory +- tolerance where a lower bound matches, open on one side otherwise):

=================  ===================================================================
``confirmed``      the whole interval lies in a band that is closed on both sides
``within bound``   the whole interval lies in a band that is open on one side
``consistent``     the estimate lies in the band, the interval leaves it
``inconclusive``   the estimate lies outside, the interval reaches the band; or there is
                   no interval; or a cell in the fit's range was censored or below its
                   grid, so that the fit lacks a cell that it should have
``miss``           the whole interval lies outside the band
``not fitted``     fewer than two cells could be fitted
``no rate``        the algorithm has no rate to compare with
=================  ===================================================================
"""

import numpy as np

from ccerates.analysis.statistics import Estimate
from ccerates.theory.rates import Rate


def verdict(rate: Rate | None, axis: str, estimate: Estimate, *, complete: bool) -> str:
    """Say in a word what a measured exponent says about the theory's.

    Parameters
    ----------
    rate
        The algorithm's rate, if it has one.
    axis
        What was varied.
    estimate
        Measured exponent; NaN if it could not be fitted, NaN ends if it has no interval.
    complete
        Whether every valid cell in the fit's range was measured.

    Returns
    -------
    str
        One of the words in the module's table.
    """
    if not np.isfinite(estimate.value):
        return "not fitted"
    if rate is None:
        return "no rate"
    if not np.isfinite([estimate.low, estimate.high]).all():
        return "inconclusive"
    low, high = rate.band(axis)
    if estimate.high < low or estimate.low > high:
        return "miss"
    if not complete or not low <= estimate.value <= high:
        return "inconclusive"
    if not (low <= estimate.low and estimate.high <= high):
        return "consistent"
    return "confirmed" if axis in rate.two_sided else "within bound"
