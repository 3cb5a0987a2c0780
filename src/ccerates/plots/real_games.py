"""The gap against samples on games that nobody here designed."""

import pandas as pd
from matplotlib.figure import Figure

from ccerates.plots.gap_panels import Summary, gap_panels
from ccerates.plots.points import require_columns

GAPS = [
    *("game", "players", "states", "horizon", "algorithm", "samples"),
    *("gap_kind", "gap_mean", "ci_low", "ci_high"),
]
"""Columns that are read, beside ``uniform_gap`` if it is there; more may be there."""

_SUMMARY = Summary("gap_mean", "ci_low", "ci_high", "mean and 95 % interval")


def real_games_figure(gaps: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``real-games`` and what is drawn in it.

    Parameters
    ----------
    gaps
        One row per game, algorithm and budget, `GAPS`: mean gap over replicates, in units of
        the game's reward, with its interval. ``gap_kind`` is ``exact`` or ``upper`` (an upper
        bound on the gap: hollow points). The gap of uniform play is drawn if there is a column
        ``uniform_gap``.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`.

    Raises
    ------
    InputError
        If a column is missing.
    """
    require_columns(gaps, GAPS, "gaps on real games")
    return gap_panels(gaps, _SUMMARY)
