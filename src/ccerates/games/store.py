"""Games on disk: one .npz file with the arrays of a `MarkovGame` and its metadata as JSON.

The same game always gives the same bytes: members are stored uncompressed, in a fixed order, with
a fixed date. Nothing in a file is ever unpickled, and the sizes it declares are checked before
memory is taken for them.
"""

import io
import json
import math
import os
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np

from ccerates.errors import InputError
from ccerates.games.model import MAX_TABLE_BYTES, MarkovGame

FORMAT_VERSION = 1
_ARRAYS: dict[str, tuple[type, int]] = {  # dtype and number of axes
    "num_actions": (np.int64, 1),
    "reward": (np.float64, 4),
    "next_state": (np.int32, 4),
    "probability": (np.float64, 4),
    "layer": (np.int32, 1),
    "start": (np.float64, 1),
    "metadata": (np.uint8, 1),
}
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
_HEADER_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def save_game(game: MarkovGame, path: str | os.PathLike[str]) -> None:
    """Write a game to a .npz file, as a whole or not at all.

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
    header = {
        "format": FORMAT_VERSION,
        "name": game.name,
        "content_hash": game.content_hash,
        "metadata": game.metadata,
    }
    text = json.dumps(header, sort_keys=True, allow_nan=False).encode()
    values: dict[str, Any] = {name: getattr(game, name) for name in _ARRAYS if name != "metadata"}
    values["metadata"] = np.frombuffer(text, dtype=np.uint8)
    arrays: dict[str, np.ndarray] = {
        name: np.asarray(values[name], dtype=dtype) for name, (dtype, _) in _ARRAYS.items()
    }
    size = sum(array.nbytes for array in arrays.values())
    if size > MAX_TABLE_BYTES:
        raise InputError(f"{path}: {_too_large(size)}")

    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as archive:
            for name, array in arrays.items():
                member = io.BytesIO()
                np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)
                info = zipfile.ZipInfo(f"{name}.npy", date_time=_ZIP_EPOCH)
                info.create_system = 3  # the same bytes on every operating system
                archive.writestr(info, member.getvalue())
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"{path}: cannot write the game ({error}); check the folder") from error
    finally:
        temporary.unlink(missing_ok=True)


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
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file; make the game first (see save_game)")
    try:
        with zipfile.ZipFile(path) as archive:
            arrays = _read_arrays(archive)
        header = _read_header(arrays.pop("metadata"))
        game = MarkovGame(
            **arrays,  # type: ignore[arg-type]
            name=header["name"],
            metadata=header["metadata"],
        )
        if game.content_hash != header["content_hash"]:
            raise InputError("the arrays do not match the content hash in the metadata")
    except MemoryError:
        raise
    except Exception as error:  # damaged bytes make zipfile, zlib, NumPy and json raise all kinds
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{path}: not a usable game file: {reason}; delete the file and make the game again"
        ) from error
    return game


def _too_large(size: int) -> str:
    return f"needs {size / 2**30:.2f} GiB, more than the {MAX_TABLE_BYTES / 2**30:g} GiB allowed"


def _read_arrays(archive: zipfile.ZipFile) -> dict[str, np.ndarray]:
    expected = [f"{name}.npy" for name in _ARRAYS]
    present = archive.namelist()
    if sorted(present) != sorted(expected):
        raise InputError(f"expected the members {', '.join(expected)}, got {', '.join(present)}")
    size = sum(info.file_size for info in archive.infolist())
    if size > MAX_TABLE_BYTES + 4096:  # room for the .npy headers
        raise InputError(_too_large(size))
    arrays = {}
    for name, (dtype, axes) in _ARRAYS.items():
        with archive.open(f"{name}.npy") as member:
            size = archive.getinfo(f"{name}.npy").file_size
            _check_declaration(member, size, name, np.dtype(dtype), axes)
        with archive.open(f"{name}.npy") as member:
            arrays[name] = np.lib.format.read_array(member, allow_pickle=False)
            if member.read(1):
                raise InputError(f"array {name}: more data than its header declares")
    return arrays


def _check_declaration(
    member: IO[bytes], size: int, name: str, dtype: np.dtype[Any], axes: int
) -> None:
    """Raise InputError unless the header of `member` declares an array this module wrote."""
    version = np.lib.format.read_magic(member)
    if version not in _HEADER_READERS:
        raise InputError(f"array {name}: unknown .npy version {version}")
    shape, _, declared = _HEADER_READERS[version](member)
    if declared != dtype or len(shape) != axes or min(shape) < 0:
        raise InputError(
            f"array {name}: expected {axes} axes of {dtype}, got shape {shape} of {declared}"
        )
    needed = math.prod(shape) * dtype.itemsize
    if needed > size:
        raise InputError(f"array {name}: declares {needed} bytes, but the file holds {size}")


def _read_header(text: np.ndarray) -> dict[str, Any]:
    header = json.loads(text.tobytes().decode())
    if not isinstance(header, dict):
        raise InputError(f"metadata: expected an object, got {type(header).__name__}")
    if header.get("format") != FORMAT_VERSION:
        raise InputError(
            f"format version {header.get('format')!r}; this program reads {FORMAT_VERSION}"
        )
    for name, expected in (("name", str), ("content_hash", str), ("metadata", dict)):
        if not isinstance(header.get(name), expected):
            raise InputError(f"metadata: {name} is missing or not a {expected.__name__}")
    return header
