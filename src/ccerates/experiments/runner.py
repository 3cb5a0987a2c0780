"""What runs the learners of a setting and stores what they return.

It is imported by name: the runs of one setting do not depend on the code of the other.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

MODULES = {
    "simulator": ("ccerates.experiments.simulator_runs", "ccerates.simulator.results_store"),
    "online": ("ccerates.experiments.online_runs", "ccerates.online.results_store"),
}
"""The module that runs a cell and the one that stores its results, by setting."""

_SAVE = {"simulator": "save_results", "online": "save_online_results"}


class Runner(NamedTuple):
    """The functions of a setting.

    Attributes
    ----------
    run_cell
        As that of `ccerates.experiments.simulator_runs`.
    save
        Writes the results that `run_cell` returns to a path.
    """

    run_cell: Callable[..., Any]
    save: Callable[..., None]


def runner_of(setting: str) -> Runner:
    """Return what runs learners of a setting, ``"simulator"`` or ``"online"``."""
    runs, store = map(import_module, MODULES[setting])
    return Runner(runs.run_cell, getattr(store, _SAVE[setting]))
