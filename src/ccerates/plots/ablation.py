"""How the gap of EVB-sim falls when a part of it is switched off."""

from collections.abc import Mapping

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ccerates.plots import style
from ccerates.plots.gap_decay import SUMMARY, select_curves
from ccerates.plots.gap_panels import draw_gaps, draw_legend
from ccerates.plots.points import Panel, collect
from ccerates.plots.ticks import label_gaps, label_samples

WHOLE = "evb-sim"
"""Algorithm that the ablated ones are compared with."""


def ablation_figure(curves: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``ablation`` and what is drawn in it.

    Above: the gap on each game; below: the same divided by the gap of the whole algorithm after as
    many samples. Above 1 the missing part is missed.

    Parameters
    ----------
    curves
        As for `ccerates.plots.gap_decay.gap_decay_figure`; `WHOLE` is among the algorithms and ran
        on the budgets of the others.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`.

    Raises
    ------
    InputError
        If a column is missing or there is no such row.
    """
    gaps = select_curves(curves, "ablation")
    looks = style.looks(gaps["algorithm"])
    games = list(gaps["game"].unique())
    with style.context():
        figure = Figure(figsize=(style.WIDTH, 4.4), layout="constrained")
        grid = figure.subplots(2, len(games), squeeze=False, sharex="col", height_ratios=(3, 2))
        panels = []
        for (above, below), game in zip(grid.T, games, strict=True):
            mine = gaps[gaps["game"] == game]
            panels += [Panel(above, str(game)), Panel(below, f"{game}-relative")]
            draw_gaps(panels[-2], mine, looks, SUMMARY, large=True)
            _draw_relative(panels[-1], mine, looks)
        grid[0, 0].set_ylabel(f"CCE gap, {SUMMARY.words}")
        grid[1, 0].set_ylabel(f"median gap over\nthat of {looks[WHOLE].label}")
        draw_legend(figure, gaps, looks)
        sns.despine(fig=figure)
    return figure, collect(panels)


def _draw_relative(panel: Panel, gaps: pd.DataFrame, looks: Mapping[str, style.Series]) -> None:
    medians = gaps.pivot(index="samples", columns="algorithm", values=SUMMARY.centre)
    whole = medians[WHOLE].where(medians[WHOLE] > 0)
    for name, look in looks.items():
        ratio = (medians[name] / whole).dropna()
        dot = look.dot() | {"markersize": 4}
        panel.line(name, "ratio", ratio.index, ratio, **look.line(), **dot)
    panel.axes.set(xscale="log", yscale="log", xlabel="samples")
    label_samples(panel.axes.xaxis)
    label_gaps(panel.axes.yaxis)
