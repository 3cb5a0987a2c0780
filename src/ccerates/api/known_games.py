"""Which games can be made."""

import importlib.util
import sys
from typing import NamedTuple

from ccerates.api.settings import Setting, describe_settings
from ccerates.games.families import FAMILIES


class FamilySummary(NamedTuple):
    """A family of games.

    Attributes
    ----------
    name
        What `make_game` takes.
    description
        What kind of games it holds, in one line.
    parameters
        Its parameters.
    """

    name: str
    description: str
    parameters: tuple[Setting, ...]


def list_games() -> list[FamilySummary]:
    """Return the families of games."""
    return [
        FamilySummary(name, _title(family.parameters_type), describe_settings(family[0]))
        for name, family in FAMILIES.items()
    ]


def has_openspiel() -> bool:
    """Return whether OpenSpiel is installed, whose games `import_openspiel` turns into tables."""
    return importlib.util.find_spec("pyspiel") is not None


def _title(parameters_type: type) -> str:
    """Return the first line of what the family's module says of itself."""
    return (sys.modules[parameters_type.__module__].__doc__ or "").partition("\n")[0]
