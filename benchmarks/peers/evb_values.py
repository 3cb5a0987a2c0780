"""What EVB-sim makes of the sums that a player's bandit leaves at a state; practical constants."""

import math
from typing import NamedTuple

import numpy as np

DEVIATION = 0.25
"""Factor of the variance bias, and of the deviation of the lower value."""


class Sums(NamedTuple):
    """Sums over the rounds, arrays of one shape: gains, centred gains, stability, bias, lower."""

    gain: np.ndarray
    centred: np.ndarray
    stability: np.ndarray
    bias: np.ndarray
    lower_gain: np.ndarray
    lower_variance: np.ndarray


class Learnt(NamedTuple):
    """What a peer returns: policy over joint actions, upper and lower values of the players."""

    policy: np.ndarray
    upper: np.ndarray
    lower: np.ndarray


def maximal_rate(bound: float) -> float:
    """Return eta_max for gains in [0, bound]."""
    return 0.68 / (bound * (1 + DEVIATION))


def rate_numerator(num_actions: int, rounds: int) -> float:
    """Return sqrt(A ln max(K, 3)): the rate is this by sqrt(B^2 + V)."""
    return math.sqrt(num_actions * math.log(max(rounds, 3)))


def values(
    sums: Sums, estimate: np.ndarray, rate: np.ndarray, rounds: int, bound: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return upper and lower values.

    Parameters
    ----------
    sums
        Of a player at one state or many.
    estimate
        (..., actions): final estimates of the gains.
    rate
        (...): learning rate of the last round.
    rounds
        K.
    bound
        B.
    """
    actions = estimate.shape[-1]
    covered = DEVIATION * bound
    penalty = actions * np.log(rounds / actions) / rate
    by_terms = penalty + sums.stability + sums.bias + (actions - 1) * bound + covered
    observed = estimate.max(axis=-1) - sums.centred + covered
    regret = np.clip(np.minimum(by_terms, observed), 0.0, rounds * bound)
    upper = np.minimum((sums.gain + regret) / rounds, bound)
    deviation = DEVIATION * np.sqrt(sums.lower_variance)
    return upper, np.maximum((sums.lower_gain - deviation) / rounds, 0.0)
