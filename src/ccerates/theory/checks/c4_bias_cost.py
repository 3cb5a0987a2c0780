"""C4: what the variance bias of EVB costs, in every run."""

import numpy as np

from ccerates.theory.checks.bandit_cell import BanditCell
from ccerates.theory.checks.learner_run import LearnerRun
from ccerates.theory.checks.record import DETERMINISTIC, Check, CheckResult
from ccerates.theory.constants import bandit_constants

BIAS_COST = Check(
    "C4 bias cost",
    "The bias of EVB costs sum_k <w_k, b_k> <= c_1 sqrt(iota V_K sum_a ln(Q_K(a)/B^2)) + "
    "c_2 iota B sum_a ln(rho_K(a)/A).",
)
CHECKS = (BIAS_COST,)


def bias_cost_bound(
    played_variance: np.ndarray,
    square: np.ndarray,
    range_: np.ndarray,
    gain_bound: np.ndarray | float,
    bias_deviation: float,
    bias_range: float,
) -> np.ndarray:
    """Return the bound; the paper's sum over arms of sqrt(V^(a) ln), by Cauchy-Schwarz.

    Parameters
    ----------
    played_variance
        (...): V_K.
    square, range_
        (..., A): Q_K(a) and rho_K(a).
    gain_bound
        (...): B.
    bias_deviation, bias_range
        c_1 sqrt(iota) and c_2 iota.

    Returns
    -------
    numpy.ndarray
        (...).
    """
    bound = np.asarray(gain_bound)
    squares = np.log(square / bound[..., None] ** 2).sum(axis=-1)
    ranges = np.log(range_ / square.shape[-1]).sum(axis=-1)
    cost = bias_deviation * np.sqrt(played_variance * squares) + bias_range * bound * ranges
    return np.asarray(cost)


def check_learner(run: LearnerRun) -> list[CheckResult]:
    """Check every bandit of a run of EVB-sim.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CheckResult
        Empty for other algorithms.
    """
    trace, result = run.evb_trace, run.result
    if trace is None:
        return []
    # As in EVB-sim: delta is shared out over players, steps and states.
    failure = result.failure / trace.bias[..., 0].size / run.game.num_players
    rhs = np.empty(trace.bias.shape)
    for player, count in enumerate(run.game.num_actions):
        # The two factors of the bias do not depend on the range of the gains.
        factors = bandit_constants(result.constants, count, result.rounds, 1.0, failure)[:2]
        rhs[..., player] = bias_cost_bound(
            trace.played_variance[..., player],
            trace.square[..., player, :count],
            trace.range_[..., player, :count],
            run.gain_bound[..., 0],
            *factors,
        )
    sides = trace.bias[None], rhs[None], (run.gain_bound + rhs)[None]
    return BIAS_COST.results(DETERMINISTIC, result.algorithm, [run.name], *sides)


def check_bandits(cell: BanditCell) -> list[CheckResult]:
    """Check every run of EVB.

    Parameters
    ----------
    cell
        The runs.

    Returns
    -------
    list of CheckResult
        Empty for other bandits.
    """
    if not cell.is_evb:
        return []
    runs, bound = cell.runs, cell.gain_bound
    rhs = bias_cost_bound(
        runs.played_variance, runs.square, runs.range_, bound, *cell.own_constants[:2]
    )
    return BIAS_COST.results(DETERMINISTIC, cell.label, cell.names, runs.bias, rhs, bound + rhs)
