"""Runs of bandits on disk: one .npz file with the arrays of `BanditRuns` and metadata as JSON."""

import os
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
from ccerates.bandits.arena import BanditRuns
from ccerates.errors import InputError

_KIND = FileKind(
    noun="bandit runs",
    version=1,
    maximal_bytes=2 * 1024**3,
    first="play the bandits first (see arena.play)",
    again="play again",
)
METADATA = {
    "label": str,  # of the bandit with its constants, for example "evb-rigorous"
    "bandit": str,
    "constants": str,  # "rigorous", "practical", "published" or "own rate"
    "adversary": str,
    "rounds": int,
    "num_actions": int,
    "gain_bound": float,
    "failure": float,
}
_WITH_ACTIONS = ("mean_sum", "estimate_sum", "square", "range_", "final_estimate")
_ARRAYS = {
    name: Declaration(np.float64, 2 if name in _WITH_ACTIONS else 1) for name in BanditRuns._fields
}


def save_bandit_runs(
    runs: BanditRuns, path: str | os.PathLike[str], metadata: dict[str, Any]
) -> None:
    """Write runs to a .npz file, as a whole or not at all; equal runs give equal bytes.

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
        If metadata are missing or of a wrong type, arrays do not fit them or each other or are
        more than a file may hold, or the file cannot be written.
    """
    arrays = runs._asdict()
    try:
        _check_metadata(metadata)
        _check_arrays(arrays, metadata["num_actions"])
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    write_archive(_KIND, path, metadata, arrays)


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
        If the file is missing, damaged, too large, of another version or does not hold runs of
        bandits; the message names the file and what to do.
    """
    with open_archive(_KIND, path) as archive:
        arrays = read_arrays(archive, _ARRAYS)
        metadata = read_header(_KIND, archive, {})
        del metadata["format"]
        _check_metadata(metadata)
        _check_arrays(arrays, metadata["num_actions"])
    return BanditRuns(**arrays), metadata


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
