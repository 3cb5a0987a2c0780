"""Runs of a cell with the simulator: a learner on all replicates and budgets, evaluated exactly."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from ccerates.evaluation.markov import cce_gap
from ccerates.experiments.cells import CellPlan
from ccerates.experiments.learners import algorithm_of, own_learner, read_options
from ccerates.experiments.replicates import replicates_of, run_row
from ccerates.games.model import MarkovGame
from ccerates.simulator.registry import simulator_learner
from ccerates.simulator.result import LearningResult
from ccerates.simulator.source import Simulator


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
    learn = _learn(label, section)
    replicates = replicates_of(cell, games, root_seed)
    simulators = [Simulator(game) for game in games]
    sources = [simulators[replicate.place] for replicate in replicates]
    seeds = [replicate.seed for replicate in replicates]
    rows, results = [], []
    for rounds in cell.rounds[label]:
        batch = learn(sources, rounds, seeds)
        results += batch
        for replicate, result in zip(replicates, batch, strict=True):
            gap = cce_gap(replicate.game, result.policy)
            rows.append(
                run_row(
                    cell,
                    replicate,
                    setting="simulator",
                    label=label,
                    rounds=rounds,
                    result=result,
                    gap_kind="exact",
                    gap=gap.gap,
                    gap_worst=gap.gap_worst,
                )
            )
        mean = np.mean([row["gap"] for row in rows[-len(replicates) :]])
        report(f"{label} {cell.name}: {rounds} rounds, mean gap {mean:.4g}")
    return pd.DataFrame(rows), results


def _learn(label: str, section: Mapping[str, Any]) -> Callable[..., list[LearningResult]]:
    """Return what runs a learner, given simulators, rounds and seeds."""
    own = own_learner(label, section)
    if own is not None:
        return partial(import_module("ccerates.protocol.simulator").learn_batch, own)
    learner = simulator_learner(algorithm_of(label, section))
    return partial(learner.learn_batch, options=read_options(label, section, learner.options_type))
