"""The gap against samples, one panel per game and one curve per algorithm."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ccerates.plots import style
from ccerates.plots.points import Panel, collect
from ccerates.plots.ticks import label_gaps, label_samples, label_small_gaps

FEW_CURVES = 3
"""Up to so many curves are few: panels may be small, bands dark."""

SMALL = 1e-4
"""Gaps are drawn on a logarithmic axis down to here; a game can be learned exactly."""

_UNIFORM = {"linewidth": 0.9, **style.UNIFORM.line()}


@dataclass(frozen=True)
class Summary:
    """What of the gaps of all replicates is drawn.

    Attributes
    ----------
    centre, low, high
        Columns of the line and of the ends of the band.
    words
        The same for people.
    """

    centre: str
    low: str
    high: str
    words: str

    @property
    def columns(self) -> tuple[str, str, str]:
        """All columns that are read."""
        return self.centre, self.low, self.high


def gap_panels(gaps: pd.DataFrame, summary: Summary) -> tuple[Figure, pd.DataFrame]:
    """Return a figure with a panel for each game and what is drawn in it.

    Parameters
    ----------
    gaps
        One row per game, algorithm and budget: ``game``, ``algorithm``, ``samples``, ``gap_kind``
        (``upper`` for an upper bound on the gap: hollow points) and the columns of `summary`. The
        gap of uniform play is drawn if there is a column ``uniform_gap``, and players, states and
        horizon are named if there are columns for them.
    summary
        What to draw.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`.
    """
    looks = _name_variants(style.looks(gaps["algorithm"]))
    games = list(gaps["game"].unique())
    num_rows = -(-len(games) // (4 if len(looks) <= FEW_CURVES else 3))
    num_columns = -(-len(games) // num_rows)
    large = num_columns <= 2

    with style.context():
        height = 0.7 + num_rows * (2.3 if large else 1.75)
        figure = Figure(figsize=(style.WIDTH, height), layout="constrained")
        grid = figure.subplots(num_rows, num_columns, squeeze=False).ravel()
        panels = []
        for axes, game in zip(grid, games, strict=False):
            panels.append(Panel(axes, str(game)))
            draw_gaps(panels[-1], gaps[gaps["game"] == game], looks, summary, large=large)
        for axes in grid[len(games) :]:
            axes.remove()
        figure.supxlabel("samples", fontsize="medium")
        figure.supylabel(f"CCE gap, {summary.words}", fontsize="medium")
        draw_legend(figure, gaps, looks)
        sns.despine(fig=figure)
    return figure, collect(panels)


def _name_variants(looks: Mapping[str, style.Series]) -> dict[str, style.Series]:
    """Return the looks with the algorithm's name in the labels of its variants."""
    named = dict(looks)
    for name in looks.keys() & style.SERIES.keys():
        for whole in looks:
            if name.startswith(f"{whole}-"):
                label = f"{looks[whole].label}, {looks[name].label}"
                named[name] = replace(looks[name], label=label)
    return named


def draw_gaps(
    panel: Panel,
    gaps: pd.DataFrame,
    looks: Mapping[str, style.Series],
    summary: Summary,
    *,
    large: bool,
) -> None:
    """Draw the gaps of one game, with smaller points unless the panel is `large`."""
    first = gaps.iloc[0]
    title = str(first["game"])
    if {"players", "states", "horizon"} <= set(gaps.columns):
        title += f"\n$m={first['players']}$, $S={first['states']}$, $H={first['horizon']}$"
    panel.axes.set_title(title)
    if "uniform_gap" in gaps:
        ends = np.array([gaps["samples"].min(), gaps["samples"].max()])
        height = np.full(2, first["uniform_gap"])
        panel.line("uniform play", "reference", ends, height, **_UNIFORM)
    for name, look in looks.items():
        for kind, curve in gaps[gaps["algorithm"] == name].groupby("gap_kind"):
            rows = curve.sort_values("samples")
            centre, low, high = (rows[column] for column in summary.columns)
            dot = look.dot(hollow=kind == "upper") | {"markersize": 4 if large else 3.2}
            # Many bands on top of each other would hide the lines.
            dot["band_alpha"] = 0.18 if len(looks) <= FEW_CURVES else 0.08
            x = rows["samples"]
            panel.line(name, str(kind), x, centre, (low, high), **look.line(), **dot)
    panel.axes.set_xscale("log")
    label_samples(panel.axes.xaxis)
    if gaps[summary.centre].min() > SMALL:
        panel.axes.set_yscale("log")
        label_gaps(panel.axes.yaxis)
    else:
        label_small_gaps(panel.axes, SMALL)


def draw_legend(figure: Figure, gaps: pd.DataFrame, looks: Mapping[str, style.Series]) -> None:
    """Name algorithms, uniform play and hollow points above the panels.

    An algorithm of which only upper bounds are drawn is hollow here as well. Algorithms of one
    label have one entry, the first one's.
    """
    exact = set(gaps.loc[gaps["gap_kind"] == "exact", "algorithm"])
    entries: dict[str, Line2D] = {}
    for name, look in looks.items():
        handle = style.handle(look.label, **look.line(), **look.dot(hollow=name not in exact))
        entries.setdefault(look.label, handle)
    handles = list(entries.values())
    if "uniform_gap" in gaps:
        handles.append(style.handle(style.UNIFORM.label, **_UNIFORM))
    if (gaps["gap_kind"] == "upper").any():
        note: dict[str, Any] = {"color": style.NOTE_COLOUR, "linestyle": "none"}
        text = "hollow: upper bound on the gap"
        handles.append(style.handle(text, marker="o", markerfacecolor="white", **note))
    figure.legend(handles=handles, **style.legend_above(len(handles)))
