"""Certificates, known from samples alone, beside the gaps that they bound."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.points import Panel, collect, require_columns
from ccerates.plots.ticks import label_gaps, label_samples, label_small_gaps

CURVES = [
    *("experiment", "setting", "label", "samples", "horizon"),
    *("certificate_median", "certificate_quartile_low", "certificate_quartile_high"),
    *("gap_median", "gap_quartile_low", "gap_quartile_high"),
]
"""Columns that are read; more may be there."""

SMALL = 1e-4
"""Gaps are drawn on a logarithmic axis down to here; a game can be learned exactly."""

_OWN = ("evb-sim", "evb-online")
_SETTINGS = {"simulator": "with a simulator", "online": "online"}
_CERTIFICATE: dict[str, Any] = {"linestyle": "-"}
_GAP: dict[str, Any] = {"linestyle": (0, (1, 1.3)), "linewidth": 1.0}
_TRIVIAL: dict[str, Any] = {"color": style.NOTE_COLOUR, "linestyle": (0, (7, 4)), "linewidth": 0.9}
_NOTE: dict[str, Any] = {"color": style.NOTE_COLOUR, "marker": "o", "markersize": 4}


def certificate_figure(curves: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``certificate`` and what is drawn in it.

    There is a column of panels for each setting: above the learners of this repository with either
    constants, below the published ones.

    Parameters
    ----------
    curves
        What `ccerates.analysis.certificate.certificate_table` returns, `CURVES`. Rows of other
        experiments than ``certificate`` are ignored.

    Returns
    -------
    figure, points
        `points` has the columns `ccerates.plots.points.COLUMNS`; its kinds are ``certificate``,
        ``gap`` (medians with quartiles) and ``trivial``.

    Raises
    ------
    InputError
        If a column is missing, there is no such row or the games have several horizons.
    """
    require_columns(curves, CURVES, "certificates")
    mine = curves[curves["experiment"] == "certificate"]
    if mine.empty:
        raise InputError("certificates: no row of the experiment 'certificate'; run it first")
    if mine["horizon"].nunique() > 1:
        raise InputError("certificates: games of several horizons; give those of one")
    own = mine["label"].map(lambda label: str(label).startswith(_OWN))
    parts = {
        _title(setting, ours=ours): rows
        for ours in (True, False)
        for setting in _SETTINGS
        if not (rows := mine[(own == ours) & (mine["setting"] == setting)]).empty
    }
    with style.context():
        num_rows = -(-len(parts) // 2)
        size = (style.WIDTH, 0.9 + 2.1 * num_rows)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(num_rows, 2, squeeze=False, sharey=True).ravel()
        panels = []
        for axes, (name, rows) in zip(grid, parts.items(), strict=False):
            panels.append(Panel(axes, name))
            axes.set_title(name)
            _draw(panels[-1], rows)
        for axes in grid[len(parts) :]:
            axes.remove()
        if mine["gap_median"].min() > SMALL:
            grid[0].set_yscale("log")
            label_gaps(grid[0].yaxis)
        else:
            label_small_gaps(grid[0], SMALL)
        figure.supxlabel("samples", fontsize="medium")
        figure.supylabel("certificate and CCE gap, median and quartiles", fontsize="medium")
        handles = _handles(mine)
        figure.legend(handles=handles, **style.legend_above(len(handles)))
        sns.despine(fig=figure)
    return figure, collect(panels)


def _title(setting: str, *, ours: bool) -> str:
    if ours:
        return f"EVB, {_SETTINGS[setting]}"
    # With a simulator published learners have a certificate of their own.
    by = " (any-learner)" if setting == "online" else ""
    return f"published, {_SETTINGS[setting]}{by}"


def _looks(labels: Iterable[str]) -> dict[str, style.Series]:
    """Return looks; with rigorous constants both learners of this repository share one.

    They have panels of their own.
    """
    looks = style.looks(labels)
    for name in looks:
        rigorous = f"{name}-rigorous"
        if rigorous in looks:
            looks[name] = replace(looks[name], label=f"{looks[name].label}, practical")
            looks[rigorous] = replace(
                looks[rigorous], label="EVB, rigorous", colour="black", marker="X"
            )
    return looks


def _draw(panel: Panel, rows: pd.DataFrame) -> None:
    ends = np.array([rows["samples"].min(), rows["samples"].max()], dtype=float)
    height = np.full(2, float(rows["horizon"].iloc[0]))
    panel.line("trivial", "trivial", ends, height, **_TRIVIAL)
    for name, look in _looks(rows["label"]).items():
        curve = rows[rows["label"] == name].sort_values("samples")
        for kind, line in (("certificate", _CERTIFICATE), ("gap", _GAP)):
            centre, low, high = (
                curve[f"{kind}_{part}"] for part in ("median", "quartile_low", "quartile_high")
            )
            dot = look.dot(hollow=kind == "gap") | {"color": look.colour, "markersize": 4}
            x = curve["samples"]
            panel.line(name, kind, x, centre, (low, high), band_alpha=0.12, **dot, **line)
    panel.axes.set_xscale("log")
    label_samples(panel.axes.xaxis)


def _handles(rows: pd.DataFrame) -> list[Line2D]:
    looks = {look.label: look for look in _looks(rows["label"]).values()}
    learners = [
        style.handle(look.label, linestyle="none", color=look.colour, **look.dot())
        for look in looks.values()
    ]
    horizon = rows["horizon"].iloc[0]
    return [
        *learners,
        style.handle("filled: certificate", **_NOTE, **_CERTIFICATE),
        style.handle("hollow: gap", markerfacecolor="white", **_NOTE, **_GAP),
        style.handle(f"trivial, $H={horizon}$", **_TRIVIAL),
    ]
