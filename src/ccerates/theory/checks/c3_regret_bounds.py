"""C3: regret against the bound that EVB reports, and against the certificate of any bandit."""

from ccerates.bandits.arena import certificate
from ccerates.theory.checks.bandit_cell import BanditCell
from ccerates.theory.checks.record import CONFIDENCE, INFORMATIVE, Check, CheckResult

REGRET_BOUND = Check(
    "C3 regret bound",
    "With probability 1 - delta the regret of EVB, max_a sum_k (mu_k(a) - x_k), is at most the "
    "R_K that it computes from what it observed.",
)
CERTIFICATE = Check(
    "C3 any-learner certificate",
    "With probability 1 - delta the regret of any bandit is at most max_a [sum_k Y_k(a) + "
    "c_1 sqrt(iota Q_K(a)) + c_2 iota B rho_K(a)] - sum_k (x_k - m_k).",
)
CHECKS = (REGRET_BOUND, CERTIFICATE)


def check_bandits(cell: BanditCell) -> list[CheckResult]:
    """Check every run; R_K promises nothing with practical constants, the certificate always does.

    Parameters
    ----------
    cell
        The runs.

    Returns
    -------
    list of CheckResult
        For EVB two for each run, for other bandits one.
    """
    scale = cell.rounds * cell.gain_bound
    common = (cell.label, cell.names, cell.regret)
    bound = certificate(cell.runs, cell.rounds, cell.gain_bound, cell.failure)
    results = CERTIFICATE.results(CONFIDENCE, *common, bound, scale)
    if cell.is_evb:
        kind = CONFIDENCE if cell.is_rigorous else INFORMATIVE
        results += REGRET_BOUND.results(kind, *common, cell.regret_terms.regret_bound, scale)
    return results
