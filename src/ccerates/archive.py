"""Arrays and JSON metadata in one .npz file, written as a whole and read with suspicion.

The same content always gives the same bytes: members are stored uncompressed, in a fixed order,
with a fixed date. Nothing in a file is ever unpickled, and the sizes it declares are checked
before memory is taken for them.
"""

import io
import json
import math
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from ccerates.errors import InputError

METADATA = "metadata"  # name of the member with the JSON header
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
_HEADER_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_NUMBERS = "biuf"  # kinds of dtype


class FileKind(NamedTuple):
    """What files of one kind are called in messages, and what they may be.

    Attributes
    ----------
    noun
        What a file holds: "game".
    version
        Version of the format, written into every file.
    maximal_bytes
        Size of the arrays that a file may hold.
    first, again
        What to do if there is no file, or no usable one: "make the game first".
    """

    noun: str
    version: int
    maximal_bytes: int
    first: str
    again: str


class Declaration(NamedTuple):
    """What an array in a file must be.

    Attributes
    ----------
    dtype
        Its type; None stands for any type of number.
    axes
        Number of its axes; None stands for any from `fewest` on.
    fewest
        Smallest number of axes, where `axes` is None; 0 lets a single number pass.
    """

    dtype: type | None
    axes: int | None
    fewest: int = 1

    def __str__(self) -> str:
        axes = "axes" if self.axes is None else f"{self.axes} axes"
        return f"{axes} of {'numbers' if self.dtype is None else np.dtype(self.dtype)}"

    def fits(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
        """Return whether an array of this shape and type is as declared."""
        typed = dtype.kind in _NUMBERS if self.dtype is None else dtype == self.dtype
        counted = len(shape) >= self.fewest if self.axes is None else len(shape) == self.axes
        return typed and counted and min(shape, default=0) >= 0


_HEADER = Declaration(np.uint8, 1)


def write_archive(
    kind: FileKind,
    path: str | os.PathLike[str],
    header: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray],
) -> None:
    """Write a file, as a whole or not at all.

    Parameters
    ----------
    kind
        Kind of the file.
    path
        Where to write; a file that is already there is replaced.
    header
        What JSON can hold, without NaN; the version is added.
    arrays
        Arrays of numbers by name.

    Raises
    ------
    InputError
        If the header is not JSON data, the arrays are larger than the kind allows, or the file
        cannot be written.
    """
    try:
        text = json.dumps({**header, "format": kind.version}, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}: metadata: must be JSON data ({error})") from error
    members = {**arrays, METADATA: np.frombuffer(text.encode(), dtype=np.uint8)}
    size = sum(array.nbytes for array in members.values())
    if size > kind.maximal_bytes:
        raise InputError(f"{path}: {_too_large(kind, size)}")
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as archive:
            for name, array in members.items():
                member = io.BytesIO()
                np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)
                info = zipfile.ZipInfo(f"{name}.npy", date_time=_ZIP_EPOCH)
                info.create_system = 3  # the same bytes on every operating system
                archive.writestr(info, member.getvalue())
        temporary.replace(target)
    except OSError as error:
        raise InputError(
            f"{path}: cannot write the {kind.noun} ({error}); check the folder"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def open_archive(kind: FileKind, path: str | os.PathLike[str]) -> Iterator[zipfile.ZipFile]:
    """Open a file for reading; whatever goes wrong in the block becomes an InputError.

    Parameters
    ----------
    kind
        Kind of the file.
    path
        The file.

    Raises
    ------
    InputError
        If the file is missing, damaged or too large; the message names it and what to do.
    """
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file; {kind.first}")
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > kind.maximal_bytes + 256 * len(archive.infolist()):  # the .npy headers
                raise InputError(_too_large(kind, size))
            yield archive
    except MemoryError:
        raise
    except Exception as error:  # damaged bytes make zipfile, zlib, NumPy and json raise all kinds
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{path}: not a usable {kind.noun} file: {reason}; name another file, or, if this was "
            f"one, delete it and {kind.again}"
        ) from error


def read_header(
    kind: FileKind, archive: zipfile.ZipFile, fields: Mapping[str, type]
) -> dict[str, Any]:
    """Return the metadata of an open file.

    Parameters
    ----------
    kind
        Kind of the file.
    archive
        The file.
    fields
        Names that the metadata must hold, and the types of their values.

    Raises
    ------
    InputError
        If there is no metadata, it is of another version or it lacks a field.
    """
    if f"{METADATA}.npy" not in archive.namelist():
        raise InputError(f"it lacks {METADATA}.npy and holds {_listed(archive.namelist())}")
    header = json.loads(read_array(archive, METADATA, _HEADER).tobytes().decode())
    if not isinstance(header, dict):
        raise InputError(f"metadata: expected an object, got {type(header).__name__}")
    if header.get("format") != kind.version:
        raise InputError(
            f"format version {header.get('format')!r}; this program reads {kind.version}"
        )
    for name, expected in fields.items():
        if not isinstance(header.get(name), expected):
            raise InputError(f"metadata: {name} is missing or not a {expected.__name__}")
    return header


def read_arrays(
    archive: zipfile.ZipFile, declared: Mapping[str, Declaration]
) -> dict[str, np.ndarray]:
    """Return the arrays of an open file, which must be those declared and the metadata.

    Raises
    ------
    InputError
        If an array is missing or undeclared, or not what was declared.
    """
    expected = [f"{name}.npy" for name in (*declared, METADATA)]
    present = archive.namelist()
    if sorted(present) != sorted(expected):
        lacking = [name for name in expected if name not in present]
        strange = [name for name in present if name not in expected]
        faults = {"lacks": lacking, "holds an unexpected": strange}
        raise InputError(
            " and ".join(f"it {fault} {_listed(names)}" for fault, names in faults.items() if names)
        )
    return {name: read_array(archive, name, wanted) for name, wanted in declared.items()}


def read_array(archive: zipfile.ZipFile, name: str, declaration: Declaration) -> np.ndarray:
    """Return one array of an open file.

    Raises
    ------
    InputError
        If it is not what was declared.
    """
    with archive.open(f"{name}.npy") as member:
        _check_declared(member, archive.getinfo(f"{name}.npy").file_size, name, declaration)
    with archive.open(f"{name}.npy") as member:
        array: np.ndarray = np.lib.format.read_array(member, allow_pickle=False)
        if member.read(1):
            raise InputError(f"array {name}: more data than its header declares")
    return array


def _listed(names: Sequence[str]) -> str:
    """Return names, or the first few of many."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more or "nothing"


def _too_large(kind: FileKind, size: int) -> str:
    limit = kind.maximal_bytes / 2**30
    return f"needs {size / 2**30:.2f} GiB, more than the {limit:g} GiB allowed in one file"


def _check_declared(member: IO[bytes], size: int, name: str, declaration: Declaration) -> None:
    """Raise InputError unless the header of `member` declares what `declaration` does."""
    version = np.lib.format.read_magic(member)
    if version not in _HEADER_READERS:
        raise InputError(f"array {name}: unknown .npy version {version}")
    shape, _, dtype = _HEADER_READERS[version](member)
    if not declaration.fits(shape, dtype):
        raise InputError(f"array {name}: expected {declaration}, got shape {shape} of {dtype}")
    needed = math.prod(shape) * dtype.itemsize
    if needed > size:
        raise InputError(f"array {name}: declares {needed} bytes, but the file holds {size}")
