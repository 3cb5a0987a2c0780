"""Simulator learners by name.

A module is imported when it is asked for: what depends on one learner does not depend on another.
It offers `learn_batch` and `samples`, with the signatures of `ccerates.simulator.evb_sim`, a
dataclass of options and a NamedTuple of the arrays in `LearningResult.trace`, without fields if
there are none; `MODULES` names the two types.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.simulator.result import LearningResult
from ccerates.simulator.source import Simulator

MODULES = {
    "q-ftrl": ("ccerates.simulator.q_ftrl", "QFtrlOptions", "QFtrlTrace"),
    "evb-sim": ("ccerates.simulator.evb_sim", "EvbSimOptions", "EvbSimTrace"),
}


class SimulatorLearner(NamedTuple):
    """One algorithm.

    Attributes
    ----------
    options_type
        Frozen dataclass of its options.
    trace_type
        NamedTuple of its traces.
    learn_batch
        ``learn_batch(simulators, rounds, seeds, options, *, threads, lanes)``, a list of
        `LearningResult`.
    samples
        ``samples(simulator, rounds)``, the number of simulator calls of a run.
    """

    options_type: type[Any]
    trace_type: type[Any]
    learn_batch: Callable[..., list[LearningResult]]
    samples: Callable[..., int]


def simulator_learner(name: str) -> SimulatorLearner:
    """Return the learner called `name`.

    Raises
    ------
    InputError
        If there is none.
    """
    if name not in MODULES:
        raise InputError(f"unknown simulator learner {name!r}; {did_you_mean(name, MODULES)}")
    path, options, trace = MODULES[name]
    module = import_module(path)
    types = getattr(module, options), getattr(module, trace)
    return SimulatorLearner(*types, module.learn_batch, module.samples)


def learn(
    algorithm: str,
    simulator: Simulator,
    rounds: int,
    seed: np.random.SeedSequence,
    options: Any = None,
    *,
    threads: int = 1,
) -> LearningResult:
    """Run a learner once.

    Parameters
    ----------
    algorithm
        Name of the learner.
    simulator
        Simulator of the game.
    rounds
        K, rounds at each step and state.
    seed
        Learner's stream.
    options
        Of the learner's options type; None stands for the defaults.
    threads
        Number of threads. Results do not depend on it.

    Returns
    -------
    LearningResult

    Raises
    ------
    InputError
        If there is no such learner or it cannot use an argument.
    """
    learn_batch = simulator_learner(algorithm).learn_batch
    return learn_batch([simulator], rounds, [seed], options, threads=threads)[0]
