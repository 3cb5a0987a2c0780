"""Gambit's games in normal form, from files or pygambit's catalogue, of one state and one step.

One affine map takes the payoffs of all players to [0, 1]: own payoff = reward_offset +
reward_scale * table reward, and own gap = reward_scale * table gap. It is computed exactly, from
the numbers as they are written, and rounded once.
"""

import importlib
import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.games.nfg import NormalForm, parse_nfg

# 4 million payoffs of one digit; larger games are better given as arrays.
MAX_FILE_BYTES = 8 * 1024**2
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def import_gambit(path: str | os.PathLike[str]) -> MarkovGame:
    """Read a Gambit .nfg file, in payoff or in outcome form.

    Parameters
    ----------
    path
        The file, in UTF-8 or, as older versions of Gambit write it, in Latin-1.

    Returns
    -------
    MarkovGame
        One state, one step; named after the file. Metadata holds ``title``, ``comment``,
        ``players`` (names), ``actions`` (names of each player's strategies), ``reward_scale`` and
        ``reward_offset``.

    Raises
    ------
    InputError
        If there is no such file, it is too large or of another format, or it has a fault; the
        message names the file, line and column, and what to write.

    References
    ----------
    Savani and Turocy, Gambit: the package for computation in game theory,
    https://www.gambit-project.org, on the format.
    """
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file; name a Gambit .nfg file")
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot read the file ({error.strerror}); name another") from None
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            f"{path}: larger than {MAX_FILE_BYTES // 2**20} MiB, the limit for .nfg files; give "
            "the game as arrays in an .npz file (ccerates games make --arrays)"
        )
    try:
        return normal_form_game(parse_nfg(_decoded(content)), Path(path).stem)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def import_gambit_catalogue(name: str) -> MarkovGame:
    """Load a game of the catalogue that pygambit brings along.

    Games in extensive form are taken in their reduced normal form.

    Parameters
    ----------
    name
        What ``pygambit.catalog.load`` takes.

    Returns
    -------
    MarkovGame
        As `import_gambit` returns it, named `name`.

    Raises
    ------
    InputError
        If pygambit is not installed, has no such game, or the normal form is too large.
    """
    try:
        catalogue = importlib.import_module("pygambit.catalog")
    except ImportError:
        raise InputError(
            "pygambit, whose catalogue this is, is not installed; pip install pygambit, or name an "
            ".nfg file (ccerates games make --gambit)"
        ) from None
    try:
        text = catalogue.load(name).to_nfg()
    except FileNotFoundError:
        raise InputError(
            f"{name}: pygambit's catalogue has no such game; pygambit.catalog.games() lists all"
        ) from None
    try:
        return normal_form_game(parse_nfg(text), name)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def normal_form_game(normal_form: NormalForm, name: str) -> MarkovGame:
    """Return a normal form as a `MarkovGame` of one state and one step.

    Parameters
    ----------
    normal_form
        The game.
    name
        What the game is called in tables.

    Raises
    ------
    InputError
        If the payoffs differ by less than a float can hold.
    """
    values, scale, offset = _to_unit_interval(normal_form.values)
    reward = np.array(values)[normal_form.payoffs]
    shape = (1, 1, reward.shape[1], 1)
    return MarkovGame(
        num_actions=tuple(map(len, normal_form.actions)),
        reward=reward[None, :, None, :],
        next_state=np.zeros(shape, dtype=int),
        probability=np.ones(shape),
        layer=np.zeros(1, dtype=int),
        start=np.ones(1),
        name=name,
        metadata={
            "title": normal_form.title,
            "comment": normal_form.comment,
            "players": normal_form.players,
            "actions": normal_form.actions,
            "reward_scale": scale,
            "reward_offset": offset,
        },
    )


def _decoded(content: bytes) -> str:
    """Return the text of a file, lines ended by line feeds."""
    if content.startswith(_UTF16):
        raise InputError("is in UTF-16; save it as UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # knows every byte; names alone are concerned
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _to_unit_interval(payoffs: Sequence[Fraction]) -> tuple[list[float], float, float]:
    """Return payoffs mapped to [0, 1], and scale and offset that lead back."""
    offset = min(payoffs)
    scale = max(payoffs) - offset or Fraction(1)
    if not float(scale):
        raise InputError(
            "the payoffs differ by less than a float can hold; multiply all of them by one number"
        )
    return [float((payoff - offset) / scale) for payoff in payoffs], float(scale), float(offset)
