"""How far measured exponents are from those of the bounds, and from each other."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ccerates.plots import style
from ccerates.plots.lines import name_lines
from ccerates.plots.points import Panel, collect, records, require_columns
from ccerates.plots.quantities import QUANTITIES
from ccerates.theory.rates import RATES, TOLERANCE

EXPONENTS = [
    *("setting", "algorithm", "axis", "theory", "measured"),
    *("ci_low", "ci_high", "local_slope", "verdict"),
]
DIFFERENCES = [
    *("setting", "axis", "baseline", "algorithm"),
    *("difference", "ci_low", "ci_high"),
]
"""Columns that are read; more may be there."""

_BOUND: dict[str, Any] = {"color": style.NOTE_COLOUR, "linewidth": 0.9}
_BAND: dict[str, Any] = {"color": "0.9"}
_LOCAL: dict[str, Any] = {"marker": "x", "markersize": 4.5, "markeredgewidth": 0.9, "zorder": 4}
_OF_BOUNDS: dict[str, Any] = {"marker": "|", "markersize": 11, "markeredgewidth": 1.6}
_OF_BOUNDS["color"] = style.NOTE_COLOUR
_EQUAL: dict[str, Any] = {"color": style.NOTE_COLOUR, "linewidth": 0.6, "linestyle": (0, (4, 3))}
_GRID: dict[str, Any] = {"color": style.GUIDE_COLOUR, "linewidth": 0.5}
_LINE_HEIGHT = 0.2


def exponents_figure(
    exponents: pd.DataFrame, differences: pd.DataFrame
) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``exponents`` and what is drawn in it.

    Panel (a): every row shows the measured exponent minus the bound's, with its interval, in front
    of the band of exponents that agree with the bound (`ccerates.theory.rates.Rate.band`, cut off
    at the edge of the figure where it is open). The exponents themselves and the verdict stand
    beside it. Panel (b): exponent of a baseline minus that of the sharp algorithm, and the
    difference of their bounds.

    Parameters
    ----------
    exponents
        One row per setting, axis and algorithm, `EXPONENTS`. A row that lacks the bound's or the
        measured exponent has words only.
    differences
        One row per setting, axis and baseline, `DIFFERENCES`; with no rows there is no panel (b).

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`; y counts lines from the top.

    Raises
    ------
    InputError
        If a column is missing.
    """
    require_columns(exponents, EXPONENTS, "exponents")
    require_columns(differences, DIFFERENCES, "differences of exponents")
    looks = style.looks([*exponents["algorithm"], *differences["baseline"]])
    rows, heads = _arrange(exponents, list(looks))
    with style.context():
        counts = [len(rows) + len(heads)] + ([len(differences) + 1] if len(differences) else [])
        height = 0.55 + sum(0.6 + _LINE_HEIGHT * count for count in counts)
        figure = Figure(figsize=(style.WIDTH, height), layout="constrained")
        grid = figure.subplots(len(counts), 1, squeeze=False, height_ratios=counts)[:, 0]
        panels = [Panel(grid[0], "exponents")]
        _draw_exponents(panels[0], rows, heads, looks)
        if len(differences):
            panels.append(Panel(grid[1], "differences"))
            _draw_differences(panels[1], differences, exponents, looks)
            grid[0].set_title("(a) Against the bounds")
            grid[1].set_title("(b) Against each other")
        _legend(figure, differences)
        sns.despine(fig=figure, left=True)
    return figure, collect(panels)


def _arrange(exponents: pd.DataFrame, order: list[str]) -> tuple[pd.DataFrame, dict[int, str]]:
    """Return the table with a column ``line``, and the headings of its groups by line."""
    ranked = exponents.assign(rank=exponents["algorithm"].map(order.index)).sort_values("rank")
    heads: dict[int, str] = {}
    parts = []
    line = 0
    for setting, axis in exponents[["setting", "axis"]].drop_duplicates().itertuples(index=False):
        group = ranked[(ranked["setting"] == setting) & (ranked["axis"] == axis)]
        heads[line] = f"{setting}, {QUANTITIES[axis].label}"
        parts.append(group.assign(line=range(line + 1, line + 1 + len(group))))
        line += 1 + len(group)
    return pd.concat(parts, ignore_index=True), heads


def _draw_exponents(
    panel: Panel, rows: pd.DataFrame, heads: Mapping[int, str], looks: Mapping[str, style.Series]
) -> None:
    axes = panel.axes
    num_lines = len(rows) + len(heads)
    measured = rows[["measured", "ci_low", "ci_high", "local_slope"]].sub(rows["theory"], axis=0)
    widest = max(TOLERANCE.values())
    axes.set(xlim=_reach([*measured.to_numpy().ravel(), -widest, widest]))
    axes.set(ylim=(num_lines - 0.3, -0.6))
    columns: dict[int, tuple[str, ...]] = {0: ("bound", "measured", "verdict")}
    for row in records(rows):
        _draw_row(panel, row, looks[row.algorithm])
        interval = style.with_interval(row.measured, row.ci_low, row.ci_high)
        columns[row.line] = (_number(row.theory), interval, row.verdict)
    panel.line("bound", "reference", [0, 0], [0.5, num_lines - 0.5], zorder=1, **_BOUND)
    axes.set_xlabel("measured exponent, minus the exponent of the bound")
    axes.grid(axis="x", **_GRID)
    names = dict(zip(rows["line"], (looks[name].label for name in rows["algorithm"]), strict=True))
    name_lines(axes, heads, names, columns)


def _draw_row(panel: Panel, row: Any, look: style.Series) -> None:
    place = f"{row.setting} {row.axis} {row.algorithm}"
    if (row.setting, row.algorithm) in RATES:
        ends = np.array(RATES[row.setting, row.algorithm].band(row.axis)) - row.theory
        low, high = np.clip(ends, *panel.axes.get_xlim())
        band = {"horizontal": True, "bar_width": 9, "zorder": 0, **_BAND}
        panel.dots(place, "agreement", 0, row.line, (low, high), **band)
    if np.isfinite(row.measured - row.theory):
        interval = (row.ci_low - row.theory, row.ci_high - row.theory)
        dot = {"color": look.colour, "zorder": 3, **look.dot()}
        x = row.measured - row.theory
        panel.dots(place, "measured", x, row.line, interval, horizontal=True, **dot)
        x = row.local_slope - row.theory
        panel.dots(place, "local-slope", x, row.line, color=style.NOTE_COLOUR, **_LOCAL)


def _draw_differences(
    panel: Panel,
    differences: pd.DataFrame,
    exponents: pd.DataFrame,
    looks: Mapping[str, style.Series],
) -> None:
    axes = panel.axes
    theory = exponents.set_index(["setting", "axis", "algorithm"])["theory"]
    names: dict[int, str] = {}
    columns: dict[int, tuple[str, ...]] = {0: ("bounds", "measured")}
    shown = [0.0, *differences[["difference", "ci_low", "ci_high"]].to_numpy().ravel()]
    for line, row in enumerate(records(differences), start=1):
        place = f"{row.setting} {row.axis} {row.baseline}"
        mine, other = (
            theory.get((row.setting, row.axis, name), np.nan)
            for name in (row.baseline, row.algorithm)
        )
        bounds = mine - other
        shown.append(bounds)
        panel.dots(place, "bounds", bounds, line, zorder=2, **_OF_BOUNDS)
        look = looks[row.baseline]
        dot = {"color": look.colour, "zorder": 3, **look.dot()}
        interval = (row.ci_low, row.ci_high)
        panel.dots(place, "measured", row.difference, line, interval, horizontal=True, **dot)
        names[line] = f"{look.label}, {QUANTITIES[row.axis].label}"
        text = style.with_interval(row.difference, row.ci_low, row.ci_high)
        columns[line] = (_number(bounds), text)
    axes.set(xlim=_reach(shown), ylim=(len(names) + 0.7, -0.6))
    panel.line("equal", "reference", [0, 0], [0.5, len(names) + 0.5], zorder=1, **_EQUAL)
    sharp = " or ".join(looks[name].label for name in differences["algorithm"].unique())
    axes.set_xlabel(f"exponent, minus that of {sharp} on the same games")
    axes.grid(axis="x", **_GRID)
    name_lines(axes, {0: "minus " + sharp}, names, columns)


def _reach(numbers: list[float]) -> tuple[float, float]:
    """Return limits that hold all numbers that are known, at least 0.1 on both sides."""
    low, high = np.nanmin(numbers), np.nanmax(numbers)
    margin = max(0.08 * (high - low), 0.1)
    return float(low - margin), float(high + margin)


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "\N{MINUS SIGN}") if np.isfinite(value) else ""


def _legend(figure: Figure, differences: pd.DataFrame) -> None:
    note = {"color": style.NOTE_COLOUR}
    handles = [
        style.handle("measured, 95 % interval", marker="o", linewidth=1.1, **note),
        style.handle("slope of the last two points", linestyle="none", **note, **_LOCAL),
        style.handle("bound", **_BOUND),
        style.handle("agreement with the bound", linewidth=7, solid_capstyle="butt", **_BAND),
    ]
    if len(differences):
        text = "difference of the bounds"
        handles.append(style.handle(text, linestyle="none", **_OF_BOUNDS))
    figure.legend(handles=handles, **style.legend_above(len(handles)))
