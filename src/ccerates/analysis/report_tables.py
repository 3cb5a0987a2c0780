"""All tables of the claims at once, and the columns that each shows."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ccerates.analysis.exponents import (
    DIFFERENCE_COLUMNS,
    EXPONENT_COLUMNS,
    exponent_differences,
    exponents,
)
from ccerates.analysis.real_games import REAL_GAME_COLUMNS, real_game_gaps
from ccerates.analysis.sample_complexity import SAMPLE_COLUMNS, gap_curves, samples_to_target
from ccerates.analysis.tables import write_csv, write_latex

CSV_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "sim-horizon": SAMPLE_COLUMNS,
    "exponents": EXPONENT_COLUMNS,
    "exponent-differences": DIFFERENCE_COLUMNS,
    "real-games": REAL_GAME_COLUMNS,
}
"""Columns of each published table; what else a table holds stays with the results."""

LATEX_TITLES: Mapping[str, Mapping[str, str]] = {
    "sim-horizon": {
        "algorithm": "Algorithm",
        "value": "H",
        "samples_to_target": "Samples to target",
        "ci_low": "95 % from",
        "ci_high": "to",
        "status": "Status",
    },
    "exponents": {
        "setting": "Setting",
        "algorithm": "Algorithm",
        "axis": "Axis",
        "theory": "Theory",
        "measured": "Measured",
        "ci_low": "95 % from",
        "ci_high": "to",
        "local_slope": "Last two",
        "verdict": "Verdict",
    },
    "exponent-differences": {
        "setting": "Setting",
        "axis": "Axis",
        "baseline": "Baseline",
        "algorithm": "Algorithm",
        "difference": "Difference",
        "ci_low": "95 % from",
        "ci_high": "to",
    },
    "real-games": {
        "game": "Game",
        "players": "Players",
        "states": "States",
        "horizon": "H",
        "algorithm": "Algorithm",
        "samples": "Samples",
        "gap_mean": "Gap",
        "ci_low": "95 % from",
        "ci_high": "to",
    },
}
"""Headings of each table in LaTeX, in order."""


def make_tables(
    runs: pd.DataFrame, fits: Mapping[str, tuple[float, float]], *, root_seed: int, resamples: int
) -> dict[str, pd.DataFrame]:
    """Return all tables by name.

    Parameters
    ----------
    runs
        Stacked tables of runs of all experiments.
    fits
        Range that exponents are fitted on, for each sweep.
    root_seed, resamples
        The project's seed and the number of bootstrap resamples.

    Returns
    -------
    dict of str to pandas.DataFrame
        The keys of `CSV_COLUMNS` and ``curves``.
    """
    points = samples_to_target(runs, fits, root_seed=root_seed, resamples=resamples)
    settings = {"root_seed": root_seed, "resamples": resamples}
    return {
        "sim-horizon": points[points["experiment"] == "sim-horizon"],
        "exponents": exponents(runs, points, **settings),
        "exponent-differences": exponent_differences(runs, points, **settings),
        "real-games": real_game_gaps(runs, **settings),
        "curves": gap_curves(runs),
    }


def write_tables(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write the published columns of every table as ``{name}.csv`` and ``{name}.tex``."""
    for name, columns in CSV_COLUMNS.items():
        write_csv(tables[name][list(columns)], folder / f"{name}.csv")
        write_latex(tables[name], folder / f"{name}.tex", LATEX_TITLES[name])
