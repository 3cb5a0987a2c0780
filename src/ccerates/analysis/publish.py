"""Published tables: the columns of each and their headings in LaTeX."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ccerates.analysis.certificate import CERTIFICATE_COLUMNS
from ccerates.analysis.comparison import VERIFY_COLUMNS
from ccerates.analysis.cost import COST_COLUMNS
from ccerates.analysis.exponents import DIFFERENCE_COLUMNS, EXPONENT_COLUMNS
from ccerates.analysis.lower_bound import CROSSING_COLUMNS, FAILURE_COLUMNS
from ccerates.analysis.real_games import REAL_GAME_COLUMNS
from ccerates.analysis.relative_exponents import RELATIVE_COLUMNS
from ccerates.analysis.sample_complexity import SAMPLE_COLUMNS
from ccerates.analysis.tables import write_csv, write_latex
from ccerates.analysis.tuning import TUNING_COLUMNS
from ccerates.theory.checks.record import ROW_COLUMNS

CURVE_COLUMNS = (
    "game", "algorithm", "samples", "gap_kind", "gap_mean", "gap_median", "gap_quartile_low",
    "gap_quartile_high", "uniform_gap", "replicates",
)  # fmt: skip

BANDIT_COLUMNS = (
    "bandit", "constants", "adversary", "num_actions", "rounds", "runs", "played_variance",
    "regret_median", "ci_low", "ci_high", "regret_95", "regret_99", "bound_median",
    "bound_violations", "analytic_median", "analytic_violations", "certificate_median",
    "certificate_violations",
)  # fmt: skip

SWEEPS = {
    "sim-horizon": "H",
    "sim-players": "m",
    "sim-action-sum": "Sum of actions",
    "sim-actions": "A",
    "sim-states": "S",
    "sim-epsilon": "Epsilon",
    "online-horizon": "H",
    "online-players": "m",
    "online-actions": "A",
    "online-states": "S - 1",
    "online-epsilon": "Epsilon",
}
"""Tables of samples to target, with the name of what each varies."""

CURVES = ("gap-decay", "ablation")
"""Tables of gaps against samples."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(SWEEPS, SAMPLE_COLUMNS),
    **dict.fromkeys(CURVES, CURVE_COLUMNS),
    "tuning": TUNING_COLUMNS,
    "bandit": BANDIT_COLUMNS,
    "bounds": ROW_COLUMNS,
    "certificate": CERTIFICATE_COLUMNS,
    "lower-bound": FAILURE_COLUMNS,
    "lower-bound-crossings": CROSSING_COLUMNS,
    "exponents": EXPONENT_COLUMNS,
    "exponent-differences": DIFFERENCE_COLUMNS,
    "exponents-relative": RELATIVE_COLUMNS,
    "real-games": REAL_GAME_COLUMNS,
    "verify": VERIFY_COLUMNS,
    "cost": COST_COLUMNS,
}
"""Columns of each published CSV file; what else a table holds stays with the results."""

_INTERVAL = {"ci_low": "95 % from", "ci_high": "to"}

_SAMPLES = {"samples_to_target": "Samples to target", **_INTERVAL, "status": "Status"}

_CURVES = {
    "game": "Game",
    "algorithm": "Algorithm",
    "samples": "Samples",
    "gap_kind": "Kind of gap",
    "gap_mean": "Mean gap",
    "gap_median": "Median",
    "gap_quartile_low": "Quartiles from",
    "gap_quartile_high": "to",
}

LATEX_TITLES: Mapping[str, Mapping[str, str]] = {
    **{
        name: {"algorithm": "Algorithm", "value": varied, **_SAMPLES}
        for name, varied in SWEEPS.items()
    },
    **dict.fromkeys(CURVES, _CURVES),
    "tuning": {
        "setting": "Setting",
        "algorithm": "Algorithm",
        "rate_scale": "Rate",
        "bonus_scale": "Bonus",
        **_SAMPLES,
        "chosen": "Chosen",
        "used": "Used",
    },
    "bandit": {
        "bandit": "Bandit",
        "adversary": "Adversary",
        "regret_median": "Regret",
        "regret_95": "95 %",
        "regret_99": "99 %",
        "analytic_median": "Analytic bound",
        "analytic_violations": "Overtaken",
        "certificate_median": "Certificate",
        "certificate_violations": "Overtaken",
    },
    "bounds": {name: name.replace("_", " ").capitalize() for name in ROW_COLUMNS},
    "certificate": {
        "game": "Game",
        "algorithm": "Algorithm",
        "constants": "Constants",
        "rounds": "K",
        "delta": "Delta",
        "runs": "Runs",
        "certificate_median": "Certificate",
        "gap_median": "Gap",
        "violations": "Violations",
    },
    "lower-bound": {
        "cell": "Game",
        "algorithm": "Algorithm",
        "samples": "Samples",
        "scaled_samples": "Scaled",
        "below_bound": "Below the bound",
        "runs": "Runs",
        "failures": "Failures",
        "failure_rate": "Frequency",
        **_INTERVAL,
    },
    "lower-bound-crossings": {
        "algorithm": "Algorithm",
        "axis": "Axis",
        "theory": "Theory",
        "bound_exponent": "Proved here",
        "exponent": "Measured",
        **_INTERVAL,
        "crossing_low": "Crossings from",
        "crossing_high": "to",
        "spread": "Ratio",
    },
    "exponents": {
        "setting": "Setting",
        "algorithm": "Algorithm",
        "axis": "Axis",
        "theory": "Theory",
        "measured": "Measured",
        **_INTERVAL,
        "local_slope": "Last two",
        "verdict": "Verdict",
    },
    "exponent-differences": {
        "setting": "Setting",
        "axis": "Axis",
        "baseline": "Baseline",
        "algorithm": "Algorithm",
        "difference": "Difference",
        **_INTERVAL,
    },
    "exponents-relative": {
        "setting": "Setting",
        "algorithm": "Algorithm",
        "axis": "Axis",
        "share": "Target over uniform gap",
        "measured": "Measured",
        **_INTERVAL,
        "local_slope": "Last two",
        "points": "Cells",
    },
    "real-games": {
        "game": "Game",
        "players": "Players",
        "states": "States",
        "horizon": "H",
        "algorithm": "Algorithm",
        "samples": "Samples",
        "gap_kind": "Kind of gap",
        "gap_mean": "Gap",
        **_INTERVAL,
    },
    "verify": {name: name.capitalize() for name in VERIFY_COLUMNS},
    "cost": {
        "experiment": "Experiment",
        "algorithm": "Algorithm",
        "jobs": "Jobs",
        "core_seconds": "Core time (s)",
        "peak_memory_mb": "Peak memory (MB)",
        "samples": "Samples",
        "samples_per_second": "Samples/s",
    },
}
"""Headings of each table in LaTeX, in order."""


def publish(table: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV, and as LaTeX beside it.

    Parameters
    ----------
    table
        Table with at least the published columns.
    path
        CSV file to write; its name is a key of `COLUMNS`.
    """
    write_csv(table[list(COLUMNS[path.stem])], path)
    write_latex(table, path.with_suffix(".tex"), LATEX_TITLES[path.stem])
