"""Samples that the simulator learners need, against the horizon, and how their gaps fall."""

import math
from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.ticker import (
    LogFormatterSciNotation,
    LogLocator,
    NullLocator,
    StrMethodFormatter,
)

from ccerates.plots import style
from ccerates.plots.points import Panel, collect, records, require_columns

EXPERIMENT = "sim-horizon"

TARGETS = [
    *("experiment", "algorithm", "value", "samples_to_target", "ci_low", "ci_high"),
    *("log_variance", "status", "fitted"),
]
CURVES = [
    *("experiment", "algorithm", "value", "samples", "target"),
    *("gap_mean", "gap_quartile_low", "gap_quartile_high"),
]
EXPONENTS = [
    *("setting", "algorithm", "axis", "theory"),
    *("measured", "ci_low", "ci_high", "fit_low", "fit_high"),
]
"""Columns that are read; more may be there."""

# Arrows that stand on their points. Markers are scaled to unit size about the origin.
_SHAFT_AND_HEAD = np.array([(0, 0), (0, 3), (-0.5, 2), (0, 3), (0.5, 2)])
_CODES = [Path.MOVETO, Path.LINETO, Path.MOVETO, Path.LINETO, Path.LINETO]
_ARROWS = {
    "censored": Path(_SHAFT_AND_HEAD, _CODES),
    "below-grid": Path(-_SHAFT_AND_HEAD, _CODES),
}

_TARGET: dict[str, Any] = {"color": style.NOTE_COLOUR, "linestyle": (0, (1, 1.5))}
_GUIDE: dict[str, Any] = {"color": style.GUIDE_COLOUR, "linewidth": 0.6}


def sim_horizon_figure(
    targets: pd.DataFrame,
    curves: pd.DataFrame,
    exponents: pd.DataFrame,
    target_fraction: float,
) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``sim-horizon`` and what is drawn in it.

    Panel (a): samples to target against H; (b): the same divided by H to the power of the bound,
    which is flat if the bound describes the growth; from (c) on: the gap of one algorithm against
    samples for each H. The tables are those of `ccerates.analysis`; rows of other experiments are
    ignored.

    Parameters
    ----------
    targets
        One row per algorithm and H, `TARGETS`. ``status`` is ``measured``, ``censored`` (the
        target was not reached within the budgets: an arrow up from the largest budget),
        ``below-grid`` (reached before the smallest budget: an arrow down from it) or ``invalid``
        (left out); for the second and third the samples are the budget. ``log_variance`` is that
        of ln(samples), the fit's weight.
    curves
        One row per algorithm, H and budget, `CURVES`, over replicates.
    exponents
        `EXPONENTS`; the rows of the simulator and the axis ``horizon`` are used.
    target_fraction
        The target gap divided by the parameter epsilon_0 of the game.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`.

    Raises
    ------
    InputError
        If a column is missing.
    """
    require_columns(targets, TARGETS, "samples to target")
    require_columns(curves, CURVES, "gap curves")
    require_columns(exponents, EXPONENTS, "exponents")
    crossings = targets[(targets["experiment"] == EXPERIMENT) & (targets["status"] != "invalid")]
    curves = curves[curves["experiment"] == EXPERIMENT]
    here = (exponents["setting"] == "simulator") & (exponents["axis"] == "horizon")
    fits = exponents[here]
    looks = style.looks(curves["algorithm"])
    goal = rf"$\varepsilon_0/{1 / target_fraction:g}$"
    power = float(fits["theory"].max())
    bound = f"$H^{{{power:g}}}$"

    with style.context():
        num_rows = 1 + math.ceil(len(looks) / 2)
        figure = Figure(figsize=(style.WIDTH, 2.5 * num_rows), layout="constrained")
        first, second, *below = figure.subplots(num_rows, 2).ravel()
        growth = Panel(first, "samples-to-target")
        _draw_crossings(growth, crossings, fits, looks, power=0)
        if crossings.empty:
            first.text(
                0.5, 0.5, "no cell with a valid target", transform=first.transAxes, ha="center"
            )
        else:
            _draw_guides(growth, power)
        first.set_ylabel("samples (simulator calls)")
        first.set_title(f"(a) Samples until the mean CCE gap is ≤ {goal}")

        level = Panel(second, "samples-to-target-over-bound")
        _draw_crossings(level, crossings, fits, looks, power)
        _name_exponents(level, fits, looks)
        second.grid(axis="y", **_GUIDE)
        second.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        second.yaxis.set_major_formatter(LogFormatterSciNotation(minor_thresholds=(99, 99)))
        second.yaxis.set_minor_locator(NullLocator())
        second.set_ylabel(f"samples / {bound}")
        second.set_title(f"(b) The same, divided by {bound}")

        panels = [growth, level]
        for axes in below[1:]:
            axes.sharex(below[0])
            axes.sharey(below[0])
        for axes, letter, name in zip(below, ascii_lowercase[2:], looks, strict=False):
            panels.append(Panel(axes, f"gap-{name}"))
            _draw_decay(panels[-1], curves[curves["algorithm"] == name], name, looks[name])
            axes.set_title(f"({letter}) {looks[name].label}: gap against samples, by horizon")
            axes.set_ylabel("CCE gap, mean and quartiles")
        for axes in below[len(looks) :]:
            axes.remove()
        # Room for the labels under the curves.
        low, high = below[0].get_ylim()
        below[0].set_ylim(low * (low / high) ** 0.1, high)
        _legend(figure, looks, crossings, f"{goal} = {curves['target'].iloc[0]:g}", bound)
        sns.despine(fig=figure)
    return figure, collect(panels)


def _draw_crossings(
    panel: Panel,
    crossings: pd.DataFrame,
    fits: pd.DataFrame,
    looks: Mapping[str, style.Series],
    power: float,
) -> None:
    """Draw samples to target over H**power, and the fits, on logarithmic axes."""
    axes = panel.axes
    axes.set(xscale="log", yscale="log", xlabel="horizon $H$", ymargin=0.12)
    for name, look in looks.items():
        mine = crossings[crossings["algorithm"] == name]
        fitted = mine[mine["fitted"].astype(bool)]
        for fit in records(fits[(fits["algorithm"] == name) & fits["measured"].notna()]):
            reach = np.array([fit.fit_low, fit.fit_high])
            line = _fit_line(fitted, fit.measured, reach) / reach**power
            panel.line(name, "fit", reach, line, zorder=2, **look.line())
        for cell in records(mine):
            kind = cell.status if cell.status != "measured" or cell.fitted else "not-fitted"
            scale = cell.value**power
            y = cell.samples_to_target / scale
            if kind in _ARROWS:
                axes.plot(cell.value, y, color=look.colour, marker=_ARROWS[kind], markersize=22)
            interval = (cell.ci_low / scale, cell.ci_high / scale)
            dot = look.dot(hollow=kind != "measured")
            panel.dots(name, kind, cell.value, y, interval, zorder=3, color=look.colour, **dot)
    values = np.sort(crossings["value"].unique())
    axes.set_xticks(values, [f"{value:g}" for value in values])
    axes.xaxis.set_minor_locator(NullLocator())


def _fit_line(fitted: pd.DataFrame, slope: float, x: np.ndarray) -> np.ndarray:
    """Return the fitted line at `x`; it passes through the weighted mean of the points."""
    variance = fitted["log_variance"].to_numpy(dtype=float)
    weights = 1 / variance if (variance > 0).all() else np.ones(len(fitted))
    value, samples = (
        np.average(np.log(fitted[name].to_numpy(dtype=float)), weights=weights)
        for name in ("value", "samples_to_target")
    )
    return np.asarray(np.exp(samples + slope * (np.log(x) - value)))


def _name_exponents(panel: Panel, fits: pd.DataFrame, looks: Mapping[str, style.Series]) -> None:
    """Write the fitted exponents above the points."""
    axes = panel.axes
    handles = []
    for name, look in looks.items():
        for fit in records(fits[(fits["algorithm"] == name) & fits["measured"].notna()]):
            text = f"exponent {style.with_interval(fit.measured, fit.ci_low, fit.ci_high)}"
            handles.append(style.handle(text, **look.line(), **look.dot()))
    low, high = axes.get_ylim()
    share = 0.1 * len(handles)
    axes.set_ylim(low, high * (high / low) ** (share / (1 - share)))
    if handles:
        paper = {"facecolor": "white", "edgecolor": "none", "framealpha": 1, "frameon": True}
        axes.legend(handles=handles, loc="upper center", borderpad=0.2, labelspacing=0.3, **paper)


def _draw_guides(panel: Panel, power: float) -> None:
    """Draw parallel lines of slope `power` behind the points, one per factor of ten."""
    x = np.array(panel.axes.get_xlim())
    low, high = panel.axes.get_ylim()
    lowest = math.ceil(np.log10(low / x[1] ** power))
    highest = math.floor(np.log10(high / x[0] ** power))
    for exponent in range(lowest, highest + 1):
        y = 10.0**exponent * x**power
        panel.line(f"H^{power:g}", "guide", x, y, zorder=0, **_GUIDE)
    panel.axes.set(xlim=x, ylim=(low, high))


def _draw_decay(panel: Panel, curves: pd.DataFrame, name: str, look: style.Series) -> None:
    """Draw the mean gap and its quartiles against samples, darker for larger horizons."""
    axes = panel.axes
    axes.set(xscale="log", yscale="log", xlabel="samples")
    values = np.sort(curves["value"].unique())
    shades = sns.light_palette(look.colour, n_colors=len(values) + 3)[3:]
    for value, shade in zip(values, shades, strict=True):
        curve = curves[curves["value"] == value].sort_values("samples")
        x, y = curve["samples"], curve["gap_mean"]
        quartiles = (curve["gap_quartile_low"], curve["gap_quartile_high"])
        dot = {"color": shade, "marker": look.marker, "markersize": 2.5}
        panel.line(f"{name} H={value:g}", "mean", x, y, quartiles, **dot)
        axes.annotate(
            f"$H={value:g}$" if value == values[0] else f"${value:g}$",
            (x.iloc[-1], min(y.iloc[-1], quartiles[0].iloc[-1])),
            xytext=(0, -4),
            textcoords="offset points",
            ha="center",
            va="top",
            color=style.NOTE_COLOUR,
        )
    ends = [curves["samples"].min(), curves["samples"].max()]
    target = curves["target"].iloc[0]
    panel.line("target", "target", ends, [target, target], **_TARGET)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_locator(NullLocator())


def _legend(
    figure: Figure,
    looks: Mapping[str, style.Series],
    crossings: pd.DataFrame,
    target: str,
    bound: str,
) -> None:
    """Explain algorithms, hollow points, arrows and lines above the panels."""
    handles = [style.handle(look.label, **look.line(), **look.dot()) for look in looks.values()]
    note: dict[str, Any] = {"color": style.NOTE_COLOUR, "linestyle": "none"}
    if ((crossings["status"] == "measured") & ~crossings["fitted"].astype(bool)).any():
        handles.append(style.handle("not fitted", marker="o", markerfacecolor="white", **note))
    if (crossings["status"] == "censored").any():
        handles.append(style.handle("above largest budget", marker=r"$\uparrow$", ms=8, **note))
    if (crossings["status"] == "below-grid").any():
        text = "below smallest budget"
        handles.append(style.handle(text, marker=r"$\downarrow$", ms=8, **note))
    handles.append(style.handle(f"target {target}", **_TARGET))
    handles.append(style.handle(rf"guide $\propto$ {bound}", **_GUIDE))
    figure.legend(
        handles=handles, loc="outside upper center", ncols=len(handles) if len(handles) <= 6 else 4
    )
