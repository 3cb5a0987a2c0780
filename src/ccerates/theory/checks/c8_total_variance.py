"""C8: total variance, of the output policy in the true game and of the empirical chain."""

import numpy as np

from ccerates.evaluation.variance import return_variance, total_variance
from ccerates.theory.checks.learner_run import LearnerRun, chain_sum
from ccerates.theory.checks.record import DETERMINISTIC, Check, CheckResult

TOTAL_VARIANCE = Check(
    "C8 law of total variance",
    "From every start state, sum_h E_pi Var(r_h + V^pi_{h+1} | s_h) is the variance of the return.",
    "=",
)
RETURN_VARIANCE = Check(
    "C8 variance of the return",
    "From every start state, sum_h E_pi Var(r_h + V^pi_{h+1} | s_h) <= H^2 / 4.",
)
UPPER_CHAIN = Check(
    "C8 upper chain",
    "From every step and state, with v the upper value and B the steps left, the empirical chain's "
    "expected sum of Var(r + upper value) is at most 2 B v - v^2, hence at most B^2.",
)
LOWER_CHAIN = Check(
    "C8 lower chain",
    "From every step and state, with v the lower value and B the steps left, the empirical chain's "
    "expected sum of Var(r + lower value) is at most B^2 - v^2.",
)
CHECKS = (TOTAL_VARIANCE, RETURN_VARIANCE, UPPER_CHAIN, LOWER_CHAIN)


def check_learner(run: LearnerRun) -> list[CheckResult]:
    """Check a run.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CheckResult
        Two; for EVB-sim with recorded transitions four.
    """
    game, result, trace = run.game, run.result, run.recorded_trace
    common = (DETERMINISTIC, result.algorithm, [run.name])
    total = total_variance(game, result.policy)[None]
    scale = float(game.horizon) ** 2
    variance = return_variance(game, result.policy)[None]
    results = TOTAL_VARIANCE.results(*common, variance, total, scale)
    results += RETURN_VARIANCE.results(*common, total, np.array(scale / 4.0), scale)
    if trace is not None:
        upper, lower, left = result.upper_value, result.lower_value, run.gain_bound
        for check, variances, most in (
            (UPPER_CHAIN, trace.gain_variance, 2.0 * left * upper - upper**2),
            (LOWER_CHAIN, trace.lower_variance, left**2 - lower**2),
        ):
            chain = chain_sum(trace.transitions, result.rounds, variances)
            results += check.results(*common, chain[None], most[None], scale)
    return results
