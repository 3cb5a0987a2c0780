"""Results of simulator learners on disk: the runs of one batch, or of several, in one .npz file."""

import os
from collections.abc import Mapping, Sequence

import numpy as np

from ccerates.archive import Declaration
from ccerates.results_archive import ResultsFile, check_shape
from ccerates.simulator.registry import simulator_learner
from ccerates.simulator.result import LearningResult


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
    _FILE.save(results, path)


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
    return _FILE.load(path)


def _check(arrays: Mapping[str, np.ndarray]) -> None:
    """Raise InputError unless steps, states and players agree."""
    for name in ("upper_value", "lower_value"):
        players = arrays["upper_value"].shape[3]
        check_shape(arrays, name, (*arrays["policy"].shape[:3], players))


_FILE = ResultsFile(
    content="learning results",
    result_type=LearningResult,
    trace_type=lambda algorithm: simulator_learner(algorithm).trace_type,
    texts=("game_hash", "constants"),
    numbers={
        "certified": Declaration(np.bool_, 1),
        "failure": Declaration(np.float64, 1),
        "rounds": Declaration(np.int64, 1),
        "samples": Declaration(np.int64, 1),
        "certificate": Declaration(np.float64, 1),
    },
    values={
        "policy": Declaration(np.float64, 4),
        "upper_value": Declaration(np.float64, 4),
        "lower_value": Declaration(np.float64, 4),
    },
    parts={},
    check=_check,
)
