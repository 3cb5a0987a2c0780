"""Games that commands only draw samples of: tables in .npz files or simulators in Python files."""

from collections.abc import Mapping
from typing import Any

from ccerates import api
from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.games.store import load_game


def load_game_or_simulator(
    path: str, options: Mapping[str, Any] | None = None
) -> MarkovGame | api.PythonSimulator:
    """Return the game of a file.

    Parameters
    ----------
    path
        A file that ends in .py defines a class `Simulator`; any other holds a table.
    options
        Arguments of that class.

    Raises
    ------
    InputError
        If the file cannot be used, or a table is given options.
    """
    if path.endswith(".py"):
        return api.load_simulator(path, options)
    if options:
        raise InputError(f"--option: {path} is the file of a game, which has no options")
    return load_game(path)
