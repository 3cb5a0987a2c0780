"""The six learners, with everything that they put out, and with the evaluation of it."""

from collections.abc import Callable
from typing import Any

from benchmarks.environment import REPLICATES, seeds
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

WITH_GAPS = " and gaps"
"""What is added to the name of a learner that is evaluated, too."""


def learner_tasks(case: Case) -> list[Task]:
    """Return all six learners on a game, alone and with evaluation."""
    tasks = []
    for name in SIMULATOR:
        rounds = simulator_rounds(name, case)
        count = REPLICATES * simulator_learner(name).samples(Simulator(case.game), rounds)
        tasks += [
            Task(name, count, prepare_simulator(name, case.game, rounds)),
            Task(name + WITH_GAPS, count, prepare_simulator(name, case.game, rounds, gaps=True)),
        ]
    for name in ONLINE:
        episodes = case.episodes
        count = REPLICATES * episodes * case.game.horizon
        tasks += [
            Task(name, count, prepare_online(name, case.game, episodes)),
            Task(name + WITH_GAPS, count, prepare_online(name, case.game, episodes, gaps=True)),
        ]
    return tasks


def simulator_rounds(name: str, case: Case) -> int:
    """Return rounds that take the samples of a case; a round of some learners takes several."""
    each = simulator_learner(name).samples(Simulator(case.game), 1)
    return max(1, case.rounds * case.game.horizon * case.game.num_states // each)


def prepare_simulator(
    name: str,
    game: MarkovGame,
    rounds: int,
    *,
    replicates: int = REPLICATES,
    gaps: bool = False,
    threads: int = 1,
) -> Callable[[], list[Any]]:
    """Return what runs a simulator learner and, with `gaps`, evaluates each replicate once."""
    learn = simulator_learner(name).learn_batch
    simulators, streams = [Simulator(game)] * replicates, seeds(replicates)

    def run() -> list[Any]:
        results = learn(simulators, rounds, streams, threads=threads)
        return [cce_gap(game, result.policy) for result in results] if gaps else results

    return run


def prepare_online(
    name: str,
    game: MarkovGame,
    episodes: int,
    *,
    replicates: int = REPLICATES,
    gaps: bool = False,
    threads: int = 1,
) -> Callable[[], list[Any]]:
    """Return what runs an online learner and, with `gaps`, follows every episode to evaluate it."""
    averaging = online_learner(name).averaging
    sources, streams = [Episodes(game)] * replicates, seeds(replicates)

    def run() -> list[Any]:
        watchers = [CertifiedEvaluator(game, averaging) for _ in sources] if gaps else None
        (results,) = learn_online(
            name, sources, [episodes], streams, observers=watchers, threads=threads
        )
        return [watcher.gap() for watcher in watchers] if watchers else results

    return run
