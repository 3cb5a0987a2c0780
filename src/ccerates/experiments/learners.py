"""The section of a learner in a config: its algorithm, or a file with it, and its options.

What runs learners in files is imported by name, as compiled learners are: the runs of these do not
depend on it.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ccerates.errors import InputError
from ccerates.games.families.parameters import read_parameters

if TYPE_CHECKING:
    from ccerates.protocol.loading import PythonLearner


def algorithm_of(label: str, section: Mapping[str, Any]) -> str:
    """Return the algorithm of a learner, given its section of the config."""
    return str(section.get("algorithm", label))


def own_learner(label: str, section: Mapping[str, Any]) -> "PythonLearner | None":
    """Return the learner that a user's file defines, None if the section names none.

    Parameters
    ----------
    label
        Name of the learner in the config and in all tables.
    section
        ``file``, the path of the file, and options of the class in it.

    Raises
    ------
    InputError
        If the file defines no learner or it does not take the options.
    """
    if "file" not in section:
        return None
    if not isinstance(section["file"], str):
        raise InputError(
            f"learners.{label}.file: expected the path of a Python file, got {section['file']!r}"
        )
    options = {key: value for key, value in section.items() if key != "file"}
    learner: PythonLearner
    try:
        learner = import_module("ccerates.protocol.loading").load_learner(section["file"], options)
        return learner
    except InputError as error:
        raise InputError(f"learners.{label}: {error}") from None


def read_options(label: str, section: Mapping[str, Any], options_type: Any) -> Any:
    """Return the options in the section of a learner.

    Parameters
    ----------
    label
        Name of the learner in the config and in all tables.
    section
        Options, and ``algorithm`` if that is not the label.
    options_type
        Dataclass of the algorithm's options.

    Raises
    ------
    InputError
        If an option is unknown or out of its range.
    """
    values = {key: value for key, value in section.items() if key != "algorithm"}
    try:
        return read_parameters(options_type, values)
    except InputError as error:
        raise InputError(f"learners.{label}: {error}") from None
