"""Simulator learners by name.

A module is imported when it is asked for: what depends on one learner does not depend on another.
It offers `learn_batch` and `samples`, with the signatures of `ccerates.simulator.evb_sim`, and an
options dataclass, the type that `options` names.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from ccerates.errors import InputError
from ccerates.simulator.result import LearningResult

MODULES = {
    "q-ftrl": ("ccerates.simulator.q_ftrl", "QFtrlOptions"),
    "evb-sim": ("ccerates.simulator.evb_sim", "EvbSimOptions"),
}


class SimulatorLearner(NamedTuple):
    """One algorithm.

    Attributes
    ----------
    options_type
        Frozen dataclass of its options.
    learn_batch
        ``learn_batch(simulators, rounds, seeds, options, *, threads, lanes)``, a list of
        `LearningResult`.
    samples
        ``samples(simulator, rounds)``, the number of simulator calls of a run.
    """

    options_type: type[Any]
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
        raise InputError(f"unknown simulator learner {name!r}; known: {', '.join(MODULES)}")
    path, options = MODULES[name]
    module = import_module(path)
    return SimulatorLearner(getattr(module, options), module.learn_batch, module.samples)
