"""C2: the deviation lemma, whatever bandit played."""

import numpy as np

from ccerates.theory.checks.bandit_cell import RIGOROUS, BanditCell
from ccerates.theory.checks.record import CONFIDENCE, Check, CheckResult

DEVIATION = Check(
    "C2 deviation lemma",
    "With probability 1 - delta, for every arm a of any bandit, sum_k (mu_k(a) - m_k) <= "
    "sum_k Y_k(a) + c_1 sqrt(iota sum_k Y_k(a)^2) + c_2 iota B rho_K(a).",
)
CHECKS = (DEVIATION,)


def check_bandits(cell: BanditCell) -> list[CheckResult]:
    """Check every run, with the rigorous constants whatever the bandit's own are.

    Parameters
    ----------
    cell
        The runs.

    Returns
    -------
    list of CheckResult
    """
    runs, constants = cell.runs, cell.constants(RIGOROUS)
    # Q_K starts from B^2, the lemma's sum of squares from nothing.
    squares = np.maximum(runs.square - cell.gain_bound**2, 0.0)
    rhs = (
        runs.estimate_sum
        + constants.bias_deviation * np.sqrt(squares)
        + constants.bias_range * cell.gain_bound * runs.range_
    )
    scale = cell.rounds * cell.gain_bound
    return DEVIATION.results(CONFIDENCE, cell.label, cell.names, runs.mean_sum, rhs, scale)
