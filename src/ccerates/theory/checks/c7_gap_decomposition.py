"""C7: the gap as a sum along the empirical chain, and along play of the output policy.

The chain identity is about what the learner recorded. The other two hold for any upper value in
exact arithmetic: they check the evaluation of policies.
"""

import numpy as np

from ccerates.evaluation.one_step import average, step_outcomes
from ccerates.games.model import MarkovGame
from ccerates.theory.checks.learner_run import LearnerRun, chain_sum, with_end
from ccerates.theory.checks.online_run import OnlineRun
from ccerates.theory.checks.record import DETERMINISTIC, TOLERANCE, Check, CheckResult

CHAIN_IDENTITY = Check(
    "C7 chain identity",
    "From every step and state of EVB-sim, upper minus lower value is the empirical chain's "
    "expected sum of beta_h = upper value - mean gain and p_h = mean lower gain - lower value.",
    "=",
)
TELESCOPING = Check(
    "C7 telescoping sum",
    "From every step and state, with U the upper value, U - V^pi is "
    "E_pi sum_h (U_h(s_h) - E_pi[r_h + U_{h+1}(s_{h+1}) | s_h]).",
    "=",
)
GAP_DECOMPOSITION = Check(
    "C7 gap decomposition",
    "From every step and state where the upper value U is at least V^dagger, V^dagger - V^pi <= "
    "E_pi sum_h (U_h(s_h) - E_pi[r_h + U_{h+1}(s_{h+1}) | s_h]).",
)
STAGE_CHAIN = Check(
    "C7 chain identity of stages",
    "At the end of every stage of EVB-online, upper minus lower value is the expected sum of "
    "beta_h = upper value - mean gain and p_h = mean lower gain - lower value along the empirical "
    "chain of the stages completed last; the left side is the largest difference of the two.",
    "=",
)
CHECKS = (CHAIN_IDENTITY, TELESCOPING, GAP_DECOMPOSITION, STAGE_CHAIN)


def policy_sum(game: MarkovGame, policy: np.ndarray, upper_value: np.ndarray) -> np.ndarray:
    """Return E_pi sum_h (U_h(s_h) - E_pi[r_h + U_{h+1}(s_{h+1}) | s_h]).

    Parameters
    ----------
    game
        The game.
    policy
        (horizon, states, joint_actions).
    upper_value
        (horizon, states, players): U.

    Returns
    -------
    numpy.ndarray
        (horizon, states, players): the sum from every step and state on.
    """
    upper, total = with_end(upper_value), with_end(np.zeros_like(upper_value))
    for step in reversed(range(game.horizon)):
        chance, reward, successor = step_outcomes(game, policy, step)
        surplus = upper[step] - average(chance, reward + upper[step + 1][successor])
        total[step] = surplus + average(chance, total[step + 1][successor])
    return total[:-1]


def check_learner(run: LearnerRun) -> list[CheckResult]:
    """Check a run.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CheckResult
        None if the learner gives no bounds; else the chain identity for EVB-sim with recorded
        transitions, the telescoping sum always, the gap decomposition if the upper value is at
        least V^dagger somewhere.
    """
    result, trace = run.result, run.recorded_trace
    if not run.has_bounds:
        return []
    common = (DETERMINISTIC, result.algorithm, [run.name])
    scale = float(run.game.horizon)
    upper = result.upper_value
    results = []
    if trace is not None:
        surplus = upper - trace.mean_gain + trace.lower_mean_gain - result.lower_value
        chain = chain_sum(trace.transitions, result.rounds, surplus)
        width = upper - result.lower_value
        size = _chain_scale(run.game.horizon, result.rounds)
        results += CHAIN_IDENTITY.results(*common, width[None], chain[None], size)
    total = policy_sum(run.game, result.policy, upper)
    results += TELESCOPING.results(*common, (upper - run.value)[None], total[None], scale)
    optimistic = upper >= run.best_response
    if optimistic.any():
        gap = run.best_response - run.value
        sides = gap[optimistic][None], total[optimistic][None]
        results += GAP_DECOMPOSITION.results(*common, *sides, scale)
    return results


def check_online(run: OnlineRun) -> list[CheckResult]:
    """Check an audited run of a learner with upper and lower values.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CheckResult
        One, or none.
    """
    audit = run.audit
    if audit is None or not run.has_lower_values:
        return []
    error = audit.chain_error[None]
    size = _chain_scale(run.game.horizon, int(run.longest_stage.max()))
    common = (DETERMINISTIC, run.result.algorithm, [run.name])
    return STAGE_CHAIN.results(*common, error, np.zeros_like(error), size)


def _chain_scale(horizon: int, rounds: int) -> float:
    """Return the size of the chain's sums, larger if rounding exceeds the tolerance."""
    # A mean of K gains is off by K units of rounding at most, relatively, at each of H steps.
    rounding = horizon * rounds * 0.5 * float(np.finfo(float).eps)
    return horizon * max(1.0, rounding / TOLERANCE)
