"""Runs of a cell online: a learner on all replicates, evaluated at every budget beside the run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.experiments.cells import AUDIT, CellPlan
from ccerates.experiments.learners import algorithm_of, own_learner, read_options
from ccerates.experiments.replicates import replicates_of, run_row
from ccerates.games.model import MarkovGame
from ccerates.online.registry import online_learner
from ccerates.online.result import Averaging, OnlineResult
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes


def run_cell(
    cell: CellPlan,
    label: str,
    section: Mapping[str, Any],
    games: Sequence[MarkovGame],
    *,
    root_seed: int,
    report: Callable[[str], None],
) -> tuple[pd.DataFrame, list[OnlineResult]]:
    """Run one learner on all replicates of a cell, and evaluate it at every budget.

    The budgets are checkpoints of one run for each replicate, planned for the largest of them.

    Parameters
    ----------
    cell
        The cell; in the experiment `ccerates.experiments.cells.AUDIT` the bounds of learners with
        stages are compared with the exact values at the end of every stage.
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
        One row for each budget and replicate; the gap is an upper bound on that of the certified
        policy.
    results : list of OnlineResult
        What the learner returned, in the order of the rows.
    """
    averaging, learn = _learn(label, section)
    replicates = replicates_of(cell, games, root_seed)
    episodes = [Episodes(game) for game in games]
    audit = cell.experiment == AUDIT and averaging == "stage"
    evaluators = [
        CertifiedEvaluator(replicate.game, averaging, audit=audit) for replicate in replicates
    ]
    checkpoints = cell.rounds[label]
    batches = learn(
        [episodes[replicate.place] for replicate in replicates],
        checkpoints,
        [replicate.seed for replicate in replicates],
        observers=evaluators,
    )
    rows, results = [], []
    for rounds, batch in zip(checkpoints, batches, strict=True):
        for replicate, evaluator, result in zip(replicates, evaluators, batch, strict=True):
            gap = evaluator.gap()
            results.append(replace(result, audit=evaluator.audit()) if audit else result)
            rows.append(
                run_row(
                    cell,
                    replicate,
                    setting="online",
                    label=label,
                    rounds=rounds,
                    result=result,
                    gap_kind="upper",
                    gap=gap.gap,
                    gap_worst=gap.gap_worst,
                )
            )
        mean = np.mean([row["gap"] for row in rows[-len(replicates) :]])
        report(f"{label} {cell.name}: {rounds} episodes, mean gap {mean:.4g}")
    return pd.DataFrame(rows), results


def _learn(
    label: str, section: Mapping[str, Any]
) -> tuple[Averaging, Callable[..., Iterator[list[OnlineResult]]]]:
    """Return how a learner averages visits, and what runs it on episodes to checkpoints."""
    own = own_learner(label, section)
    if own is not None and own.averaging is not None:
        learn_own = import_module("ccerates.protocol.online").learn_online
        return own.averaging, partial(learn_own, own)
    algorithm = algorithm_of(label, section)
    learner = online_learner(algorithm)
    options = read_options(label, section, learner.options_type)
    return learner.averaging, partial(learn_online, algorithm, options=options)
