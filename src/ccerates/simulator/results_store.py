"""Results of simulator learners on disk: the runs of one batch, or of several, in one .npz file."""

import os
from collections.abc import Sequence
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
from ccerates.simulator.registry import simulator_learner
from ccerates.simulator.result import LearningResult

_KIND = FileKind(
    noun="results",
    version=1,
    maximal_bytes=2 * 1024**3,
    first="run a learner first (see save_results)",
    again="run the learner again",
)
_CONTENT = "learning results"
# Arrays have a leading axis over runs.
_NUMBERS = {
    "certified": Declaration(np.bool_, 1),
    "failure": Declaration(np.float64, 1),
    "rounds": Declaration(np.int64, 1),
    "samples": Declaration(np.int64, 1),
    "certificate": Declaration(np.float64, 1),
}
_VALUES = {
    "policy": Declaration(np.float64, 4),
    "upper_value": Declaration(np.float64, 4),
    "lower_value": Declaration(np.float64, 4),
}
_ANY_NUMBERS = Declaration(None, None)
_TEXTS = ("game_hash", "constants")  # in the metadata: one text for each run
_TRACE = "trace."  # arrays of the trace are called so and by their field


def save_results(results: Sequence[LearningResult], path: str | os.PathLike[str]) -> None:
    """Write results to a .npz file, as a whole or not at all; equal results give equal bytes.

    Parameters
    ----------
    results
        At least one; all of one algorithm and of equal shapes. Games, rounds, constants and
        failure probabilities may differ.
    path
        Where to write; a file that is already there is replaced.

    Raises
    ------
    InputError
        If there are no results, they do not fit together or are more than a file may hold, the
        registry does not know the algorithm or names another trace type, or the file cannot be
        written.
    """
    try:
        header, arrays = _collect(results)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    write_archive(_KIND, path, header, arrays)


def load_results(path: str | os.PathLike[str]) -> list[LearningResult]:
    """Read results that `save_results` wrote.

    Parameters
    ----------
    path
        The .npz file.

    Returns
    -------
    list of LearningResult
        Equal to those saved, in their order; traces have the type that the registry names.

    Raises
    ------
    InputError
        If the file is missing, damaged, too large, of another version or algorithm, or holds
        something else; the message names the file and what to do.
    """
    header = _read_header(path)
    try:
        trace_type = simulator_learner(header["algorithm"]).trace_type
    except InputError as error:  # the file may be good: no advice to delete it
        raise InputError(f"{path}: {error}; its results need its line in the registry") from None
    traced = {_TRACE + name: _ANY_NUMBERS for name in trace_type._fields}
    with open_archive(_KIND, path) as archive:
        arrays = read_arrays(archive, _NUMBERS | _VALUES | traced)
        _check_shapes(arrays)
        runs = len(arrays["policy"])
        for name in _TEXTS:
            texts = header[name]
            if len(texts) != runs or not all(isinstance(text, str) for text in texts):
                raise InputError(f"metadata: {name}: expected {runs} texts, got {len(texts)} items")
    return [
        LearningResult(
            algorithm=header["algorithm"],
            **{name: header[name][run] for name in _TEXTS},
            **{name: arrays[name][run].item() for name in _NUMBERS},
            **{name: arrays[name][run] for name in _VALUES},
            trace=trace_type(*(arrays[name][run] for name in traced)),
        )
        for run in range(runs)
    ]


def _read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    with open_archive(_KIND, path) as archive:
        content = read_header(_KIND, archive, {}).get("content")
        if content != _CONTENT:
            raise InputError(f"it holds no {_CONTENT}")
        return read_header(_KIND, archive, {"algorithm": str, **dict.fromkeys(_TEXTS, list)})


def _collect(
    results: Sequence[LearningResult],
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the metadata and the arrays of a file."""
    if not results:
        raise InputError("there are no results to save; give at least one")
    algorithm = results[0].algorithm
    trace_type = simulator_learner(algorithm).trace_type
    for run, result in enumerate(results):
        if result.algorithm != algorithm:
            raise InputError(
                f"run {run} is of {result.algorithm}, the first of {algorithm}; save each "
                "algorithm to a file of its own"
            )
        if not isinstance(result.trace, trace_type):
            raise InputError(
                f"the trace of run {run} is a {type(result.trace).__name__}, but the registry "
                f"names {trace_type.__name__} for {algorithm}; correct its line there"
            )
    arrays = {
        name: _stack(name, declaration, [getattr(result, name) for result in results])
        for name, declaration in (_NUMBERS | _VALUES).items()
    }
    for name in trace_type._fields:
        values = [getattr(result.trace, name) for result in results]
        arrays[_TRACE + name] = _stack(_TRACE + name, _ANY_NUMBERS, values)
    _check_shapes(arrays)
    texts = {name: [getattr(result, name) for result in results] for name in _TEXTS}
    return {"content": _CONTENT, "algorithm": algorithm, **texts}, arrays


def _stack(name: str, declaration: Declaration, values: Sequence[Any]) -> np.ndarray:
    """Return an array of all runs."""
    arrays = [np.asarray(value) for value in values]
    for run, array in enumerate(arrays):
        if array.shape != arrays[0].shape:
            raise InputError(
                f"{name} of run {run} has shape {array.shape}, that of the first run "
                f"{arrays[0].shape}; save runs of different shapes to different files"
            )
    stacked = np.stack(arrays)
    if not declaration.fits(stacked.shape, stacked.dtype):
        raise InputError(
            f"{name} of all runs: expected {declaration}, got shape {stacked.shape} of "
            f"{stacked.dtype}"
        )
    return stacked


def _check_shapes(arrays: dict[str, np.ndarray]) -> None:
    """Raise InputError unless runs, steps, states and players agree."""
    runs = len(arrays["policy"])
    for name, array in arrays.items():
        if len(array) != runs:
            raise InputError(f"array {name}: expected {runs} runs, got {len(array)}")
    for name in ("upper_value", "lower_value"):
        expected = (*arrays["policy"].shape[:3], arrays["upper_value"].shape[3])
        if arrays[name].shape != expected:
            raise InputError(f"array {name}: expected shape {expected}, got {arrays[name].shape}")
