"""How far measured exponents are from those of the bounds, and from each other."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.lines import name_lines, write_columns
from ccerates.plots.points import Panel, collect, records, require_columns
from ccerates.plots.quantities import QUANTITIES, quantity_of
from ccerates.theory.rates import RATES, SHARP_ALGORITHM, TOLERANCE

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
_LOCAL: dict[str, Any] = {"marker": "x", "markersize": 4.2, "markeredgewidth": 0.9, "zorder": 4}
_OF_BOUNDS: dict[str, Any] = {"marker": "|", "markersize": 9, "markeredgewidth": 1.6}
_OF_BOUNDS["color"] = style.NOTE_COLOUR
_EQUAL: dict[str, Any] = {"color": style.NOTE_COLOUR, "linewidth": 0.6, "linestyle": (0, (4, 3))}
_GRID: dict[str, Any] = {"color": style.GUIDE_COLOUR, "linewidth": 0.5}
_LINE_HEIGHT = 0.155
"""In inches."""


def exponents_figure(
    exponents: pd.DataFrame, differences: pd.DataFrame
) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``exponents`` and what is drawn in it.

    Every row is one algorithm on one axis in one setting. Panel (a) shows the measured exponent
    minus the bound's, with its interval, in front of the band of exponents that agree with the
    bound (`ccerates.theory.rates.Rate.band`, cut off at the edge of the figure where it is open).
    The exponents themselves and the verdict stand beside it. Panel (b), in the rows of baselines:
    exponent minus that of the setting's sharp algorithm, and the difference of their bounds.

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
        If a column is missing or a difference belongs to none of the exponents.
    """
    require_columns(exponents, EXPONENTS, "exponents")
    require_columns(differences, DIFFERENCES, "differences of exponents")
    looks = style.looks(exponents["algorithm"])
    rows, heads = _arrange(exponents, list(looks))
    num_lines = rows["line"].max() + 1
    ratios = (1.5, 1) if len(differences) else (1,)
    with style.context():
        size = (style.WIDTH, 1.2 + _LINE_HEIGHT * num_lines)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(1, len(ratios), squeeze=False, width_ratios=ratios)[0]
        panels = [Panel(grid[0], "exponents")]
        _draw_exponents(panels[0], rows, heads, looks)
        if len(differences):
            panels.append(Panel(grid[1], "differences"))
            _draw_differences(panels[1], _on_lines(differences, rows), looks)
            grid[0].set_title("(a) Against the bounds")
            grid[1].set_title("(b) Against each other")
        for axes in grid:
            axes.set_ylim(num_lines - 0.3, -0.6)
            axes.grid(axis="x", **_GRID)
        _legend(figure, differences)
        sns.despine(fig=figure, left=True)
    return figure, collect(panels)


def _arrange(exponents: pd.DataFrame, order: list[str]) -> tuple[pd.DataFrame, dict[int, str]]:
    """Return the table with a column ``line``, and the headings of its groups by line."""
    ranked = exponents.assign(rank=exponents["algorithm"].map(order.index)).sort_values("rank")
    heads: dict[int, str] = {}
    parts = []
    line = 0
    for setting in [name for name in SHARP_ALGORITHM if (exponents["setting"] == name).any()]:
        heads[line] = setting.upper()
        line += 1
        mine = ranked[ranked["setting"] == setting]
        for axis in [name for name in QUANTITIES if (mine["axis"] == name).any()]:
            group = mine[mine["axis"] == axis]
            heads[line] = quantity_of(axis, setting).label
            parts.append(group.assign(line=range(line + 1, line + 1 + len(group))))
            line += 1 + len(group)
        line += 1  # An empty one between settings.
    return pd.concat(parts, ignore_index=True), heads


def _on_lines(differences: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the differences with ``line`` of the baseline and ``bounds``, that of the bounds."""
    place = ["setting", "axis", "algorithm"]
    theory = rows.set_index(place)["theory"]
    lines = rows.set_index(place)["line"]
    found = differences.copy()
    for row in records(differences):
        if (row.setting, row.axis, row.baseline) not in lines:
            raise InputError(
                f"differences of exponents: {row.baseline} on the axis {row.axis}, {row.setting},"
                " has no row among the exponents; write both tables from the same runs"
            )
    names = [differences[["setting", "axis", name]] for name in ("baseline", "algorithm")]
    baseline, sharp = (list(map(tuple, table.to_numpy())) for table in names)
    found["line"] = [lines[name] for name in baseline]
    found["bounds"] = [
        theory[one] - theory.get(other, np.nan) for one, other in zip(baseline, sharp, strict=True)
    ]
    return found


def _draw_exponents(
    panel: Panel, rows: pd.DataFrame, heads: Mapping[int, str], looks: Mapping[str, style.Series]
) -> None:
    axes = panel.axes
    measured = rows[["measured", "ci_low", "ci_high", "local_slope"]].sub(rows["theory"], axis=0)
    widest = max(TOLERANCE.values())
    axes.set(xlim=_reach([*measured.to_numpy().ravel(), -widest, widest]))
    columns: dict[int, tuple[str, ...]] = {0: ("bound", "measured", "verdict")}
    for row in records(rows):
        _draw_row(panel, row, looks[row.algorithm])
        interval = style.with_interval(row.measured, row.ci_low, row.ci_high)
        columns[row.line] = (_number(row.theory), interval, row.verdict)
    _draw_zero(panel, "bound", rows, _BOUND)
    axes.set_xlabel("measured minus bound")
    names = dict(zip(rows["line"], (looks[name].label for name in rows["algorithm"]), strict=True))
    name_lines(axes, heads, names)
    write_columns(axes, columns, (4, 28, 101))


def _draw_zero(panel: Panel, name: str, rows: pd.DataFrame, look: dict[str, Any]) -> None:
    """Draw an upright line at 0 through the rows of each setting."""
    for _, mine in rows.groupby("setting", sort=False):
        ends = [mine["line"].min() - 0.5, mine["line"].max() + 0.5]
        panel.line(name, "reference", [0, 0], ends, zorder=1, **look)


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
    panel: Panel, differences: pd.DataFrame, looks: Mapping[str, style.Series]
) -> None:
    axes = panel.axes
    columns: dict[int, tuple[str, ...]] = {0: ("measured",)}
    for row in records(differences):
        place = f"{row.setting} {row.axis} {row.baseline}"
        panel.dots(place, "bounds", row.bounds, row.line, zorder=2, **_OF_BOUNDS)
        look = looks[row.baseline]
        dot = {"color": look.colour, "zorder": 3, **look.dot()}
        interval = (row.ci_low, row.ci_high)
        panel.dots(place, "measured", row.difference, row.line, interval, horizontal=True, **dot)
        columns[row.line] = (style.with_interval(row.difference, row.ci_low, row.ci_high),)
    shown = differences[["difference", "ci_low", "ci_high", "bounds"]].to_numpy().ravel()
    axes.set(xlim=_reach([0.0, *shown]))
    _draw_zero(panel, "equal", differences, _EQUAL)
    sharp = [style.SERIES[name].label for name in differences["algorithm"].unique()]
    axes.set_xlabel("minus " + "\nor ".join(sharp))
    axes.set_yticks([])
    write_columns(axes, columns, (4,))


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
