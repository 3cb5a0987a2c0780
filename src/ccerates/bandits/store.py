"""Runs of bandits on disk: one .npz file with the arrays of `BanditRuns` and metadata as JSON.

Nothing in a file is ever unpickled.
"""

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ccerates.bandits.arena import BanditRuns
from ccerates.errors import InputError

FORMAT_VERSION = 1
METADATA = {
    "label": str,  # of the bandit with its constants, for example "evb-rigorous"
    "bandit": str,
    "constants": str,  # "rigorous", "practical" or "published"
    "adversary": str,
    "rounds": int,
    "num_actions": int,
    "gain_bound": float,
    "failure": float,
}
_WITH_ACTIONS = ("mean_sum", "estimate_sum", "square", "range_", "final_estimate")


def save_bandit_runs(
    runs: BanditRuns, path: str | os.PathLike[str], metadata: dict[str, Any]
) -> None:
    """Write runs to a .npz file, as a whole or not at all.

    Parameters
    ----------
    runs
        The runs.
    path
        Where to write; a file that is already there is replaced.
    metadata
        The keys of `METADATA`, and anything else that JSON can hold.

    Raises
    ------
    InputError
        If metadata are missing or of a wrong type, arrays do not fit them or each other, or the
        file cannot be written.
    """
    try:
        _check_metadata(metadata)
        _check_arrays(runs._asdict(), metadata["num_actions"])
        text = json.dumps({"format": FORMAT_VERSION, **metadata}, sort_keys=True, allow_nan=False)
    except (InputError, TypeError, ValueError) as error:
        raise InputError(f"{path}: {error}") from error
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            np.savez(file, metadata=np.frombuffer(text.encode(), np.uint8), **runs._asdict())
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"{path}: cannot write the runs ({error}); check the folder") from error
    finally:
        temporary.unlink(missing_ok=True)


def load_bandit_runs(path: str | os.PathLike[str]) -> tuple[BanditRuns, dict[str, Any]]:
    """Read what `save_bandit_runs` wrote.

    Parameters
    ----------
    path
        The .npz file.

    Returns
    -------
    BanditRuns
        The runs.
    dict
        The metadata.

    Raises
    ------
    InputError
        If the file is missing, damaged, of another version or does not hold runs of bandits; the
        message names the file and what to do.
    """
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file; play the bandits first (see arena.play)")
    try:
        with zipfile.ZipFile(path) as archive:
            arrays = {
                name.removesuffix(".npy"): _read(archive, name) for name in archive.namelist()
            }
        if sorted(arrays) != sorted((*BanditRuns._fields, "metadata")):
            raise InputError(f"expected metadata and the arrays {', '.join(BanditRuns._fields)}")
        metadata = json.loads(arrays.pop("metadata").tobytes().decode())
        version = metadata.pop("format", None)
        if version != FORMAT_VERSION:
            raise InputError(f"format version {version!r}; this program reads {FORMAT_VERSION}")
        _check_metadata(metadata)
        _check_arrays(arrays, metadata["num_actions"])
    except Exception as error:  # damaged bytes make zipfile, zlib, NumPy and json raise all kinds
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{path}: not a usable file of bandit runs: {reason}; delete it and play again"
        ) from error
    return BanditRuns(**arrays), metadata


def _read(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    with archive.open(name) as member:
        return np.asarray(np.lib.format.read_array(member, allow_pickle=False))


def _check_metadata(metadata: dict[str, Any]) -> None:
    for name, expected in METADATA.items():
        value = metadata.get(name)
        if not isinstance(value, expected) or isinstance(value, bool):
            raise InputError(f"metadata: {name} must be of type {expected.__name__}, got {value!r}")


def _check_arrays(arrays: dict[str, np.ndarray], num_actions: int) -> None:
    count = len(np.atleast_1d(arrays["gain"]))
    for name, values in arrays.items():
        shape = (count, num_actions) if name in _WITH_ACTIONS else (count,)
        if values.shape != shape or values.dtype != np.float64:
            raise InputError(
                f"array {name}: expected shape {shape} of float64, "
                f"got {values.shape} of {values.dtype}"
            )
