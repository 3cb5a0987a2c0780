"""C1: the pathwise inequality of follow-the-regularised-leader, in every run of EVB."""

import numpy as np

from ccerates.theory.checks.bandit_cell import BanditCell
from ccerates.theory.checks.learner_run import LearnerRun
from ccerates.theory.checks.online_run import OnlineRun
from ccerates.theory.checks.record import DETERMINISTIC, Check, CheckResult

PATHWISE = Check(
    "C1 pathwise inequality",
    "For every arm a and u = (1 - A/K) e_a + 1/K, the gain estimates of EVB satisfy "
    "sum_k <u - w_k, g_k> <= A ln(K/A)/eta_K + sum_k sum_a phi(eta_k w_k(a) g_k(a))/eta_k.",
)
CHECKS = (PATHWISE,)


def check_learner(run: LearnerRun) -> list[CheckResult]:
    """Check every bandit of a run of EVB-sim that had at least as many rounds as arms.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CheckResult
        Empty for other algorithms.
    """
    trace = run.evb_trace
    counts = np.array(run.game.num_actions)
    enough = run.own_actions & (run.result.rounds >= counts)[:, None]
    if trace is None or not enough.any():
        return []
    slack = trace.pathwise_slack
    places = np.broadcast_to(enough, slack.shape)
    rhs = np.broadcast_to((trace.penalty + trace.stability)[..., None], slack.shape)
    # Estimates are sums of which sqrt(Q) is the typical size: what rounding is a share of.
    scale = rhs + trace.bias[..., None] + np.sqrt(trace.square)
    lhs = rhs - slack
    sides = (values[places][None] for values in (lhs, rhs, scale))
    return PATHWISE.results(DETERMINISTIC, run.result.algorithm, [run.name], *sides)


def check_online(run: OnlineRun) -> list[CheckResult]:
    """Check all bandits of a run of EVB-online: one for each stage, step, state and player.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CheckResult
        Empty for other algorithms, and if no stage had as many visits as a player has arms.
    """
    trace = run.evb_trace
    enough = run.longest_stage[..., None] >= np.array(run.game.num_actions)
    if trace is None or not enough.any():
        return []
    slack, rhs, scale = (
        values[enough]
        for values in (trace.pathwise_slack, trace.pathwise_right_side, trace.pathwise_scale)
    )
    sides = (values[None] for values in (rhs - slack, rhs, scale))
    return PATHWISE.results(DETERMINISTIC, run.result.algorithm, [run.name], *sides)


def check_bandits(cell: BanditCell) -> list[CheckResult]:
    """Check every run of EVB; needs at least as many rounds as arms.

    Parameters
    ----------
    cell
        The runs.

    Returns
    -------
    list of CheckResult
        Empty for other bandits.
    """
    if not cell.is_evb or cell.rounds < cell.num_actions:
        return []
    terms = cell.regret_terms
    rhs = (terms.penalty + terms.stability)[:, None]
    scale = rhs + terms.bias[:, None] + np.sqrt(cell.runs.square)
    return PATHWISE.results(
        DETERMINISTIC, cell.label, cell.names, rhs - terms.pathwise_slack, rhs, scale
    )
