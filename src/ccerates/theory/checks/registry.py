"""All checks of stored runs, in the order of the tables.

The certificates (C6) are compared with gaps that the tables of runs hold, see `check_certificates`
in `ccerates.theory.checks.run`; fitted exponents (C9) and the lower bound (C10) are judged from
tables, not run by run.
"""

from collections.abc import Callable, Mapping

from ccerates.theory.checks import (
    c1_pathwise_inequality,
    c2_deviation_lemma,
    c3_regret_bounds,
    c4_bias_cost,
    c5_value_bounds,
    c6_certificate,
    c7_gap_decomposition,
    c8_total_variance,
)
from ccerates.theory.checks.bandit_cell import BanditCell
from ccerates.theory.checks.learner_run import LearnerRun
from ccerates.theory.checks.online_run import OnlineRun
from ccerates.theory.checks.record import Check, CheckResult

_MODULES = (
    c1_pathwise_inequality,
    c2_deviation_lemma,
    c3_regret_bounds,
    c4_bias_cost,
    c5_value_bounds,
    c6_certificate,
    c7_gap_decomposition,
    c8_total_variance,
)

CHECKS: Mapping[str, Check] = {check.name: check for module in _MODULES for check in module.CHECKS}
"""Each check by its name, with its statement."""

LEARNER_CHECKS: tuple[Callable[[LearnerRun], list[CheckResult]], ...] = (
    c1_pathwise_inequality.check_learner,
    c4_bias_cost.check_learner,
    c5_value_bounds.check_learner,
    c7_gap_decomposition.check_learner,
    c8_total_variance.check_learner,
)
"""Checks of a run of a simulator learner."""

ONLINE_CHECKS: tuple[Callable[[OnlineRun], list[CheckResult]], ...] = (
    c1_pathwise_inequality.check_online,
    c5_value_bounds.check_online,
    c7_gap_decomposition.check_online,
)
"""Checks of a run of an online learner."""

BANDIT_CHECKS: tuple[Callable[[BanditCell], list[CheckResult]], ...] = (
    c1_pathwise_inequality.check_bandits,
    c2_deviation_lemma.check_bandits,
    c3_regret_bounds.check_bandits,
    c4_bias_cost.check_bandits,
)
"""Checks of many runs of a bandit outside games."""
