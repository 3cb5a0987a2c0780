"""Bandits by name, and the form they share.

A bandit learns from gains in [0, B] and knows the number of rounds K. Its module offers

- its options, a frozen dataclass;
- ``choose_parameters(options, num_actions, rounds, gain_bound)``, a NamedTuple of floats;
- ``allocate(num_actions, lanes)``, a NamedTuple of arrays that end in an axis over lanes, with
  ``weight`` of shape (actions, lanes) among them;
- ``reset(bandit, num_actions, parameters)``, an inline kernel like the next two;
- ``compute_weights(bandit, num_actions, lanes, parameters, played_rounds)`` sets ``weight``;
- ``update(bandit, num_actions, lanes, parameters, played_rounds, gains, actions)`` takes in vectors
  of one gain and one action in each lane.

A round is `compute_weights`, then `update`; a lane's numbers do not depend on its companions. The
weights of a lane are positive and sum to one. `ccerates.lanes` has the vector operations (load,
store, select, gather, scatter, broadcast); `ccerates.bandits.exp3_ix` is the shortest example.
"""

from importlib import import_module
from types import ModuleType
from typing import Any

from ccerates.checks import check_between, check_integer, did_you_mean
from ccerates.errors import InputError

MODULES = {
    "evb": ("ccerates.bandits.evb_single", "EvbOptions"),
    "exp3-ix": ("ccerates.bandits.exp3_ix", "Exp3IxOptions"),
    "exp3-p": ("ccerates.bandits.exp3_p", "Exp3POptions"),
    "tsallis-inf": ("ccerates.bandits.tsallis_inf", "TsallisInfOptions"),
    "log-barrier": ("ccerates.bandits.log_barrier", "LogBarrierOptions"),
    "optimistic-log-barrier": (
        "ccerates.bandits.optimistic_log_barrier",
        "OptimisticLogBarrierOptions",
    ),
}

PUBLISHED_RATES = frozenset({"exp3-ix", "exp3-p", "tsallis-inf"})
"""Bandits that run with the learning rate of their publication."""


def bandit_module(name: str) -> ModuleType:
    """Return the module of a bandit.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    if name not in MODULES:
        raise InputError(f"unknown bandit {name!r}; {did_you_mean(name, MODULES)}")
    return import_module(MODULES[name][0])


def options_type(name: str) -> type[Any]:
    """Return the dataclass of a bandit's options.

    Raises
    ------
    InputError
        If there is no bandit of that name.
    """
    options: type[Any] = getattr(bandit_module(name), MODULES[name][1])
    return options


def bandit_parameters(
    name: str, options: Any, *, num_actions: int, rounds: int, gain_bound: float
) -> Any:
    """Return the parameters of a bandit after checking what it is asked for.

    Parameters
    ----------
    name
        A key of `MODULES`.
    options
        Of the bandit's own type; None stands for the defaults.
    num_actions
        A, at least 1.
    rounds
        K, at least 1.
    gain_bound
        B, positive.

    Raises
    ------
    InputError
        If there is no such bandit, the options are those of another, or a number is out of range.
    """
    expected = options_type(name)
    options = expected() if options is None else options
    if not isinstance(options, expected):
        raise InputError(f"{name}: options must be {expected.__name__}, got {options!r}")
    check_integer(f"{name}: num_actions", num_actions, 1)
    check_integer(f"{name}: rounds", rounds, 1)
    check_between(f"{name}: gain_bound", gain_bound, 0.0)
    choose = bandit_module(name).choose_parameters
    return choose(options, int(num_actions), int(rounds), float(gain_bound))
