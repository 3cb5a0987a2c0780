"""How the gap of each of the two sharp algorithms falls when a part of it is switched off."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.gap_decay import SUMMARY, select_curves
from ccerates.plots.gap_panels import draw_gaps, draw_legend
from ccerates.plots.points import Panel, collect, require_columns
from ccerates.plots.ticks import label_gaps, label_samples
from ccerates.theory.rates import SHARP_ALGORITHM


def ablation_figure(curves: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``ablation`` and what is drawn in it.

    For each setting, above: the gap on each game; below: the same divided by the gap of the whole
    algorithm after as many samples. Above 1 the missing part is missed.

    Parameters
    ----------
    curves
        As for `ccerates.plots.gap_decay.gap_decay_figure`, with a column ``setting``. The sharp
        algorithm of each setting is among its algorithms and ran on the budgets of the others.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`; the panels of a setting are named
        ``{setting}-{game}`` and ``{setting}-{game}-relative``.

    Raises
    ------
    InputError
        If a column is missing, there is no such row or a setting lacks its sharp algorithm.
    """
    gaps = select_curves(curves, "ablation")
    require_columns(gaps, ["setting"], "gap curves")
    settings = [name for name in SHARP_ALGORITHM if (gaps["setting"] == name).any()]
    num_games = gaps.groupby("setting")["game"].nunique().max()
    with style.context():
        size = (style.WIDTH, 0.8 + 3.6 * len(settings))
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(
            2 * len(settings), num_games, squeeze=False, height_ratios=(3, 2) * len(settings)
        )
        panels = []
        for rows, setting in zip(np.split(grid, len(settings)), settings, strict=True):
            panels += _draw_setting(rows, gaps[gaps["setting"] == setting], setting)
        draw_legend(figure, gaps, style.looks(gaps["algorithm"]))
        sns.despine(fig=figure)
    return figure, collect(panels)


def _draw_setting(grid: np.ndarray, gaps: pd.DataFrame, setting: str) -> list[Panel]:
    """Draw two rows of axes, a column per game, and return their panels."""
    looks = style.looks(gaps["algorithm"])
    whole = SHARP_ALGORITHM[setting]
    panels = []
    games = list(gaps["game"].unique())
    for (above, below), game in zip(grid.T, games, strict=False):
        mine = gaps[gaps["game"] == game]
        if whole not in set(mine["algorithm"]):
            raise InputError(
                f"gap curves: no row of {whole} in the ablation on {game}, setting {setting};"
                " run it too, the others are compared with it"
            )
        above.sharex(below)
        panels += [
            Panel(above, f"{setting}-{game}"),
            Panel(below, f"{setting}-{game}-relative"),
        ]
        draw_gaps(panels[-2], mine, looks, SUMMARY, large=True)
        above.set_title(f"{looks[whole].label} on {above.get_title(loc='left')}")
        above.tick_params(axis="x", which="both", labelbottom=False)
        _draw_relative(panels[-1], mine, looks, whole)
    for axes in grid[:, len(games) :].ravel():
        axes.remove()
    upper = (gaps["gap_kind"] == "upper").any()
    words = "upper bound on CCE gap,\n" if upper else "CCE gap, "
    grid[0, 0].set_ylabel(words + SUMMARY.words)
    measure = "bound" if upper else "gap"
    grid[1, 0].set_ylabel(f"median {measure} over\nthat of {looks[whole].label}")
    return panels


def _draw_relative(
    panel: Panel, gaps: pd.DataFrame, looks: Mapping[str, style.Series], whole: str
) -> None:
    medians = gaps.pivot(index="samples", columns="algorithm", values=SUMMARY.centre)
    divisor = medians[whole].where(medians[whole] > 0)
    upper = set(gaps.loc[gaps["gap_kind"] == "upper", "algorithm"])
    for name, look in looks.items():
        if name not in medians:
            continue
        ratio = (medians[name] / divisor).dropna()
        dot = look.dot(hollow=name in upper) | {"markersize": 4}
        panel.line(name, "ratio", ratio.index, ratio, **look.line(), **dot)
    panel.axes.set(xscale="log", yscale="log", xlabel="samples")
    label_samples(panel.axes.xaxis)
    label_gaps(panel.axes.yaxis)
