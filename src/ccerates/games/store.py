"""Games on disk: one .npz file with the arrays of a `MarkovGame` and its metadata as JSON."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from ccerates.archive import (
    Declaration,
    FileKind,
    open_archive,
    read_arrays,
    read_header,
    write_archive,
)
from ccerates.errors import InputError
from ccerates.games.model import MAX_TABLE_BYTES, MarkovGame

_KIND = FileKind(
    noun="game",
    version=1,
    maximal_bytes=MAX_TABLE_BYTES,
    first="make the game first (see save_game)",
    again="make the game again",
)
_ARRAYS = {
    "num_actions": Declaration(np.int64, 1),
    "reward": Declaration(np.float64, 4),
    "next_state": Declaration(np.int32, 4),
    "probability": Declaration(np.float64, 4),
    "layer": Declaration(np.int32, 1),
    "start": Declaration(np.float64, 1),
}
_FIELDS = {"name": str, "content_hash": str, "metadata": dict}


def save_game(game: MarkovGame, path: str | os.PathLike[str]) -> None:
    """Write a game to a .npz file, as a whole or not at all; equal games give equal bytes.

    Parameters
    ----------
    game
        The game.
    path
        Where to write; a file that is already there is replaced.

    Raises
    ------
    InputError
        If the game is larger than `load_game` reads, or the file cannot be written.
    """
    header = {name: getattr(game, name) for name in _FIELDS}
    arrays = {
        name: np.asarray(getattr(game, name), dtype=declaration.dtype)
        for name, declaration in _ARRAYS.items()
    }
    write_archive(_KIND, path, header, arrays)


def load_game(path: str | os.PathLike[str]) -> MarkovGame:
    """Read a game that `save_game` wrote.

    Parameters
    ----------
    path
        The .npz file.

    Returns
    -------
    MarkovGame

    Raises
    ------
    InputError
        If the file is missing, damaged, too large, of another version, or does not hold the game
        whose hash it states; the message names the file and what to do.
    """
    if Path(path).suffix.lower() == ".nfg":
        raise InputError(
            f"{path}: is a Gambit file; make a game of it first: "
            f"ccerates games make --gambit {path} --output game.npz"
        )
    with open_archive(_KIND, path) as archive:
        arrays: dict[str, Any] = read_arrays(archive, _ARRAYS)
        header = read_header(_KIND, archive, _FIELDS)
        game = MarkovGame(**arrays, name=header["name"], metadata=header["metadata"])
        if game.content_hash != header["content_hash"]:
            raise InputError("the arrays do not match the content hash in the metadata")
    return game
