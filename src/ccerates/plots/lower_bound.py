"""How often learners fail on hidden-action games, in the units of the lower bound."""

from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ccerates.plots import style
from ccerates.plots.points import Panel, collect, require_columns
from ccerates.plots.quantities import QUANTITIES
from ccerates.plots.ticks import label_samples

TABLE = [
    *("cell", "axis", "algorithm", "samples", "scaled_samples", "failing_samples"),
    *("failure_rate", "ci_low", "ci_high", "below_bound"),
]
CROSSINGS = ["algorithm", "axis", "crossing_low", "crossing_high", "spread"]
"""Columns that are read; more may be there."""

BASE = "base"
UNSCALED = "evb-sim"
"""The learner that is also shown against samples in no units."""

_AXES: dict[str, dict[str, Any]] = {
    "horizon": {"color": "#0072B2", "marker": "o", "linestyle": "-"},
    "actions": {"color": "#D55E00", "marker": "s", "linestyle": (0, (5, 1.2))},
    "states": {"color": "#009E73", "marker": "D", "linestyle": (0, (5, 1, 1, 1))},
    "epsilon": {"color": "#CC79A7", "marker": "v", "linestyle": (0, (3, 1, 1, 1, 1, 1))},
    "players": {"color": "#56B4E9", "marker": "^", "linestyle": (0, (1, 1))},
}
"""Look of the cells that differ from the base cell in each axis."""

_CURVE: dict[str, Any] = {"linewidth": 0.9, "markersize": 3.2, "markerfacecolor": "white"}
_BASE_LOOK: dict[str, Any] = {"color": "black", "linestyle": "-", "marker": ""}
_PROVED: dict[str, Any] = {"color": style.NOTE_COLOUR, "linewidth": 2.2, "solid_capstyle": "butt"}
_SCALE = r"$H^4 S\,\mathrm{max}_i A_i / \varepsilon^2$"
_PROVED_RATE = 0.25


def lower_bound_figure(table: pd.DataFrame, crossings: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``lower-bound`` and what is drawn in it.

    Above, a panel for each learner: the share of runs that fail against samples in units of
    H^4 S max_i A_i/eps^2, one curve for each cell, and the range of the crossings of one half.
    Below on the left: the curves of EVB-sim against samples as they are; on the right: all
    learners in the base cell and in the one below the bound, with what is proved.

    Parameters
    ----------
    table
        `TABLE`, from `ccerates.analysis.lower_bound.failure_table`.
    crossings
        `CROSSINGS`, from `ccerates.analysis.lower_bound.crossing_table`.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`.

    Raises
    ------
    InputError
        If a column is missing.
    """
    require_columns(table, TABLE, "failures")
    require_columns(crossings, CROSSINGS, "crossings")
    looks = style.looks(table["algorithm"])
    swept = table[((table["axis"].fillna("") != "") | (table["cell"] == BASE))]
    sampled = swept[swept["samples"] > 0]
    with style.context():
        figure = Figure(figsize=(style.WIDTH, 5.0), layout="constrained")
        halves: Any = figure.subfigures(2, 1)
        row = halves[0].subplots(1, len(looks), sharey=True, squeeze=False)[0]
        panels = []
        for letter, axes, (name, look) in zip("abcdefgh", row, looks.items(), strict=False):
            panels.append(Panel(axes, f"scaled-{name}"))
            rows = sampled[sampled["algorithm"] == name]
            _draw_curves(panels[-1], rows[~rows["below_bound"]], "scaled_samples")
            _note_range(axes, crossings, name)
            axes.set_title(f"({letter}) {look.label}")
            axes.set_xlabel(f"samples / ({_SCALE})")
        row[0].set_ylabel("share of runs that fail")

        left, right = halves[1].subplots(1, 2, sharey=True, width_ratios=(1, 1.25))
        letters = "abcdefgh"[len(looks) :]
        name = UNSCALED if UNSCALED in looks else next(iter(looks))
        panels.append(Panel(left, f"samples-{name}"))
        rows = sampled[sampled["algorithm"] == name]
        _draw_curves(panels[-1], rows[~rows["below_bound"]], "samples")
        left.set_title(f"({letters[0]}) {looks[name].label}, samples as they are")
        left.set_xlabel("samples")
        left.set_ylabel("share of runs that fail")
        panels.append(Panel(right, "below-bound"))
        _draw_below(panels[-1], table, looks)
        right.set_title(f"({letters[1]}) Down to budgets below the lower bound")
        right.set_xlabel(f"samples / ({_SCALE})")
        for axes in (*row, left, right):
            axes.set_ylim(-0.03, 1.06)
            axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
            label_samples(axes.xaxis)
        _legend(figure, sampled)
        sns.despine(fig=figure)
    return figure, collect(panels)


def _draw_curves(panel: Panel, table: pd.DataFrame, x: str) -> None:
    """Draw one curve for each cell, the base cell's on top."""
    panel.axes.set_xscale("log")
    for (axis, cell), rows in table.groupby([table["axis"].fillna(""), "cell"]):
        ordered = rows.sort_values("samples")
        is_base = cell == BASE
        look = _BASE_LOOK if is_base else _AXES[str(axis)]
        extra = {"linewidth": 1.6, "zorder": 3} if is_base else _CURVE
        panel.line(str(cell), "failures", ordered[x], ordered["failure_rate"], **look, **extra)
    low, high = panel.axes.get_xlim()
    half: dict[str, Any] = {"color": style.GUIDE_COLOUR, "linewidth": 0.8, "zorder": 0}
    panel.axes.axhline(0.5, **half)
    panel.axes.set_xlim(low, high)


def _note_range(axes: Axes, crossings: pd.DataFrame, name: str) -> None:
    """Write between which values all curves of a learner fall through one half."""
    rows = crossings[(crossings["algorithm"] == name) & (crossings["axis"] == "all")]
    for low, high, spread in rows[["crossing_low", "crossing_high", "spread"]].to_numpy(float):
        if np.isfinite(spread):
            text = f"half fail at\n{low:.2g}\N{EN DASH}{high:.2g}\n(ratio {spread:.2g})"
            place: dict[str, Any] = {"transform": axes.transAxes, "ha": "right", "va": "top"}
            axes.text(1.0, 0.98, text, fontsize=7.5, linespacing=1.15, **place)


def _draw_below(panel: Panel, table: pd.DataFrame, looks: dict[str, style.Series]) -> None:
    axes = panel.axes
    axes.set_xscale("log")
    positive = table[table["samples"] > 0]
    below = positive[positive["below_bound"] & (positive["cell"] == "below")]
    for name, look in looks.items():
        own = positive[positive["algorithm"] == name]
        for cell in ("below", BASE):
            rows = own[own["cell"] == cell].sort_values("samples")
            interval = rows["ci_low"], rows["ci_high"]
            x, y = rows["scaled_samples"], rows["failure_rate"]
            panel.line(f"{name} {cell}", "failures", x, y, **look.line())
            dot = {**look.dot(hollow=cell == "below"), "color": look.colour, "markersize": 4}
            panel.dots(f"{name} {cell}", "interval", x, y, interval, **dot)
    if not below.empty:
        first = below.iloc[0]
        bound = first["failing_samples"] * first["scaled_samples"] / first["samples"]
        low = positive["scaled_samples"].min()
        level = [_PROVED_RATE, _PROVED_RATE]
        panel.line("proved", "bound", [low, bound], level, **_PROVED)
        axes.plot([bound, bound], [0, _PROVED_RATE], color=style.NOTE_COLOUR, linewidth=0.8)
        text = "proved: of every\nalgorithm at least\n1/4 of the runs fail"
        axes.text(low, _PROVED_RATE - 0.03, text, fontsize=7.5, va="top", linespacing=1.1)
    handles = [
        style.handle(look.label, **look.line(), **look.dot(), markersize=4)
        for look in looks.values()
    ]
    axes.legend(handles=handles, loc="center left", bbox_to_anchor=(0.0, 0.62), borderpad=0)


def _legend(figure: Figure, table: pd.DataFrame) -> None:
    present = set(table["axis"].fillna(""))
    handles = [style.handle("base game", **_BASE_LOOK, linewidth=1.6)]
    handles += [
        style.handle(f"other {QUANTITIES[axis].words}", **look, **_CURVE)
        for axis, look in _AXES.items()
        if axis in present
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
