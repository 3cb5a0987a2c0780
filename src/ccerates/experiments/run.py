"""Runs of the cells: a learner on all replicates and budgets, evaluated exactly."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from ccerates.evaluation.markov import cce_gap, uniform_policy
from ccerates.experiments.learners import configured_learner
from ccerates.experiments.plan import CellPlan
from ccerates.games.model import MarkovGame
from ccerates.simulator.registry import simulator_learner
from ccerates.simulator.result import LearningResult
from ccerates.simulator.source import Simulator
from ccerates.streams import LEARNER_STREAM, seed_sequence


def run_cell(
    cell: CellPlan,
    label: str,
    section: Mapping[str, Any],
    games: Sequence[MarkovGame],
    *,
    root_seed: int,
    report: Callable[[str], None],
) -> tuple[pd.DataFrame, list[LearningResult]]:
    """Run one learner on all replicates and budgets of a cell, and evaluate it exactly.

    Parameters
    ----------
    cell
        The cell.
    label
        Name of the learner in the config.
    section
        Its algorithm and options, as in the config.
    games
        The cell's games.
    root_seed
        The project's seed.
    report
        Called with a line of text after each budget.

    Returns
    -------
    runs : pandas.DataFrame
        One row for each budget and replicate.
    results : list of LearningResult
        What the learner returned, in the order of the rows.
    """
    algorithm, options = configured_learner(label, section)
    learn_batch = simulator_learner(algorithm).learn_batch
    played = [games[replicate % len(games)] for replicate in range(cell.replicates)]
    simulators = [Simulator(game) for game in games]
    uniform_gaps = [cce_gap(game, uniform_policy(game)).gap for game in games]
    # The same for every budget and learner: their differences are less noisy than their levels.
    seeds = [
        seed_sequence(root_seed, cell.experiment, cell.name, replicate, LEARNER_STREAM)
        for replicate in range(cell.replicates)
    ]
    sources = [simulators[replicate % len(games)] for replicate in range(cell.replicates)]
    rows, results = [], []
    for rounds in cell.rounds[label]:
        batch = learn_batch(sources, rounds, seeds, options)
        results += batch
        for replicate, (game, result) in enumerate(zip(played, batch, strict=True)):
            gap = cce_gap(game, result.policy)
            rows.append(
                {
                    "experiment": cell.experiment,
                    "setting": cell.setting,
                    "algorithm": label,
                    "constants": result.constants,
                    "axis": cell.axis,
                    "value": cell.value,
                    "game": game.name if cell.axis else cell.name,
                    "game_hash": game.content_hash,
                    "players": game.num_players,
                    "states": game.num_states,
                    "horizon": game.horizon,
                    "max_actions": max(game.num_actions),
                    "eps_game": cell.eps_game,
                    "target": cell.target,
                    "replicate": replicate,
                    "rounds": rounds,
                    "samples": result.samples,
                    "gap_kind": "exact",
                    "gap": gap.gap,
                    "gap_worst": gap.gap_worst,
                    "uniform_gap": uniform_gaps[replicate % len(games)],
                    "certificate": result.certificate,
                    "certified": result.certified,
                }
            )
        mean = np.mean([row["gap"] for row in rows[-cell.replicates :]])
        report(f"{label} {cell.name}: {rounds} rounds, mean gap {mean:.4g}")
    return pd.DataFrame(rows), results


def run_tuning(
    cell: CellPlan,
    label: str,
    section: Mapping[str, Any],
    games: Sequence[MarkovGame],
    scales: Mapping[str, Sequence[float]],
    *,
    root_seed: int,
    report: Callable[[str], None],
) -> pd.DataFrame:
    """Run one learner with every setting of its two scales.

    Parameters
    ----------
    cell, label, section, games, root_seed, report
        As for `run_cell`.
    scales
        Values of ``rate_scale`` and of ``bonus_scale`` to combine.

    Returns
    -------
    pandas.DataFrame
        As of `run_cell`, for each setting, with columns rate_scale and bonus_scale.
    """
    tables = []
    for rate_scale, bonus_scale in product(scales["rate_scale"], scales["bonus_scale"]):
        setting = {"rate_scale": rate_scale, "bonus_scale": bonus_scale}
        runs, _ = run_cell(
            cell, label, {**section, **setting}, games, root_seed=root_seed, report=report
        )
        tables.append(runs.assign(**setting))
    return pd.concat(tables, ignore_index=True)
