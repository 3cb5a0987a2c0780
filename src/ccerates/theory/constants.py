"""Constants of the deviation lemma, of the empirical-variance bandit and of the certificates.

`PLAYED_*` belong to the importance-weighted lemma (one arm, weights 1/w); `DIRECT_*` to the same
lemma without importance weights. Both are derived in the paper's section on the bandit.
"""

import math
from typing import NamedTuple

from ccerates.errors import InputError

PLAYED_DEVIATION = 1.44
PLAYED_RANGE = 2.36
DIRECT_DEVIATION = 1.44
DIRECT_RANGE = 1.18
STABILITY_LIMIT = 0.68
PRACTICAL_DEVIATION = 0.25


class BanditConstants(NamedTuple):
    """Numbers that one empirical-variance bandit, and the certificate built on it, run with.

    Attributes
    ----------
    bias_deviation
        c_1 sqrt(iota), factor of sqrt(Q) in the variance bias.
    bias_range
        c_2 iota, factor of B rho in the variance bias.
    maximal_rate
        eta_max, upper limit of the learning rate, in 1/gain.
    lower_deviation, lower_range
        Factors of sqrt(V') and of B in the deviation of the lower value.
    """

    bias_deviation: float
    bias_range: float
    maximal_rate: float
    lower_deviation: float
    lower_range: float


def bandit_constants(
    constants: str, num_actions: int, rounds: int, gain_bound: float, failure: float
) -> BanditConstants:
    """Return the constants of the empirical-variance bandit.

    Parameters
    ----------
    constants
        ``"rigorous"``, for which the theorems hold, or ``"practical"``, which makes no claim of
        coverage.
    num_actions
        A, number of arms.
    rounds
        K, number of rounds.
    gain_bound
        B; gains lie in [0, B].
    failure
        delta, probability with which a bound of this bandit may fail.

    Returns
    -------
    BanditConstants

    Raises
    ------
    InputError
        If `constants` is neither.
    """
    if constants == "rigorous":
        iota = math.log(num_actions * _event_count(num_actions, rounds, failure) / failure)
        deviation, range_ = PLAYED_DEVIATION * math.sqrt(iota), PLAYED_RANGE * iota
        lower = (DIRECT_DEVIATION * math.sqrt(iota), DIRECT_RANGE * iota)
    elif constants == "practical":
        deviation, range_ = PRACTICAL_DEVIATION, 0.0
        lower = (PRACTICAL_DEVIATION, 0.0)
    else:
        raise InputError(f"constants is {constants!r}; expected rigorous or practical")
    maximal_rate = STABILITY_LIMIT / (gain_bound * (1.0 + deviation + range_))
    return BanditConstants(deviation, range_, maximal_rate, *lower)


def _event_count(num_actions: int, rounds: int, failure: float) -> float:
    """Return N: (levels of 1/w and rare-play events) times (levels of the summed squares)."""
    levels = 2.0 * math.log2(rounds / failure) + math.log2(num_actions) + 8.0
    return levels * (math.log2(rounds) + 7.0)


def direct_iota(num_events: int, rounds: int, failure: float) -> float:
    """Return iota of the lemma without importance weights, for `num_events` sums at once.

    Parameters
    ----------
    num_events
        Number of sums that the bound must cover.
    rounds
        K, number of terms of a sum.
    failure
        delta, probability with which any of the bounds may fail.
    """
    return math.log(num_events * (math.log2(rounds) + 7.0) / failure)
