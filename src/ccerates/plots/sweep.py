"""Samples that learners of one setting need along one axis, and how their gaps fall."""

import math
from string import ascii_lowercase

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ccerates.plots import style
from ccerates.plots.crossings import draw_ratios, draw_samples, explain, select_crossings
from ccerates.plots.decay import CURVES, TARGET, draw_decay, ends_apart
from ccerates.plots.points import Panel, collect, require_columns
from ccerates.plots.ticks import label_gaps, label_samples


def sweep_figure(
    targets: pd.DataFrame,
    curves: pd.DataFrame,
    exponents: pd.DataFrame,
    *,
    experiment: str,
    axis: str,
    setting: str,
    target_fraction: float,
) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of a sweep and what is drawn in it.

    Panel (a): samples to target against the quantity that the sweep varies; (b): the same divided
    by the quantity to the power in each algorithm's bound, which is flat if the bound describes
    the growth, or by their mean if no bound grows; from (c) on: the gap of one algorithm against
    samples for each value. The tables are those of `ccerates.analysis`; rows of other experiments
    are ignored.

    Parameters
    ----------
    targets
        One row per algorithm and value, `ccerates.plots.crossings.TARGETS`. A cell that was
        not reached within the budgets (``censored``) has an arrow up from the largest budget, one
        reached before the smallest (``below-grid``) an arrow down from it; ``invalid`` ones are
        left out.
    curves
        One row per algorithm, value and budget, over replicates, `ccerates.plots.decay.CURVES`.
        If ``gap_kind`` is ``upper``, the words say that these are upper bounds on the gap.
    exponents
        `ccerates.plots.crossings.EXPONENTS`; the rows of `setting` and `axis` are used.
    experiment
        Claim identifier, for example ``"sim-horizon"``.
    axis
        A key of `ccerates.plots.quantities.QUANTITIES`.
    setting
        ``simulator`` or ``online``.
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
    crossings = select_crossings(targets, exponents, experiment, axis, setting)
    require_columns(curves, CURVES, "gap curves")
    curves = curves[curves["experiment"] == experiment]
    looks, quantity = crossings.looks, crossings.quantity
    goal = rf"$\varepsilon_0/{1 / target_fraction:g}$"
    upper = (curves["gap_kind"] == "upper").any()

    with style.context():
        num_rows = math.ceil(len(looks) / 2)
        heights = (2.5, 2.5) if num_rows == 1 else (2.7, *(2.0,) * num_rows)
        figure = Figure(figsize=(style.WIDTH, sum(heights)), layout="constrained")
        grid = figure.subplots(1 + num_rows, 2, height_ratios=heights)
        first, second, *below = grid.ravel()
        growth = Panel(first, "samples-to-target")
        draw_samples(growth, crossings)
        measure = "mean bound on the gap" if upper else "mean CCE gap"
        first.set_title(f"(a) Samples until the {measure} is ≤ {goal}")
        ratios = Panel(second, "samples-to-target-over-bound")
        draw_ratios(ratios, crossings)
        second.set_title(f"(b) The same, divided by {crossings.divisor()}")

        panels = [growth, ratios]
        for axes in below[1:]:
            axes.sharex(below[0])
            axes.sharey(below[0])
        mine = {name: curves[curves["algorithm"] == name] for name in looks}
        # Small panels have no room for two lines of labels under the curves.
        num_lines = 2 if num_rows == 1 else 1
        labels = all(ends_apart(rows, quantity, num_lines) for rows in mine.values())
        for axes, letter, name in zip(below, ascii_lowercase[2:], looks, strict=False):
            panels.append(Panel(axes, f"gap-{name}"))
            draw_decay(panels[-1], mine[name], looks[name], quantity, labels=labels)
            label = looks[name].label + (", by" if upper else ": gap by")
            axes.set_title(f"({letter}) {label} {quantity.label}")
        for axes in below[len(looks) :]:
            axes.remove()
        for axes in grid[1:, 1]:
            axes.set_ylabel("")
        for axes in below[: max(len(looks) - 2, 0)]:
            axes.set_xlabel("")
        # Room for the labels or the legend under the curves, a larger share of a smaller panel.
        low, high = below[0].get_ylim()
        below[0].set_ylim(low * (low / high) ** (0.1 if num_rows == 1 else 0.15), high)
        for axes in below[: len(looks)]:
            label_gaps(axes.yaxis)
            label_samples(axes.xaxis)

        handles = explain(crossings)
        common = curves["target"].unique()
        value = f" = {common[0]:g}" if len(common) == 1 else ""
        handles.insert(-1, style.handle(f"target {goal}{value}", **TARGET))
        num_columns = len(handles) if len(handles) <= 6 and num_rows == 1 else 4
        figure.legend(handles=handles, loc="outside upper center", ncols=num_columns)
        sns.despine(fig=figure)
    return figure, collect(panels)
