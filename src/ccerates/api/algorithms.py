"""Which learners there are, and reading one with its options."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ccerates.api.inputs import check_algorithm
from ccerates.api.settings import Setting, describe_settings
from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.games.families.parameters import read_parameters
from ccerates.online import registry as online
from ccerates.protocol import PythonLearner, load_learner
from ccerates.simulator import registry as simulator

ALGORITHMS = dict.fromkeys(simulator.MODULES, "simulator") | dict.fromkeys(online.MODULES, "online")
"""Setting of each learner, ``"simulator"`` or ``"online"``, by its name."""

_BUDGETS = {"simulator": "rounds (learn)", "online": "episodes (learn_online)"}


class NamedLearner(NamedTuple):
    """A learner of this package with its options.

    Attributes
    ----------
    name
        One of `ALGORITHMS`.
    options
        Of the learner's options type.
    """

    name: str
    options: Any


def list_options(algorithm: str) -> tuple[Setting, ...]:
    """Return the options of a learner.

    Raises
    ------
    InputError
        If there is no such learner.
    """
    _check_name(algorithm)
    return describe_settings(_options_type(algorithm))


def setting_of(algorithm: str) -> str:
    """Return ``"simulator"`` or ``"online"``.

    Parameters
    ----------
    algorithm
        One of `ALGORITHMS`; for a learner in a file see `load_learner`.

    Raises
    ------
    InputError
        If there is no such learner.
    """
    _check_name(algorithm)
    return ALGORITHMS[algorithm]


def read_learner(
    algorithm: str | PythonLearner, options: Mapping[str, Any] | None, setting: str
) -> NamedLearner | PythonLearner:
    """Return a learner of one setting with its options.

    Parameters
    ----------
    algorithm
        One of `ALGORITHMS`, the path of a file that defines a learner, which ends in ``.py``, or
        what `load_learner` returned.
    options
        By name; None stands for the defaults. A learner that was loaded has its own.
    setting
        ``"simulator"`` or ``"online"``.

    Raises
    ------
    InputError
        If there is no such learner, it belongs to the other setting or an option is wrong.
    """
    if isinstance(algorithm, PythonLearner):
        if options:
            raise InputError(f"options: {algorithm.path} is loaded; give them to load_learner")
        _check_setting(str(algorithm.path), algorithm.setting, setting)
        return algorithm
    check_algorithm(algorithm)
    if algorithm.endswith(".py"):
        return read_learner(load_learner(algorithm, options), None, setting)
    _check_name(algorithm)
    _check_setting(algorithm, ALGORITHMS[algorithm], setting)
    try:
        return NamedLearner(algorithm, read_parameters(_options_type(algorithm), options or {}))
    except InputError as error:
        reason = str(error).removeprefix(f"{algorithm}: ")  # learners name themselves, too
        raise InputError(f"options of {algorithm}: {reason}") from None


def _check_setting(algorithm: str, found: str, wanted: str) -> None:
    if found != wanted:
        raise InputError(
            f"{algorithm}: belongs to the {found} setting; give it {_BUDGETS[found]}, not "
            f"{_BUDGETS[wanted]}"
        )


def _check_name(algorithm: str) -> None:
    check_algorithm(algorithm)
    if algorithm.endswith(".py"):
        raise InputError(f"{algorithm}: a learner in a file; load_learner(...) tells about it")
    if algorithm not in ALGORITHMS:
        hint = did_you_mean(algorithm.lower(), ALGORITHMS)
        raise InputError(f"unknown learner {algorithm!r}; {hint}")


def _options_type(algorithm: str) -> Any:
    if algorithm in simulator.MODULES:
        return simulator.simulator_learner(algorithm).options_type
    return online.online_learner(algorithm).options_type
