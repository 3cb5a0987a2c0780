"""Samples to target against what a sweep varies: points, fits and the slopes of the bounds."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.ticker import NullLocator

from ccerates.plots import style
from ccerates.plots.points import Panel, records, require_columns
from ccerates.plots.quantities import Quantity, quantity_of
from ccerates.plots.ticks import label_gaps, label_samples

TARGETS = [
    *("experiment", "algorithm", "value", "samples_to_target", "ci_low", "ci_high"),
    *("log_variance", "status", "fitted"),
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

GUIDE: dict[str, Any] = {"color": style.GUIDE_COLOUR, "linewidth": 0.8}
"""Look of lines with the slope of a bound, and of grids."""

_SAMPLES = {"simulator": "samples (simulator calls)", "online": "samples ($H$ per episode)"}

_LINE = 0.08
"""Height of a line of text, as a share of the height of the axes."""

_PAPER: dict[str, Any] = {
    "facecolor": "white",
    "edgecolor": "none",
    "framealpha": 1,
    "frameon": True,
    "borderpad": 0.2,
    "labelspacing": 0.3,
}


@dataclass(frozen=True)
class Crossings:
    """Samples to target in one sweep.

    Attributes
    ----------
    cells
        Rows of `TARGETS` without invalid ones.
    fits
        Rows of `EXPONENTS`.
    quantity
        What the sweep varies.
    setting
        ``simulator`` or ``online``.
    looks
        Look of each algorithm.
    powers
        Exponent of the bound of each algorithm; one without a bound of its own is measured
        against the largest of the others.
    """

    cells: pd.DataFrame
    fits: pd.DataFrame
    quantity: Quantity
    setting: str
    looks: Mapping[str, style.Series]
    powers: Mapping[str, float]

    @property
    def same_bound(self) -> bool:
        """Whether all bounds have the same exponent."""
        return len(set(self.powers.values())) == 1

    @property
    def flat(self) -> bool:
        """Whether no bound grows with the quantity."""
        return not any(self.powers.values())

    def bound(self) -> str:
        """Return the power of the quantity in the bounds, or words if they differ."""
        if self.same_bound:
            return self.quantity.power(next(iter(self.powers.values())))
        return "the bound's power"

    def divisor(self) -> str:
        """Return what `draw_ratios` divides samples by."""
        return "their mean" if self.flat else self.bound()


def select_crossings(
    targets: pd.DataFrame, exponents: pd.DataFrame, experiment: str, axis: str, setting: str
) -> Crossings:
    """Return what the tables of the analysis hold on one sweep.

    Parameters
    ----------
    targets
        One row per algorithm and value, `TARGETS`. ``status`` is ``measured``, ``censored``,
        ``below-grid`` (for these two the samples are the last or the first budget) or
        ``invalid``. ``log_variance`` is that of ln(samples), the fit's weight.
    exponents
        `EXPONENTS`.
    experiment, axis, setting
        Which rows are wanted; others are ignored.

    Raises
    ------
    InputError
        If a column is missing.
    """
    require_columns(targets, TARGETS, "samples to target")
    require_columns(exponents, EXPONENTS, "exponents")
    mine = targets[targets["experiment"] == experiment]
    fits = exponents[(exponents["setting"] == setting) & (exponents["axis"] == axis)]
    looks = style.looks(mine["algorithm"])
    theory = dict(zip(fits["algorithm"], fits["theory"], strict=True))
    known = {name: theory[name] for name in looks if math.isfinite(theory.get(name, math.nan))}
    highest = max(known.values(), default=0.0)
    powers = {name: known.get(name, highest) for name in looks}
    cells = mine[mine["status"] != "invalid"]
    return Crossings(cells, fits, quantity_of(axis, setting), setting, looks, powers)


def draw_samples(panel: Panel, crossings: Crossings) -> None:
    """Draw samples to target, fits, and one guide per algorithm with the slope of its bound.

    A guide passes through the middle of the points that were fitted. Where the bounds differ, each
    power stands at the right end of its highest guide.
    """
    _draw(panel, crossings, dict.fromkeys(crossings.looks, 0.0), {})
    axes = panel.axes
    axes.set_ylabel(_SAMPLES[crossings.setting])
    if crossings.cells.empty:
        text = "no cell with a valid target"
        axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center")
        return
    reach, limits = np.array(axes.get_xlim()), axes.get_ylim()
    ends: dict[float, float] = {}
    for name, power in crossings.powers.items():
        mine = crossings.cells[crossings.cells["algorithm"] == name]
        if mine.empty:
            continue
        y = _line_through(mine, power, reach)
        panel.line(f"{name} bound", "guide", reach, y, zorder=0, **GUIDE)
        ends[power] = max(y[1], ends.get(power, 0.0))
    axes.set(xlim=reach, ylim=limits)
    label_samples(axes.yaxis)
    if not crossings.same_bound:
        _name_powers(axes, crossings.quantity, ends)


def _name_powers(axes: Axes, quantity: Quantity, ends: Mapping[float, float]) -> None:
    """Write powers beside the axes where their guides end, from top to bottom, a line apart."""
    low, high = np.log(axes.get_ylim())
    ceiling = 1.0
    for power, end in sorted(ends.items(), key=lambda item: -item[1]):
        height = min((np.log(end) - low) / (high - low), ceiling)
        ceiling = height - _LINE
        axes.annotate(
            rf"$\propto$ {quantity.power(power)}",
            (1, height),
            xycoords="axes fraction",
            xytext=(2, 0),
            textcoords="offset points",
            va="center",
            color=style.NOTE_COLOUR,
        )


def draw_ratios(panel: Panel, crossings: Crossings) -> None:
    """Draw samples to target over the power in each bound, flat if the bound describes growth.

    If no bound grows, the samples of each algorithm are divided by their mean, the height of its
    guide. The fitted exponents stand above the points.
    """
    middles = {
        str(name): float(_line_through(mine, 0.0, np.ones(1))[0])
        for name, mine in crossings.cells.groupby("algorithm")
    }
    _draw(panel, crossings, crossings.powers, middles if crossings.flat else {})
    axes = panel.axes
    axes.grid(axis="y", **GUIDE)
    axes.set_ylabel(f"samples / {crossings.divisor()}")
    if crossings.cells.empty:
        return
    handles = []
    for name, look in crossings.looks.items():
        fits = crossings.fits[crossings.fits["algorithm"] == name]
        for fit in records(fits[fits["measured"].notna()]):
            text = f"exponent {style.with_interval(fit.measured, fit.ci_low, fit.ci_high)}"
            if not crossings.same_bound:
                text = f"over {crossings.quantity.power(crossings.powers[name])}; {text}"
            handles.append(style.handle(text, **look.line(), **look.dot()))
    low, high = axes.get_ylim()
    share = 0.04 + _LINE * len(handles)
    if (crossings.cells["status"] == "censored").any():
        share += 0.06  # of the arrows
    axes.set_ylim(low, high * (high / low) ** (share / (1 - share)))
    (label_gaps if crossings.flat else label_samples)(axes.yaxis)
    if handles:
        axes.legend(handles=handles, loc="upper center", **_PAPER)


def _draw(
    panel: Panel, crossings: Crossings, powers: Mapping[str, float], units: Mapping[str, float]
) -> None:
    """Draw samples to target and fits, over a power of the quantity, on logarithmic axes.

    `units` are what else the samples of each algorithm are divided by, 1 if it is not there.
    """
    axes = panel.axes
    axes.set(xscale="log", yscale="log", ymargin=0.12, xmargin=0.08)
    for name, look in crossings.looks.items():
        power, unit = powers[name], units.get(name, 1.0)
        mine = crossings.cells[crossings.cells["algorithm"] == name]
        fits = crossings.fits[crossings.fits["algorithm"] == name]
        for fit in records(fits[fits["measured"].notna()]):
            reach = np.array([fit.fit_low, fit.fit_high])
            line = _line_through(mine, fit.measured, reach) / (unit * reach**power)
            panel.line(name, "fit", reach, line, zorder=2, **look.line())
        for cell in records(mine):
            kind = cell.status if cell.status != "measured" or cell.fitted else "not-fitted"
            scale = unit * cell.value**power
            y = cell.samples_to_target / scale
            if kind in _ARROWS:
                axes.plot(cell.value, y, color=look.colour, marker=_ARROWS[kind], markersize=22)
            interval = (cell.ci_low / scale, cell.ci_high / scale)
            dot = look.dot(hollow=kind != "measured")
            panel.dots(name, kind, cell.value, y, interval, zorder=3, color=look.colour, **dot)
    _name_values(axes, crossings)


def _name_values(axes: Axes, crossings: Crossings) -> None:
    """Mark every value of the sweep on the x axis."""
    values = np.sort(crossings.cells["value"].unique())
    axes.set_xticks(values, [f"{value:g}" for value in values])
    axes.xaxis.set_minor_locator(NullLocator())
    if len(values) == 1:  # no range to choose limits from
        axes.set_xlim(values[0] / 2, values[0] * 2)
    axes.set_xlabel(crossings.quantity.label)
    if crossings.quantity.falling:
        axes.set_xlabel(f"{crossings.quantity.label} (falling to the right)")
        axes.invert_xaxis()


def _line_through(cells: pd.DataFrame, slope: float, x: np.ndarray) -> np.ndarray:
    """Return at `x` the line of a slope through the weighted mean of the fitted points.

    If none was fitted, it passes through the mean of all.
    """
    fitted = cells[cells["fitted"].astype(bool)]
    chosen = cells if fitted.empty else fitted
    variance = chosen["log_variance"].to_numpy(dtype=float)
    weights = 1 / variance if (variance > 0).all() else np.ones(len(chosen))
    value, samples = (
        np.average(np.log(chosen[name].to_numpy(dtype=float)), weights=weights)
        for name in ("value", "samples_to_target")
    )
    return np.asarray(np.exp(samples + slope * (np.log(x) - value)))


def explain(*sweeps: Crossings) -> list[Line2D]:
    """Return entries of a legend: algorithms, hollow points, arrows and guides."""
    looks = {name: look for sweep in sweeps for name, look in sweep.looks.items()}
    handles = [style.handle(look.label, **look.line(), **look.dot()) for look in looks.values()]
    cells = pd.concat([sweep.cells for sweep in sweeps])
    note: dict[str, Any] = {"color": style.NOTE_COLOUR, "linestyle": "none"}
    if ((cells["status"] == "measured") & ~cells["fitted"].astype(bool)).any():
        handles.append(style.handle("not fitted", marker="o", markerfacecolor="white", **note))
    if (cells["status"] == "censored").any():
        handles.append(style.handle("above largest budget", marker=r"$\uparrow$", ms=8, **note))
    if (cells["status"] == "below-grid").any():
        text = "below smallest budget"
        handles.append(style.handle(text, marker=r"$\downarrow$", ms=8, **note))
    guide = ": constant" if sweeps[0].flat else rf" $\propto$ {sweeps[0].bound()}"
    handles.append(style.handle(f"guide{guide}", **GUIDE))
    return handles
