"""The gap against samples on games that nobody here designed, one panel per game."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from ccerates.plots import style
from ccerates.plots.points import Panel, collect, require_columns

GAPS = [
    *("game", "players", "states", "horizon", "algorithm", "samples"),
    *("gap_kind", "gap_mean", "ci_low", "ci_high"),
]
"""Columns that are read, beside ``uniform_gap`` if it is there; more may be there."""

MOST_COLUMNS = 4
"""Panels side by side, at most."""

_UNIFORM = {"linewidth": 0.9, **style.UNIFORM.line()}


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
    looks = style.looks(gaps["algorithm"])
    games = list(gaps["game"].unique())
    num_columns = min(len(games), MOST_COLUMNS)
    num_rows = -(-len(games) // num_columns)

    with style.context():
        height = 0.7 + num_rows * (2.3 if num_columns <= 2 else 1.75)
        figure = Figure(figsize=(style.WIDTH, height), layout="constrained")
        grid = figure.subplots(num_rows, num_columns, squeeze=False).ravel()
        panels = []
        size = 4.5 if num_columns <= 2 else 3
        for axes, game in zip(grid, games, strict=False):
            panels.append(Panel(axes, str(game)))
            _draw_game(panels[-1], gaps[gaps["game"] == game], looks, size)
        for axes in grid[len(games) :]:
            axes.remove()
        figure.supxlabel("samples", fontsize="medium")
        figure.supylabel("CCE gap, mean and 95 % interval", fontsize="medium")
        _legend(figure, gaps, looks)
        sns.despine(fig=figure)
    return figure, collect(panels)


def _draw_game(
    panel: Panel, gaps: pd.DataFrame, looks: Mapping[str, style.Series], size: float
) -> None:

    first = gaps.iloc[0]
    panel.axes.set_title(
        f"{first['game']}\n$m={first['players']}$, $S={first['states']}$, $H={first['horizon']}$"
    )
    if "uniform_gap" in gaps:
        ends = [gaps["samples"].min(), gaps["samples"].max()]
        panel.line("uniform play", "reference", ends, [first["uniform_gap"]] * 2, **_UNIFORM)
    for name, look in looks.items():
        for kind, curve in gaps[gaps["algorithm"] == name].groupby("gap_kind"):
            rows = curve.sort_values("samples")
            x, y, interval = rows["samples"], rows["gap_mean"], (rows["ci_low"], rows["ci_high"])
            dot = look.dot(hollow=kind == "upper")
            panel.line(name, str(kind), x, y, interval, markersize=size, **look.line(), **dot)
    # A gap can be zero on a game that is learned exactly; no logarithm then.
    positive = (gaps["gap_mean"] > 0).all()
    panel.axes.set(xscale="log", yscale="log" if positive else "linear")
    if positive:
        _label_gaps(panel.axes)


def _label_gaps(axes: Axes) -> None:
    low, high = axes.get_ylim()
    wide = high / low > 100
    axes.yaxis.set_major_locator(LogLocator(subs=(1,) if wide else (1, 2, 5)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _legend(figure: Figure, gaps: pd.DataFrame, looks: Mapping[str, style.Series]) -> None:
    handles = [style.handle(look.label, **look.line(), **look.dot()) for look in looks.values()]
    if "uniform_gap" in gaps:
        handles.append(style.handle(style.UNIFORM.label, **_UNIFORM))
    if (gaps["gap_kind"] == "upper").any():
        note: dict[str, Any] = {"color": style.NOTE_COLOUR, "linestyle": "none"}
        text = "hollow: upper bound on the gap"
        handles.append(style.handle(text, marker="o", markerfacecolor="white", **note))
    figure.legend(handles=handles, loc="outside upper center", ncols=min(len(handles), 4))
