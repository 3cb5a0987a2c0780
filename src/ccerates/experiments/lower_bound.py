"""Runs of the claim `lower-bound`: how often learners fail on hidden-action games, by samples.

A run fails if the gap of the policy it returns exceeds eps, the accuracy that its game makes hard.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from ccerates.evaluation.markov import cce_gap
from ccerates.experiments import simulator_runs
from ccerates.experiments.cells import CellPlan
from ccerates.experiments.lower_bound_cells import EXPERIMENT, game_bound
from ccerates.experiments.replicates import replicates_of
from ccerates.games.cell_games import make_cell_game
from ccerates.games.model import MarkovGame
from ccerates.simulator import uniform_sampler
from ccerates.simulator.source import Simulator

COLUMNS = (
    *("cell", "axis", "algorithm", "horizon", "players", "states", "max_actions", "sum_actions"),
    *("eps_game", "failing_samples", "replicate", "rounds", "samples", "gap", "fails"),
)


def run_lower_bound(
    cell: CellPlan,
    label: str,
    section: Mapping[str, Any],
    *,
    root_seed: int,
    report: Callable[[str], None],
) -> pd.DataFrame:
    """Run one learner on all games and budgets of a cell.

    Parameters
    ----------
    cell
        One of `ccerates.experiments.lower_bound_cells.plan_lower_bound`.
    label
        Name of the learner in the config, or the uniform sampler's.
    section
        Its algorithm and options, as in the config; none for the uniform sampler.
    root_seed
        The project's seed.
    report
        Called with a line of text after each budget.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`, one row for each budget and replicate. `axis` is what the cell differs in from
        the base cell, empty if in none of the axes; `failing_samples` the number of samples up to
        which the lower bound proves failure with probability 1/4.
    """
    games = [
        make_cell_game(
            cell.game, root_seed=root_seed, experiment=EXPERIMENT, cell=cell.name, replicate=number
        )
        for number in range(cell.num_games)
    ]
    if label == uniform_sampler.NAME:
        runs = _run_uniform_sampler(cell, games, root_seed=root_seed, report=report)
    else:
        runs, _ = simulator_runs.run_cell(
            cell, label, section, games, root_seed=root_seed, report=report
        )
    first = games[0]
    runs = runs.assign(
        cell=cell.name,
        axis=cell.axis,
        algorithm=label,
        horizon=first.horizon,
        players=first.num_players,
        states=first.num_states,
        max_actions=max(first.num_actions),
        sum_actions=sum(first.num_actions),
        eps_game=cell.eps_game,
        failing_samples=game_bound(cell.game).failing_samples,
        fails=runs["gap"] > cell.eps_game,
    )
    return runs[list(COLUMNS)]


def _run_uniform_sampler(
    cell: CellPlan,
    games: list[MarkovGame],
    *,
    root_seed: int,
    report: Callable[[str], None],
) -> pd.DataFrame:
    """Return one row for each budget and replicate, with rounds, samples and the exact gap."""
    replicates = replicates_of(cell, games, root_seed)
    simulators = [Simulator(replicate.game) for replicate in replicates]
    seeds = [replicate.seed for replicate in replicates]
    rows = []
    for rounds in cell.rounds[uniform_sampler.NAME]:
        policies = uniform_sampler.sample_uniformly(simulators, rounds, seeds)
        for replicate, simulator, policy in zip(replicates, simulators, policies, strict=True):
            row = {
                "replicate": replicate.number,
                "rounds": rounds,
                "samples": uniform_sampler.samples(simulator, rounds),
                "gap": cce_gap(replicate.game, policy).gap,
            }
            rows.append(row)
        report(f"{uniform_sampler.NAME} {cell.name}: {rounds} rounds")
    return pd.DataFrame(rows)
