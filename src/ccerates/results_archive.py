"""Results of learners on disk, whatever the setting: the runs of one algorithm in one .npz file."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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

_KIND = FileKind(
    noun="results",
    version=1,
    maximal_bytes=2 * 1024**3,
    first="run a learner first (see save_results)",
    again="run the learner again",
)
_ANY_NUMBERS = Declaration(None, None)
_TRACE = "trace"
_OWN_CODE = ".py"  # ends the name of an algorithm that is a file of the user's


class NoTrace(NamedTuple):
    """The trace of a learner that leaves none."""


@dataclass(frozen=True)
class ResultsFile:
    """What results of one setting are made of.

    Attributes
    ----------
    content
        What the files hold: "learning results".
    result_type
        Dataclass of a result: an `algorithm`, a `trace` and what follows.
    trace_type
        Gives the type of an algorithm's trace, or raises InputError if it does not know the
        algorithm.
    texts
        Fields that are texts, kept in the metadata.
    numbers, values
        Fields that are numbers and arrays, by name; declared with an axis over runs in front.
    parts
        Fields that are NamedTuples of arrays, or None in all runs, by name.
    check
        Raises InputError if the arrays of a file do not fit together.
    """

    content: str
    result_type: Callable[..., Any]
    trace_type: Callable[[str], type[Any]]
    texts: tuple[str, ...]
    numbers: Mapping[str, Declaration]
    values: Mapping[str, Declaration]
    parts: Mapping[str, type[Any]]
    check: Callable[[Mapping[str, np.ndarray]], None]

    def save(self, results: Sequence[Any], path: str | os.PathLike[str]) -> None:
        """Write results, as a whole or not at all; equal results give equal bytes.

        Raises
        ------
        InputError
            If there are no results, they do not fit together or are more than a file may hold, the
            registry does not know the algorithm or names another trace type, or the file cannot be
            written.
        """
        try:
            header, arrays = self._collect(results)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        write_archive(_KIND, path, header, arrays)

    def load(self, path: str | os.PathLike[str]) -> list[Any]:
        """Return results equal to those saved, in their order.

        Raises
        ------
        InputError
            If the file is missing, damaged, too large, of another version or algorithm, or holds
            something else; the message names the file and what to do.
        """
        header = self._read_header(path)
        try:
            trace_type = self._type_of_trace(header["algorithm"])
        except InputError as error:  # the file may be good: no advice to delete it
            raise InputError(
                f"{path}: {error}; its results need its line in the registry"
            ) from error
        with open_archive(_KIND, path) as archive:
            present = {name: self.parts[name] for name in self.parts if name in header["parts"]}
            names = {
                name: [f"{name}.{each}" for each in part._fields]
                for name, part in {_TRACE: trace_type, **present}.items()
            }
            members = {each: _ANY_NUMBERS for part in names.values() for each in part}
            arrays = read_arrays(archive, {**self.numbers, **self.values, **members})
            runs = self._count_runs(arrays)
            for name in self.texts:
                texts = header[name]
                if len(texts) != runs or not all(isinstance(text, str) for text in texts):
                    raise InputError(
                        f"metadata: {name}: expected {runs} texts, got {len(texts)} items"
                    )

        def pick(name: str, part: type[Any], run: int) -> Any:
            return part(*(arrays[member][run] for member in names[name]))

        return [
            self.result_type(
                algorithm=header["algorithm"],
                **{name: header[name][run] for name in self.texts},
                **{name: arrays[name][run].item() for name in self.numbers},
                **{name: arrays[name][run] for name in self.values},
                **{name: pick(name, part, run) for name, part in present.items()},
                trace=pick(_TRACE, trace_type, run),
            )
            for run in range(runs)
        ]

    def _read_header(self, path: str | os.PathLike[str]) -> dict[str, Any]:
        with open_archive(_KIND, path) as archive:
            if read_header(_KIND, archive, {}).get("content") != self.content:
                raise InputError(f"it holds no {self.content}")
            fields = {"algorithm": str, **dict.fromkeys(self.texts, list)}
            if self.parts:
                fields["parts"] = list
            return {"parts": [], **read_header(_KIND, archive, fields)}

    def _type_of_trace(self, algorithm: str) -> type[Any]:
        return NoTrace if algorithm.endswith(_OWN_CODE) else self.trace_type(algorithm)

    def _collect(self, results: Sequence[Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return the metadata and the arrays of a file."""
        if not results:
            raise InputError("there are no results to save; give at least one")
        algorithm = results[0].algorithm
        trace_type = self._type_of_trace(algorithm)
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
            for name, declaration in {**self.numbers, **self.values}.items()
        }
        present = self._present_parts(results)
        for name, part in {_TRACE: trace_type, **present}.items():
            for field in part._fields:
                values = [getattr(getattr(result, name), field) for result in results]
                arrays[f"{name}.{field}"] = _stack(f"{name}.{field}", _ANY_NUMBERS, values)
        self._count_runs(arrays)
        texts = {name: [getattr(result, name) for result in results] for name in self.texts}
        header = {"content": self.content, "algorithm": algorithm, **texts}
        if self.parts:
            header["parts"] = list(present)
        return header, arrays

    def _present_parts(self, results: Sequence[Any]) -> dict[str, type[Any]]:
        """Return the optional parts that all runs have."""
        present = {}
        for name, part in self.parts.items():
            has = [getattr(result, name) is not None for result in results]
            if any(has) and not all(has):
                raise InputError(
                    f"run {has.index(False)} has no {name}, run {has.index(True)} has one; save "
                    "them to different files"
                )
            if any(has):
                present[name] = part
        return present

    def _count_runs(self, arrays: Mapping[str, np.ndarray]) -> int:
        """Return the number of runs, if all arrays agree about it and fit together."""
        runs = len(arrays[next(iter(self.values))])
        for name, array in arrays.items():
            if len(array) != runs:
                raise InputError(f"array {name}: expected {runs} runs, got {len(array)}")
        self.check(arrays)
        return runs


def read_content(path: str | os.PathLike[str]) -> str:
    """Return what a file of results holds, the `content` of a `ResultsFile`.

    Raises
    ------
    InputError
        If the file is missing, damaged or no file of results.
    """
    with open_archive(_KIND, path) as archive:
        return str(read_header(_KIND, archive, {"content": str})["content"])


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


def check_shape(arrays: Mapping[str, np.ndarray], name: str, expected: tuple[int, ...]) -> None:
    """Raise InputError unless an array of a file has a shape."""
    if arrays[name].shape != expected:
        raise InputError(f"array {name}: expected shape {expected}, got {arrays[name].shape}")
