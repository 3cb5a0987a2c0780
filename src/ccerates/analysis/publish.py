"""Published tables: the columns of each and their headings in LaTeX."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ccerates.analysis.cost import COST_COLUMNS
from ccerates.analysis.exponents import DIFFERENCE_COLUMNS, EXPONENT_COLUMNS
from ccerates.analysis.real_games import REAL_GAME_COLUMNS
from ccerates.analysis.sample_complexity import SAMPLE_COLUMNS
from ccerates.analysis.tables import write_csv, write_latex
from ccerates.analysis.verification import VERIFY_COLUMNS

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "sim-horizon": SAMPLE_COLUMNS,
    "exponents": EXPONENT_COLUMNS,
    "exponent-differences": DIFFERENCE_COLUMNS,
    "real-games": REAL_GAME_COLUMNS,
    "verify": VERIFY_COLUMNS,
    "cost": COST_COLUMNS,
}
"""Columns of each published CSV file; what else a table holds stays with the results."""

_INTERVAL = {"ci_low": "95 % from", "ci_high": "to"}

LATEX_TITLES: Mapping[str, Mapping[str, str]] = {
    "sim-horizon": {
        "algorithm": "Algorithm",
        "value": "H",
        "samples_to_target": "Samples to target",
        **_INTERVAL,
        "status": "Status",
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
    "real-games": {
        "game": "Game",
        "players": "Players",
        "states": "States",
        "horizon": "H",
        "algorithm": "Algorithm",
        "samples": "Samples",
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
