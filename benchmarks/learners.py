"""The six learners, with everything that they put out, and with the evaluation of it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.environment import seeds
from benchmarks.games import Case
from benchmarks.timing import Task
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.evaluation.markov import cce_gap
from ccerates.games.model import MarkovGame
from ccerates.online.registry import MODULES as ONLINE
from ccerates.online.registry import online_learner
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from ccerates.simulator.registry import MODULES as SIMULATOR
from ccerates.simulator.registry import simulator_learner
from ccerates.simulator.source import Simulator

Streams = list[np.random.SeedSequence]
LEARNERS = (*SIMULATOR, *ONLINE)

WITH_GAPS = " and gaps"
"""What is added to the name of a learner that is evaluated, too."""


def learner_task(name: str, case: Case, *, gaps: bool = False, threads: int = 1) -> Task:
    """Return a learner on a game as a task.

    Parameters
    ----------
    name
        One of `LEARNERS`.
    case
        The game. A round of some simulator learners takes several samples: they get fewer rounds.
    gaps
        Whether to evaluate: once at the end with the simulator, after every episode online.
    threads
        Number of threads.
    """
    game, streams = case.game, seeds(case.replicates)
    what = name + WITH_GAPS * gaps
    if name in SIMULATOR:
        samples = simulator_learner(name).samples
        rounds = max(2, case.rounds * game.horizon * game.num_states // samples(Simulator(game), 1))
        count = case.replicates * samples(Simulator(game), rounds)
        return Task(what, count, _simulator(name, game, rounds, streams, gaps, threads))
    count = case.replicates * case.episodes * game.horizon
    return Task(what, count, _online(name, game, case.episodes, streams, gaps, threads))


def learner_tasks(case: Case) -> list[Task]:
    """Return all six learners on a game, alone and with evaluation."""
    return [learner_task(name, case, gaps=gaps) for name in LEARNERS for gaps in (False, True)]


def _simulator(
    name: str, game: MarkovGame, rounds: int, streams: Streams, gaps: bool, threads: int
) -> Callable[[], list[Any]]:
    learn = simulator_learner(name).learn_batch
    simulators = [Simulator(game)] * len(streams)

    def run() -> list[Any]:
        results = learn(simulators, rounds, streams, threads=threads)
        return [cce_gap(game, result.policy) for result in results] if gaps else results

    return run


def _online(
    name: str, game: MarkovGame, episodes: int, streams: Streams, gaps: bool, threads: int
) -> Callable[[], list[Any]]:
    averaging = online_learner(name).averaging
    sources = [Episodes(game)] * len(streams)

    def run() -> list[Any]:
        watchers = [CertifiedEvaluator(game, averaging) for _ in sources] if gaps else None
        (results,) = learn_online(
            name, sources, [episodes], streams, observers=watchers, threads=threads
        )
        return [watcher.gap() for watcher in watchers] if watchers else results

    return run
