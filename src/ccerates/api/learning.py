"""Running a simulator learner on a game."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from ccerates.api.algorithms import read_learner
from ccerates.api.inputs import check_algorithm, check_game
from ccerates.api.seeds import learner_seeds
from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.games.model import MAX_TABLE_BYTES, MarkovGame
from ccerates.protocol import PythonLearner, PythonSimulator
from ccerates.simulator.registry import simulator_learner
from ccerates.simulator.result import LearningResult
from ccerates.simulator.source import Simulator

# Kernels count in 64-bit integers and sum in float64, which counts exactly up to here.
MOST_ROUNDS = 2**53


def learn(
    game: MarkovGame | PythonSimulator,
    algorithm: str | PythonLearner,
    *,
    rounds: int | None = None,
    samples: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    replicates: int = 1,
    threads: int = 1,
) -> list[LearningResult]:
    """Run a learner on a simulator of a game.

    Parameters
    ----------
    game
        The game; the learner draws samples of it and sees nothing else of it. A learner of your own
        also plays what `load_simulator` returned.
    algorithm
        Name of a simulator learner, see `ALGORITHMS`, or a learner of your own, see
        `ccerates.protocol`: the path of its file, or what `load_learner` returned.
    rounds
        K, rounds of play at each step and state.
    samples
        In place of `rounds`: how many samples a run may draw; takes the largest K that fits.
    seed
        Integer >= 0: the same seed gives the same results, whatever `threads` is.
    options
        Options of the learner by name, see `list_options`; None stands for the defaults, and for
        those that `load_learner` was given.
    replicates
        Number of runs, which differ in their random numbers only.
    threads
        Number of threads; one for a learner in a file.

    Returns
    -------
    list of LearningResult
        One for each replicate.

    Raises
    ------
    InputError
        If `game` is none, there is no such learner or it cannot use an argument.
    """
    learner = read_learner(algorithm, options, "simulator")
    simulator = _simulator(game, algorithm)
    if (rounds is None) == (samples is None):
        raise InputError("rounds, samples: give exactly one of them")
    if rounds is None:
        assert samples is not None
        rounds = affordable_rounds(game, algorithm, samples)
    check_integer("rounds", rounds, 1, MOST_ROUNDS)
    check_integer("replicates", replicates, 1)
    check_threads(learner, threads)
    joint_actions = math.prod(simulator.num_actions)
    size = 8 * replicates * simulator.horizon * simulator.num_states * joint_actions
    if size > MAX_TABLE_BYTES:
        raise InputError(
            f"replicates: the policies of {replicates} runs need {size / 2**30:.1f} GiB, more than "
            f"{MAX_TABLE_BYTES / 2**30:g} GiB; take fewer, with several seeds"
        )
    seeds = learner_seeds(seed, replicates)
    if isinstance(learner, PythonLearner):
        from ccerates.protocol import simulator as driver  # noqa: PLC0415  (imports the compiler)

        return driver.learn_batch(learner, [simulator] * replicates, int(rounds), seeds)
    assert isinstance(simulator, Simulator)
    learn_batch = simulator_learner(learner.name).learn_batch
    return learn_batch(
        [simulator] * replicates, int(rounds), seeds, learner.options, threads=int(threads)
    )


def _simulator(
    game: MarkovGame | PythonSimulator, algorithm: str | PythonLearner
) -> Simulator | PythonSimulator:
    """Return the simulator of a game; refuse one in Python to compiled learners."""
    if not isinstance(game, PythonSimulator):
        check_game(game)
        return Simulator(game)
    if not isinstance(algorithm, PythonLearner) and not algorithm.endswith(".py"):
        raise InputError(
            f"{algorithm}: is compiled and plays games that are tables; {game.path} is plain "
            "Python: give a learner in a file, for example examples/evb.py (--learner)"
        )
    return game


def check_threads(learner: object, threads: int) -> None:
    """Raise InputError for a number of threads that the learner cannot use."""
    check_integer("threads", threads, 1)
    if isinstance(learner, PythonLearner) and threads > 1:
        raise InputError(f"threads: {learner.name} is plain Python and runs in one; leave it out")


def affordable_rounds(
    game: MarkovGame | PythonSimulator, algorithm: str | PythonLearner, samples: int
) -> int:
    """Return the largest number of rounds whose run draws at most `samples` samples.

    Parameters
    ----------
    game, algorithm
        As for `learn`.
    samples
        Number of samples.

    Returns
    -------
    int
        K >= 1.

    Raises
    ------
    InputError
        If the samples do not last for one round.
    """
    name, cost = _samples_of(algorithm)
    simulator = _simulator(game, algorithm)
    check_integer("samples", samples, 1)
    if cost(simulator, 1) > samples:
        raise InputError(
            f"samples: {samples} do not last for one round of {name} on this game, which "
            f"takes {cost(simulator, 1)}; take more"
        )
    low, high = 1, 2  # low is affordable; high is not, once the first loop has ended
    while high <= MOST_ROUNDS and cost(simulator, high) <= samples:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if cost(simulator, middle) <= samples else (low, middle)
    return low


def _samples_of(algorithm: str | PythonLearner) -> tuple[str, Callable[[Any, int], int]]:
    """Return the learner's name and the function that counts the simulator calls of a run."""
    if not isinstance(algorithm, PythonLearner):
        check_algorithm(algorithm)
    if isinstance(algorithm, PythonLearner) or algorithm.endswith(".py"):
        from ccerates.protocol import simulator as driver  # noqa: PLC0415  (imports the compiler)

        name = algorithm.name if isinstance(algorithm, PythonLearner) else algorithm
        return name, driver.samples
    return algorithm, simulator_learner(algorithm).samples
