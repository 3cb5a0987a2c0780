"""How the gap falls with samples on one game of each family."""

import pandas as pd
from matplotlib.figure import Figure

from ccerates.errors import InputError
from ccerates.plots.gap_panels import Summary, gap_panels
from ccerates.plots.points import require_columns

SUMMARY = Summary("gap_median", "gap_quartile_low", "gap_quartile_high", "median and quartiles")
"""What is drawn."""

CURVES = [
    *("experiment", "algorithm", "label", "samples", "gap_kind", "uniform_gap"),
    *SUMMARY.columns,
]
"""Columns that are read, beside ``players``, ``states``, ``horizon`` if all are there."""


def gap_decay_figure(curves: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``gap-decay`` and what is drawn in it.

    Parameters
    ----------
    curves
        What `ccerates.analysis.sample_complexity.gap_curves` returns, `CURVES`: one row per game
        (``label``), algorithm and budget over replicates. ``gap_kind`` is ``exact`` or ``upper``
        (an upper bound on the gap: hollow points). Rows of other experiments are ignored.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`.

    Raises
    ------
    InputError
        If a column is missing or there is no such row.
    """
    return gap_panels(select_curves(curves, "gap-decay"), SUMMARY)


def select_curves(curves: pd.DataFrame, experiment: str) -> pd.DataFrame:
    """Return the rows of an experiment as `gap_panels` reads them.

    Raises
    ------
    InputError
        If a column is missing or there is no such row.
    """
    require_columns(curves, CURVES, "gap curves")
    mine = curves[curves["experiment"] == experiment]
    if mine.empty:
        raise InputError(f"gap curves: no row of the experiment {experiment!r}; run it first")
    return mine.assign(game=mine["label"])
