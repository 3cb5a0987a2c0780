"""C5: sample-only values bracket the exact ones, at every step, state and player."""

import numpy as np

from ccerates.simulator.q_ftrl import QFtrlTrace
from ccerates.theory.checks.learner_run import LearnerRun
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
CHECKS = (VALUE_BOUNDS, OPTIMISTIC_VALUE)


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
