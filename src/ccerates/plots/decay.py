"""How the gap of one algorithm falls with samples, one curve for each value of a sweep."""

from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.patheffects import withStroke

from ccerates.plots import style
from ccerates.plots.points import Panel
from ccerates.plots.quantities import Quantity

CURVES = [
    *("experiment", "algorithm", "value", "samples", "target", "gap_kind"),
    *("gap_mean", "gap_quartile_low", "gap_quartile_high"),
]
"""Columns that are read; more may be there."""

TARGET: dict[str, Any] = {"color": style.NOTE_COLOUR, "linestyle": (0, (1, 1.5))}
"""Look of the gap to reach."""

_HALO = [withStroke(linewidth=2, foreground="white")]

_ROW: dict[str, Any] = {
    "handlelength": 1.4,
    "handletextpad": 0.4,
    "columnspacing": 0.9,
    "borderpad": 0.0,
    "borderaxespad": 0.2,
}

CLOSE = 1.4
"""Ratio of samples at which labels of two curves would touch."""


def _values(curves: pd.DataFrame, quantity: Quantity) -> np.ndarray:
    """Return the values of the sweep in the direction in which samples should grow."""
    values = np.sort(curves["value"].unique())
    return values[::-1] if quantity.falling else values


def ends_apart(curves: pd.DataFrame, quantity: Quantity, num_lines: int) -> bool:
    """Return whether the curves of one algorithm end so far apart that a label fits under each.

    Labels may stand on `num_lines` lines in turn.
    """
    values = _values(curves, quantity)
    ends = [curves.loc[curves["value"] == value, "samples"].max() for value in values]
    pairs = zip(ends, ends[num_lines:], strict=False)
    return ends == sorted(set(ends)) and all(later > CLOSE * end for end, later in pairs)


def draw_decay(
    panel: Panel,
    curves: pd.DataFrame,
    look: style.Series,
    quantity: Quantity,
    *,
    labels: bool,
) -> None:
    """Draw the mean gap and its quartiles against samples, darker where samples grow.

    Parameters
    ----------
    panel
        Where to draw.
    curves
        `CURVES` of one algorithm.
    look
        Its look.
    quantity
        What the sweep varies.
    labels
        Whether its value stands under each curve, and not in a legend.
    """
    axes = panel.axes
    upper = (curves["gap_kind"] == "upper").any()
    words = "upper bound on CCE gap,\n" if upper else "CCE gap, "
    axes.set(xscale="log", yscale="log", xlabel="samples", ylabel=f"{words}mean and quartiles")
    values = _values(curves, quantity)
    shades = sns.light_palette(look.colour, n_colors=len(values) + 3)[3:]
    previous = 0.0
    for value, shade in zip(values, shades, strict=True):
        curve = curves[curves["value"] == value].sort_values("samples")
        x, y = curve["samples"], curve["gap_mean"]
        quartiles = (curve["gap_quartile_low"], curve["gap_quartile_high"])
        dot = {"color": shade, "marker": look.marker, "markersize": 2}
        series = f"{curve['algorithm'].iloc[0]} {value:g}"
        panel.line(series, "mean", x, y, quartiles, bars=True, **dot)
        if not labels:
            continue
        first = value == values[0]
        # A label close behind another one stands a line lower.
        drop = 4 if x.iloc[-1] > CLOSE * previous else 13
        previous = x.iloc[-1] if drop == 4 else 0.0
        axes.annotate(
            f"${quantity.symbol}={value:g}$" if first else f"${value:g}$",
            (x.iloc[-1], min(y.iloc[-1], quartiles[0].iloc[-1])),
            # The first has no neighbour on its left.
            xytext=(4 if first else 0, -drop),
            textcoords="offset points",
            ha="right" if first else "center",
            va="top",
            color=style.NOTE_COLOUR,
            path_effects=_HALO,
        )
    if not labels:
        handles = [
            style.handle(
                f"${quantity.symbol}={value:g}$" if value == values[0] else f"${value:g}$",
                color=shade,
                marker=look.marker,
                markersize=3,
            )
            for value, shade in zip(values, shades, strict=True)
        ]
        axes.legend(handles=handles, loc="lower center", ncols=len(values), **_ROW)
    for target, reached in curves.groupby("target"):
        reach = np.array([reached["samples"].min(), reached["samples"].max()])
        panel.line("target", "target", reach, np.full(2, target), **TARGET)
