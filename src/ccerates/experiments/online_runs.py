"""Runs of a cell online: a learner on all replicates, evaluated at every budget beside the run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from ccerates.certification.visits import VisitCertifier
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.experiments.cells import AUDIT, CERTIFICATE, COVERAGE, FILE_FAILURE, CellPlan
from ccerates.experiments.learners import algorithm_of, own_learner, read_options
from ccerates.experiments.replicates import replicates_of, run_row
from ccerates.games.model import MarkovGame
from ccerates.online.registry import OnlineLearner, online_learner
from ccerates.online.result import Averaging, OnlineResult
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from ccerates.online.visits import Observer, Together


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
        stages are compared with the exact values at the end of every stage. In `CERTIFICATE` and
        `COVERAGE` learners without a certificate of their own get one from their visits.
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
    averaging, learn, certificate_failure = _learn(label, section)
    replicates = replicates_of(cell, games, root_seed)
    episodes = [Episodes(game) for game in games]
    audit = cell.experiment == AUDIT and averaging == "stage"
    evaluators = [
        CertifiedEvaluator(replicate.game, averaging, audit=audit) for replicate in replicates
    ]
    observers: list[Observer] = [*evaluators]
    certifiers: list[VisitCertifier] = []
    if certificate_failure is not None and cell.experiment in (CERTIFICATE, COVERAGE):
        certifiers = [
            _certifier(episodes[replicate.place], averaging, certificate_failure)
            for replicate in replicates
        ]
        observers = [Together(*pair) for pair in zip(evaluators, certifiers, strict=True)]
    checkpoints = cell.rounds[label]
    batches = learn(
        [episodes[replicate.place] for replicate in replicates],
        checkpoints,
        [replicate.seed for replicate in replicates],
        observers=observers,
    )
    rows, results = [], []
    for rounds, learnt in zip(checkpoints, batches, strict=True):
        batch = learnt
        if certificate_failure is not None and certifiers:
            batch = [
                _certified(result, certifier.certificate(), certificate_failure)
                for result, certifier in zip(learnt, certifiers, strict=True)
            ]
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
) -> tuple[Averaging, Callable[..., Iterator[list[OnlineResult]]], float | None]:
    """Return how a learner averages visits, what runs it on episodes to checkpoints, and delta.

    The last is the failure probability of a certificate from its visits, None if the learner
    computes a certificate of its own.
    """
    own = own_learner(label, section)
    if own is not None and own.averaging is not None:
        learn_own = import_module("ccerates.protocol.online").learn_online
        return own.averaging, partial(learn_own, own), FILE_FAILURE
    algorithm = algorithm_of(label, section)
    learner = online_learner(algorithm)
    options = read_options(label, section, learner.options_type)
    failure = None if _certifies_itself(learner) else options.failure
    return learner.averaging, partial(learn_online, algorithm, options=options), failure


def _certifies_itself(learner: OnlineLearner) -> bool:
    """Return whether a learner has lower values: without them it has no certificate."""
    smallest = ((1,), 1, 1)  # one player with one action, one state, one step
    state = learner.module.allocate(smallest, np.ones((1, 1)), 1)
    return not np.isnan(state.lower).all()


def _certifier(episodes: Episodes, averaging: Averaging, failure: float) -> VisitCertifier:
    shape = (episodes.num_actions, episodes.num_states, episodes.horizon)
    return VisitCertifier(*shape, episodes.start, averaging, failure=failure)


def _certified(result: OnlineResult, certificate: float, failure: float) -> OnlineResult:
    """Return a result with a certificate from the visits, which holds for any learner.

    What is certified then is the certificate alone: the values stay those of the learner.
    """
    return replace(result, certificate=certificate, certified=True, failure=failure)
