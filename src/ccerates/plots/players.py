"""Samples against the number of players, and against the actions of one player among two."""

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ccerates.plots import style
from ccerates.plots.crossings import draw_ratios, draw_samples, explain, select_crossings
from ccerates.plots.points import Panel, collect

SWEEPS = {"players": "sim-players", "action-sum": "sim-action-sum"}
"""Experiment of each axis."""


def players_figure(
    targets: pd.DataFrame,
    exponents: pd.DataFrame,
    *,
    num_actions: int,
    first_actions: int,
    target_fraction: float,
) -> tuple[Figure, pd.DataFrame]:
    """Return the figure of the claim ``sim-players`` and what is drawn in it.

    Left: samples to target against the number of players; right: against the sum of the numbers of
    actions of two players, of whom the second has ever more, up to as many as the first, so that
    the largest number stays. Below each: the same divided by the power in each algorithm's bound.

    Parameters
    ----------
    targets, exponents
        Tables of both experiments, `SWEEPS`, as for `ccerates.plots.sweep.sweep_figure`.
    num_actions
        A, of every player on the left.
    first_actions
        A_1 on the right.
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
    sweeps = {
        axis: select_crossings(targets, exponents, experiment, axis, "simulator")
        for axis, experiment in SWEEPS.items()
    }
    titles = {
        "players": f"Players with $A={num_actions}$ actions each",
        "action-sum": f"Two players, $A_1={first_actions}$ and $A_2$ actions",
    }
    goal = rf"$\varepsilon_0/{1 / target_fraction:g}$"
    with style.context():
        figure = Figure(figsize=(style.WIDTH, 5), layout="constrained")
        grid = figure.subplots(2, 2)
        panels = []
        for column, (axis, crossings), letters in zip(
            grid.T, sweeps.items(), ("ac", "bd"), strict=True
        ):
            samples, ratios = column
            panels.append(Panel(samples, f"{axis}-samples"))
            draw_samples(panels[-1], crossings)
            samples.set_title(f"({letters[0]}) {titles[axis]}")
            samples.set_ylabel(f"samples until mean gap ≤ {goal}")
            panels.append(Panel(ratios, f"{axis}-samples-over-bound"))
            draw_ratios(panels[-1], crossings)
            ratios.set_title(f"({letters[1]}) The same, divided by its bound's power")
        sums = sorted(sweeps["action-sum"].cells["value"].unique())
        names = [f"{value:g}\n$A_2={value - first_actions:g}$" for value in sums]
        for axes in grid[:, 1]:
            axes.set_xticks(sums, names)
        handles = explain(*sweeps.values())
        figure.legend(handles=handles, loc="outside upper center", ncols=min(len(handles), 4))
        sns.despine(fig=figure)
    return figure, collect(panels)
