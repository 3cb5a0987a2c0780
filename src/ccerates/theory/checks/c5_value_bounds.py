"""C5: sample-only values bracket the exact ones, at every step, state and player."""

import numpy as np

from ccerates.simulator.q_ftrl import QFtrlTrace
from ccerates.theory.checks.learner_run import LearnerRun
from ccerates.theory.checks.online_run import OnlineRun
from ccerates.theory.checks.record import CONFIDENCE, INFORMATIVE, Check, CheckResult

VALUE_BOUNDS = Check(
    "C5 value bounds",
    "With probability 1 - delta, V^dagger <= the upper value and the lower value <= V^pi at every "
    "step and state and for every player.",
)
OPTIMISTIC_VALUE = Check(
    "C5 optimistic value",
    "V^dagger <= the value that drives Q-FTRL, at every step and state and for every player; the "
    "constants in use promise nothing.",
)
STAGE_BOUNDS = Check(
    "C5 value bounds of stages",
    "With probability 1 - delta, at the end of every stage, at every step and state and for every "
    "player, the best response to the certified policy, bounded by max_a U(a), is <= the upper "
    "value, and the lower value <= the certified policy's value W.",
)
OPTIMISTIC_STAGES = Check(
    "C5 optimistic value of stages",
    "The best response to the certified policy, bounded by max_a U(a), is <= the value that drives "
    "the learner, at the end of every stage, at every step and state and for every player; the "
    "constants in use promise nothing.",
)
CHECKS = (VALUE_BOUNDS, OPTIMISTIC_VALUE, STAGE_BOUNDS, OPTIMISTIC_STAGES)


def check_learner(run: LearnerRun) -> list[CheckResult]:
    """Check a run; the bounds promise something if it is certified and they are not trivial.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CheckResult
        Two for Q-FTRL, one for other algorithms that give bounds.
    """
    result = run.result
    if not run.has_bounds:
        return []
    # Bounds as wide as the range of values cannot fail: counted, they would dilute the frequency.
    promises = result.certified and result.certificate < run.game.horizon
    kind = CONFIDENCE if promises else INFORMATIVE
    smaller = np.stack([run.best_response, result.lower_value])
    larger = np.stack([result.upper_value, run.value])
    scale = float(run.game.horizon)
    common = (result.algorithm, [run.name])
    results = VALUE_BOUNDS.results(kind, *common, smaller[None], larger[None], scale)
    if isinstance(result.trace, QFtrlTrace):
        sides = run.best_response[None], result.trace.value[None]
        results += OPTIMISTIC_VALUE.results(INFORMATIVE, *common, *sides, scale)
    return results


def check_online(run: OnlineRun) -> list[CheckResult]:
    """Check an audited run; as with a simulator, trivial bounds promise nothing.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CheckResult
        One if the run was audited, a stage was completed and the learner gives values.
    """
    result, audit = run.result, run.audit
    if audit is None or not run.has_upper_values:
        return []
    completed = audit.commits > 0
    common = (result.algorithm, [run.name])
    scale = float(run.game.horizon)
    best, upper = audit.best_response_bound[completed], audit.upper_value[completed]
    if not run.has_lower_values:
        sides = best[None], upper[None]
        return OPTIMISTIC_STAGES.results(INFORMATIVE, *common, *sides, scale)
    promises = result.certified and result.certificate < run.game.horizon
    kind = CONFIDENCE if promises else INFORMATIVE
    smaller = np.stack([best, audit.lower_value[completed]])
    larger = np.stack([upper, audit.value[completed]])
    return STAGE_BOUNDS.results(kind, *common, smaller[None], larger[None], scale)
