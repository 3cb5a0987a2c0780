"""Arguments of the wrong kind, refused in words that say what to give."""

import os
from typing import Any

from ccerates.errors import InputError
from ccerates.games.model import MarkovGame


def check_game(game: Any) -> None:
    """Raise InputError unless `game` is a game, and not, for example, the name of its file."""
    if isinstance(game, MarkovGame):
        return
    hint = "make_game(...) and load_game(...) return one"
    if isinstance(game, str | os.PathLike):
        hint = f"write load_game({os.fspath(game)!r}) for a file"
    raise InputError(f"game: expected a game, got {game!r}; {hint}")


def check_algorithm(algorithm: Any) -> None:
    """Raise InputError unless `algorithm` is text, and not, for example, a learner's class."""
    if isinstance(algorithm, str):
        return
    hint = "give the name of a learner, the path of a learner's file, or what load_learner returned"
    if isinstance(algorithm, type):
        hint = 'put a class Learner into a file of its own and give its path, "my_learner.py"'
    if isinstance(algorithm, os.PathLike):
        hint = f"write {os.fspath(algorithm)!r}"
    raise InputError(f"algorithm: expected text, got {algorithm!r}; {hint}")
