"""Regret bound that the empirical-variance bandit proves from what it observed (Theorem A)."""

from typing import NamedTuple

import numpy as np

from ccerates.theory.constants import BanditConstants


class RegretTerms(NamedTuple):
    """Terms of the regret bound, each over the leading axes of the inputs.

    Attributes
    ----------
    penalty
        A ln(K/A) / eta_K.
    stability
        sum over rounds and arms of (-c - ln(1-c)) / eta_k, c = eta_k w_k g_k.
    bias
        sum over rounds of <w_k, b_k>.
    constant
        (A-1) B + (c_1 sqrt(iota) + c_2 iota A) B.
    regret_bound
        R_K, the smaller of the bound from these four terms and of the observed one; in [0, K B].
    pathwise_slack
        (..., A): right minus left side of the pathwise FTRL inequality for the comparator
        (1 - A/K) e_a + 1/K; never negative but for rounding.
    """

    penalty: np.ndarray
    stability: np.ndarray
    bias: np.ndarray
    constant: np.ndarray
    regret_bound: np.ndarray
    pathwise_slack: np.ndarray


def regret_terms(
    estimate: np.ndarray,
    centred: np.ndarray,
    stability: np.ndarray,
    bias: np.ndarray,
    final_rate: np.ndarray,
    rounds: int,
    gain_bound: float,
    constants: BanditConstants,
) -> RegretTerms:
    """Return the bound on max_a sum_k (mu_k(a) - x_k) and what it is made of.

    Parameters
    ----------
    estimate
        (..., A): G_K, the final gain estimates.
    centred
        (...): sum of x_k - m_k.
    stability, bias
        (...): the sums of `RegretTerms`.
    final_rate
        (...): eta_K.
    rounds
        K.
    gain_bound
        B.
    constants
        What the bandit ran with.

    Returns
    -------
    RegretTerms
    """
    num_actions = estimate.shape[-1]
    coverage = constants.bias_deviation + constants.bias_range * num_actions
    constant = np.full(centred.shape, (num_actions - 1.0 + coverage) * gain_bound)
    if rounds < num_actions:
        trivial = np.full(centred.shape, rounds * gain_bound)
        slack = np.full(estimate.shape, np.nan)
        return RegretTerms(np.zeros(centred.shape), stability, bias, constant, trivial, slack)
    penalty = num_actions * np.log(rounds / num_actions) / final_rate
    bound = penalty + stability + bias + constant
    observed = estimate.max(axis=-1) - centred + coverage * gain_bound
    regret_bound = np.clip(np.minimum(bound, observed), 0.0, rounds * gain_bound)
    share = num_actions / rounds
    comparator = (1.0 - share) * estimate + share * estimate.mean(axis=-1, keepdims=True)
    slack = (penalty + stability + centred + bias)[..., None] - comparator
    return RegretTerms(penalty, stability, bias, constant, regret_bound, slack)
