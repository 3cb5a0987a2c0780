"""Games from files: stored games, plain arrays and Gambit's, told apart by what they are."""

import os
from pathlib import Path

from ccerates.archive import METADATA, Declaration, FileKind, open_archive, read_array
from ccerates.errors import InputError
from ccerates.games.arrays import NAMES, game_from_arrays
from ccerates.games.gambit import import_gambit
from ccerates.games.model import MAX_TABLE_BYTES, MarkovGame
from ccerates.games.store import load_game

SUFFIXES = (".npz", ".nfg")

_KIND = FileKind(
    noun="array",
    version=1,
    maximal_bytes=MAX_TABLE_BYTES,
    first="write one with numpy.savez",
    again="write it again with numpy.savez",
)
_WANTED = "expected payoffs, or reward and transition, and where needed horizon and start"


def read_game(path: str | os.PathLike[str]) -> MarkovGame:
    """Read a game from a file that people bring.

    Parameters
    ----------
    path
        A stored game (``.npz``), plain arrays (``.npz``, see `load_arrays`) or a Gambit file
        (``.nfg``).

    Raises
    ------
    InputError
        If the file is none of them or has a fault; the message names it and what to do.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"{path}: expected a name that ends in {' or '.join(SUFFIXES)}: a stored game or plain "
            "arrays, or a Gambit file"
        )
    if suffix == ".nfg":
        return import_gambit(path)
    with open_archive(_KIND, path) as archive:
        stored = f"{METADATA}.npy" in archive.namelist()
    return load_game(path) if stored else load_arrays(path)


def load_arrays(path: str | os.PathLike[str]) -> MarkovGame:
    """Read a game from plain arrays, as `numpy.savez` writes them under their names.

    Parameters
    ----------
    path
        The .npz file. It holds ``payoffs``, or ``reward`` and ``transition`` and, where needed,
        ``horizon`` and ``start``, as `ccerates.games.arrays.game_from_arrays` takes them.

    Returns
    -------
    MarkovGame
        Named after the file.

    Raises
    ------
    InputError
        If the file is missing, damaged or too large, or the arrays are no game; the message names
        the file, the array and what to write.
    """
    with open_archive(_KIND, path) as archive:
        members = archive.namelist()
        if f"{METADATA}.npy" in members:
            raise InputError("it is a stored game and needs no conversion")
        names = [member.removesuffix(".npy") for member in members]
        if not names or len(set(names)) < len(names) or not set(names) <= set(NAMES):
            raise InputError(f"it holds {', '.join(names[:6]) or 'nothing'}; {_WANTED}")
        arrays = {name: read_array(archive, name, Declaration(None, None, 0)) for name in names}
    try:
        if "horizon" in arrays and arrays["horizon"].ndim:
            raise InputError(f"horizon: expected one number, got shape {arrays['horizon'].shape}")
        horizon = arrays.pop("horizon").item() if "horizon" in arrays else None
        return game_from_arrays(**arrays, horizon=horizon, name=Path(path).stem)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
