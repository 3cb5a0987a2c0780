"""Regret of bandits: against played variance, its quantiles, and what the variance bias buys."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import ScalarFormatter

from ccerates.plots import style
from ccerates.plots.points import Panel, collect, records, require_columns
from ccerates.plots.ticks import label_gaps, label_samples

TABLE = [
    *("bandit", "adversary", "played_variance"),
    *("regret_median", "regret_95", "regret_99"),
]
RATIOS = ["bandit", "adversary", "regret", "bound", "ratio"]
"""Columns that are read; more may be there."""

NOISY = "stochastic"
"""Adversaries whose label starts so differ in their noise alone."""

OVERTAKING = {"switching": "-", "late-optimum": (0, (1, 1))}
"""Adversaries on which regrets are compared with their bounds, with a line style each."""

_GUIDE: dict[str, Any] = {"color": style.GUIDE_COLOUR, "linewidth": 0.8}
_BEYOND = "runs beyond their bound"
_IN_PANEL: dict[str, Any] = {
    "title_fontsize": 8,
    "alignment": "left",
    "borderpad": 0,
    "labelspacing": 0.25,
}
_QUANTILES: dict[str, dict[str, Any]] = {
    "regret_median": {"markersize": 4.5},
    "regret_95": {"markersize": 3.5, "markerfacecolor": "white"},
    "regret_99": {"marker": "|", "markersize": 6},
}


def bandit_figure(table: pd.DataFrame, ratios: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``bandit`` and what is drawn in it.

    Panel (a): median regret against median played variance over the noise levels of the
    stochastic adversary; (b): the share of EVB's runs whose regret is at least a multiple of their
    own analytic bound; (c): quantiles of the regret for each bandit and adversary.

    Parameters
    ----------
    table
        `TABLE`, from `ccerates.analysis.bandits.bandit_table`. Adversaries whose label starts with
        ``stochastic-`` appear in (a) only, ``stochastic`` in (a) and (c).
    ratios
        `RATIOS`, from `ccerates.analysis.bandits.regrets_over_bounds`; of the adversaries
        `OVERTAKING` only.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`; in (c), y counts bandits from
        the top.

    Raises
    ------
    InputError
        If a column is missing.
    """
    require_columns(table, TABLE, "bandits")
    require_columns(ratios, RATIOS, "regrets over bounds")
    looks = style.looks(table["bandit"])
    noisy = table["adversary"].str.startswith(NOISY)
    single = table[~table["adversary"].str.startswith(f"{NOISY}-")]
    with style.context():
        figure = Figure(figsize=(style.WIDTH, 5.4), layout="constrained")
        halves: Any = figure.subfigures(2, 1, height_ratios=(1.15, 1))
        above, below = halves
        first, second = above.subplots(1, 2)
        panels = [Panel(first, "variance"), Panel(second, "overtaken")]
        _draw_variance(panels[0], table[noisy], looks)
        first.set_title("(a) Stochastic adversary, growing noise")
        _draw_overtaking(panels[1], ratios, looks)
        second.set_title("(b) Share of runs with regret ≥ $x$ times their bound")

        adversaries = list(single["adversary"].unique())
        row = below.subplots(1, len(adversaries), sharey=True, squeeze=False)[0]
        for axes, adversary in zip(row, adversaries, strict=True):
            panels.append(Panel(axes, f"quantiles-{adversary}"))
            _draw_quantiles(panels[-1], single[single["adversary"] == adversary], looks)
            axes.set_title(_wrapped(adversary), fontsize="medium")
        row[0].set_yticks(range(len(looks)), [look.label for look in looks.values()])
        row[0].set_ylim(len(looks) - 0.5, -0.5)
        text = "(c) Regret by adversary: median (filled), 95 % (hollow) and 99 % quantile (bar)"
        below.suptitle(text, x=0.01, ha="left", fontsize=9)
        below.supxlabel("regret", fontsize="medium")
        _legend(figure, looks)
        sns.despine(fig=figure)
    return figure, collect(panels)


def _draw_variance(panel: Panel, table: pd.DataFrame, looks: Mapping[str, style.Series]) -> None:
    axes = panel.axes
    for name, look in looks.items():
        rows = table[table["bandit"] == name].sort_values("played_variance")
        x, y = rows["played_variance"], rows["regret_median"]
        panel.line(name, "median", x, y, **look.line(), **look.dot())
    # Regret can be negative; no logarithm then.
    positive = not table.empty and (table["regret_median"] > 0).all()
    axes.set(xscale="log", yscale="log" if positive else "linear")
    if positive:
        _draw_guides(panel)
        label_gaps(axes.yaxis)
    if not table.empty:
        label_samples(axes.xaxis)
    axes.set_xlabel("played variance $V_K$, median")
    axes.set_ylabel("regret, median")


def _draw_guides(panel: Panel) -> None:
    """Draw lines that grow as the root of the variance behind the points."""
    x, (low, high) = np.array(panel.axes.get_xlim()), panel.axes.get_ylim()
    first = math.ceil(2 * np.log10(low / math.sqrt(x[1])))
    last = math.floor(2 * np.log10(high / math.sqrt(x[0])))
    for step in range(first, last + 1):
        y = 10.0 ** (step / 2) * np.sqrt(x)
        panel.line("root of the variance", "guide", x, y, zorder=0, **_GUIDE)
    panel.axes.set(xlim=x, ylim=(low, high))


def _draw_overtaking(panel: Panel, ratios: pd.DataFrame, looks: Mapping[str, style.Series]) -> None:
    axes = panel.axes
    handles = []
    for name in looks:
        for adversary, dashes in OVERTAKING.items():
            rows = ratios[(ratios["bandit"] == name) & (ratios["adversary"] == adversary)]
            if rows.empty:
                continue
            x = np.sort(rows["ratio"].to_numpy(dtype=float))
            share = 1.0 - np.arange(x.size) / x.size
            line = {**looks[name].line(), "linestyle": dashes, **looks[name].dot()}
            line |= {"markersize": 3.5, "markevery": max(1, x.size // 6)}
            panel.line(f"{name} {adversary}", "share", x, share, drawstyle="steps-pre", **line)
            beyond = np.count_nonzero(rows["regret"] > rows["bound"])
            text = f"{looks[name].label}, {adversary}: {beyond:,} of {x.size:,}"
            handles.append(style.handle(text, **line))
    axes.set_xscale("symlog", linthresh=1.0)
    axes.xaxis.set_major_formatter(ScalarFormatter())
    panel.line("bound", "reference", [1, 1], [0, 1], zorder=1, color=style.NOTE_COLOUR, lw=0.9)
    axes.set_ylim(-0.02, 1.75 if handles else 1.05)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.set_xlabel(r"$x$ = regret / $\hat{R}$")
    axes.set_ylabel("share of runs")
    if handles:
        axes.legend(handles=handles, loc="upper left", title=_BEYOND, **_IN_PANEL)


def _draw_quantiles(panel: Panel, table: pd.DataFrame, looks: Mapping[str, style.Series]) -> None:
    order = list(looks)
    for row in records(table):
        look, y = looks[row.bandit], order.index(row.bandit)
        for quantile, marks in _QUANTILES.items():
            x = getattr(row, quantile)
            interval = (x, row.regret_99) if quantile == "regret_median" else None
            dot = {**look.dot(), "color": look.colour, **marks}
            panel.dots(row.bandit, quantile, x, y, interval, horizontal=True, **dot)
    panel.line("no regret", "reference", [0, 0], [-0.5, len(order) - 0.5], zorder=0, **_GUIDE)
    panel.axes.tick_params(axis="y", length=0)
    panel.axes.locator_params(axis="x", nbins=3)


def _wrapped(adversary: str) -> str:
    """Return the name on two lines if it is too long for one."""
    return "\n".join(adversary.rsplit("-", 1)) if len(adversary) > 13 else adversary


def _legend(figure: Figure, looks: Mapping[str, style.Series]) -> None:
    handles = [style.handle(look.label, **look.line(), **look.dot()) for look in looks.values()]
    handles.append(style.handle(r"guide $\propto \sqrt{V_K}$", **_GUIDE))
    figure.legend(handles=handles, **style.legend_above(len(handles)))
