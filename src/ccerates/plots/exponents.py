"""How far measured exponents are from those of the bounds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ccerates.plots import style
from ccerates.plots.points import Panel, collect, records, require_columns
from ccerates.theory.rates import RATES, TOLERANCE

EXPONENTS = [
    *("setting", "algorithm", "axis", "theory", "measured"),
    *("ci_low", "ci_high", "local_slope", "verdict"),
]
"""Columns that are read; more may be there."""

_SYMBOLS = {
    "horizon": "$H$",
    "players": "$m$",
    "actions": "$A$",
    "states": "$S$",
    "epsilon": r"$\varepsilon$",
}

_BOUND: dict[str, Any] = {"color": style.NOTE_COLOUR, "linewidth": 0.9}
_BAND: dict[str, Any] = {"color": "0.9"}
_LOCAL: dict[str, Any] = {"marker": "x", "markersize": 4.5, "markeredgewidth": 0.9, "zorder": 4}


def exponents_figure(exponents: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``exponents`` and what is drawn in it.

    Every row shows the measured exponent minus the bound's, with its interval, in front of the
    band of exponents that agree with the bound (`ccerates.theory.rates.Rate.band`, cut off at the
    edge of the figure where it is open). The exponents themselves and the verdict stand beside it.

    Parameters
    ----------
    exponents
        One row per setting, axis and algorithm, `EXPONENTS`. A row that lacks the bound's or the
        measured exponent has words only.

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
    looks = style.looks(exponents["algorithm"])
    rows, heads = _arrange(exponents, list(looks))
    with style.context():
        num_lines = len(rows) + len(heads)
        figure = Figure(figsize=(style.WIDTH, 0.95 + 0.2 * num_lines), layout="constrained")
        axes = figure.subplots()
        axes.set(xlim=_reach(rows), ylim=(num_lines - 0.3, -0.6))
        panel = Panel(axes, "exponents")
        for row in records(rows):
            _draw_row(panel, row, looks[row.algorithm])
        panel.line("bound", "reference", [0, 0], [0.5, num_lines - 0.5], zorder=1, **_BOUND)
        axes.set_xlabel("measured exponent, minus the exponent of the bound")
        axes.grid(axis="x", color=style.GUIDE_COLOUR, linewidth=0.5)
        _label_lines(axes, rows, heads, looks)
        _legend(figure)
        sns.despine(fig=figure, left=True)
    return figure, collect([panel])


def _arrange(exponents: pd.DataFrame, order: list[str]) -> tuple[pd.DataFrame, dict[int, str]]:
    """Return the table with a column ``line``, and the headings of its groups by line."""
    ranked = exponents.assign(rank=exponents["algorithm"].map(order.index)).sort_values("rank")
    heads: dict[int, str] = {}
    parts = []
    line = 0
    for setting, axis in exponents[["setting", "axis"]].drop_duplicates().itertuples(index=False):
        group = ranked[(ranked["setting"] == setting) & (ranked["axis"] == axis)]
        heads[line] = f"{setting}, {axis} {_SYMBOLS.get(axis, '')}".rstrip()
        parts.append(group.assign(line=range(line + 1, line + 1 + len(group))))
        line += 1 + len(group)
    return pd.concat(parts, ignore_index=True), heads


def _reach(rows: pd.DataFrame) -> tuple[float, float]:
    """Return limits that hold every point, interval and tolerance."""
    measured = rows[["measured", "ci_low", "ci_high", "local_slope"]].sub(rows["theory"], axis=0)
    widest = max(TOLERANCE.values())
    low = np.nanmin([*measured.to_numpy().ravel(), -widest])
    high = np.nanmax([*measured.to_numpy().ravel(), widest])
    margin = 0.08 * (high - low)
    return float(low - margin), float(high + margin)


def _draw_row(panel: Panel, row: Any, look: style.Series) -> None:
    place = f"{row.setting} {row.axis} {row.algorithm}"
    if (row.setting, row.algorithm) in RATES:
        ends = np.array(RATES[row.setting, row.algorithm].band(row.axis)) - row.theory
        low, high = np.clip(ends, *panel.axes.get_xlim())
        panel.dots(
            place,
            "agreement",
            0,
            row.line,
            (low, high),
            horizontal=True,
            bar_width=9,
            zorder=0,
            **_BAND,
        )
    if np.isfinite(row.measured - row.theory):
        interval = (row.ci_low - row.theory, row.ci_high - row.theory)
        dot = {"color": look.colour, "zorder": 3, **look.dot()}
        x = row.measured - row.theory
        panel.dots(place, "measured", x, row.line, interval, horizontal=True, **dot)
        x = row.local_slope - row.theory
        panel.dots(place, "local-slope", x, row.line, color=style.NOTE_COLOUR, **_LOCAL)


def _label_lines(
    axes: Axes, rows: pd.DataFrame, heads: dict[int, str], looks: Mapping[str, style.Series]
) -> None:
    """Name the lines on the left and write exponents and verdicts on the right."""
    lines = rows["line"].to_list()
    names = [looks[name].label for name in rows["algorithm"]]
    axes.set_yticks([*heads, *lines], [*heads.values(), *names])
    for label in axes.get_yticklabels()[: len(heads)]:
        label.set_fontweight("bold")
    axes.tick_params(axis="y", length=0)
    texts: list[tuple[int, tuple[str, str, str]]] = [(0, ("bound", "measured", "verdict"))]
    for row in records(rows):
        bound = f"{row.theory:g}".replace("-", "\N{MINUS SIGN}") if np.isfinite(row.theory) else ""
        measured = style.with_interval(row.measured, row.ci_low, row.ci_high)
        texts.append((row.line, (bound, measured, row.verdict)))
    for line, columns in texts:
        for text, offset in zip(columns, (8, 36, 118), strict=True):
            axes.annotate(
                text,
                (1, line),
                xycoords=axes.get_yaxis_transform(),
                xytext=(offset, 0),
                textcoords="offset points",
                va="center",
                fontsize=axes.get_yticklabels()[0].get_fontsize(),
            )


def _legend(figure: Figure) -> None:
    note = {"color": style.NOTE_COLOUR}
    handles = [
        style.handle("measured, 95 % interval", marker="o", linewidth=1.1, **note),
        style.handle("slope of the last two points", linestyle="none", **note, **_LOCAL),
        style.handle("bound", **_BOUND),
        style.handle("agreement with the bound", linewidth=7, solid_capstyle="butt", **_BAND),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
