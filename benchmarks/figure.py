"""The figure of speed.csv and scale.csv: times beside the floor, and how they grow."""

from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from benchmarks.environment import DRAWS, ONLINE_FLOOR, SIMULATOR_FLOOR
from benchmarks.gap_evaluation import CCE_DIST, GAP
from benchmarks.learners import WITH_GAPS
from benchmarks.peer_tasks import STYLES
from benchmarks.table import floor_of, learner_of
from ccerates.plots import style
from ccerates.plots.points import Panel, collect, records
from ccerates.plots.ticks import label_gaps

_FLOORS = (DRAWS, SIMULATOR_FLOOR, ONLINE_FLOOR)
_AXES = {
    "samples": "samples of each replicate",
    "horizon": "horizon $H$",
    "states": "states $S$",
    "actions": "actions $A$ of each player",
    "players": "players $m$ with 2 actions each",
    "memory": "samples of each replicate",
}
_SAMPLES = [10_000 * 4**power for power in range(5)]  # labels of axes of samples
_GREY: dict[str, Any] = {"color": style.NOTE_COLOUR, "markeredgecolor": style.NOTE_COLOUR}


def speed_figure(speed: pd.DataFrame, scale: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure and what is drawn in it.

    Panel (a): time of a sample in the main case, for everything that is measured there, beside the
    look-ups that nothing can do without; below: time or memory against one quantity each.

    Parameters
    ----------
    speed
        `benchmarks.table.COLUMNS`.
    scale
        `benchmarks.scale.COLUMNS`.
    """
    main = speed[(speed["game"] == "main") & ~speed["what"].isin([GAP, CCE_DIST])]
    with style.context():
        figure = Figure(figsize=(style.WIDTH, 8.6), layout="constrained")
        grid = figure.add_gridspec(3, 3, height_ratios=(3.4, 1.6, 1.6))
        panels = [_draw_times(figure.add_subplot(grid[0, :]), main)]
        places = [grid[1 + place // 3, place % 3] for place in range(len(_AXES))]
        for letter, place, (axis, name) in zip("bcdefg", places, _AXES.items(), strict=True):
            axes = figure.add_subplot(place)
            panels.append(_draw_growth(axes, scale[scale["axis"] == axis], axis))
            axes.set_xlabel(name)
            axes.set_title(f"({letter}) {axes.get_title(loc='left')}")
        looks = style.looks(set(map(learner_of, scale["what"])))
        handles = [style.handle(look.label, **look.line(), **look.dot()) for look in looks.values()]
        hollow = {"marker": "o", "markerfacecolor": "white", "linestyle": "none"}
        handles.append(style.handle("with evaluation", **hollow, **_GREY))
        figure.legend(handles=handles, **style.legend_above(len(handles)))
        sns.despine(fig=figure)
    return figure, collect(panels)


def _draw_times(axes: Axes, main: pd.DataFrame) -> Panel:
    """Draw a dot for each row, from the quickest group down, with lines at the floors."""
    panel = Panel(axes, "times")
    lines = _lines(main)
    looks = style.looks(set(map(learner_of, main["what"])) - set(_FLOORS))
    medians = main.set_index("what")["ns_per_sample"]
    for place, (_, whats) in enumerate(reversed(lines.items())):
        for row in records(main[main["what"].isin(whats)]):
            look = looks.get(learner_of(row.what))
            marks: dict[str, Any] = {"color": "black", "marker": "|", "markersize": 9}
            if look:
                marks = {"color": look.colour} | look.dot(hollow=WITH_GAPS in row.what)
            interval = ([row.ns_min], [row.ns_max])
            at = [row.ns_per_sample], [place]
            panel.dots(row.what, "median", *at, interval, horizontal=True, **marks)
            floor = medians.get(floor_of(row.what))
            if look and floor:
                panel.line(row.what, "floor", [floor, row.ns_per_sample], [place] * 2, **_guide())
    for floor in (SIMULATOR_FLOOR, ONLINE_FLOOR):
        axes.axvline(medians[floor], **_guide())
    axes.set_yticks(range(len(lines)), list(reversed(lines)))
    axes.tick_params(axis="y", length=0)
    axes.set_xscale("log")
    axes.set_xlabel("nanoseconds per sample, one thread: median, least and most")
    sizes = "{players} players, {actions} actions, {states} states, horizon {horizon}"
    axes.set_title(f"(a) {sizes.format(**main.iloc[0])}; grey: look-ups alone")
    return panel


def _lines(main: pd.DataFrame) -> dict[str, list[str]]:
    """Return the lines of the panel: name, and the rows that stand in it."""
    lines: dict[str, list[str]] = {}
    for what in main["what"]:
        name = what.removesuffix(WITH_GAPS)
        for suffix in STYLES.values():
            if name.endswith(suffix):
                name = f"{learner_of(what)}{suffix}"
        lines.setdefault(name, []).append(what)
    return lines


def _short(value: float) -> str:
    """Return a number with thousands as k."""
    return f"{value / 1_000:g}k" if value >= 1_000 else f"{value:g}"


def _guide() -> dict[str, Any]:
    return {"color": style.GUIDE_COLOUR, "linewidth": 0.8, "zorder": 0.5}


def _draw_growth(axes: Axes, scale: pd.DataFrame, axis: str) -> Panel:
    """Draw time, or memory, against the quantity of one axis."""
    panel = Panel(axes, axis)
    column = {"samples": "seconds", "memory": "peak_mb"}.get(axis, "ns_per_sample")
    rows = scale.assign(value=scale["value"].astype(float), learner=scale["what"].map(learner_of))
    for name, look in style.looks(rows["learner"]).items():
        own = rows[rows["learner"] == name]
        hollow = own["what"].iloc[0].endswith(WITH_GAPS)
        marks = look.line() | look.dot(hollow=hollow)
        panel.line(name, column, own["value"], own[column], **marks)
    axes.set_xscale("log")
    axes.set_title({"samples": "seconds", "memory": "peak memory, MB"}.get(axis, "ns per sample"))
    if column == "peak_mb":
        axes.set_ylim(0, 1.15 * rows[column].max())
    else:
        axes.set_yscale("log")
        label_gaps(axes.yaxis)
    ticks = sorted(rows["value"].unique()) if column == "ns_per_sample" else _SAMPLES
    axes.set_xticks(ticks, [_short(value) for value in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(0.85 * rows["value"].min(), 1.2 * rows["value"].max())
    return panel
