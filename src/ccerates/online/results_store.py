"""Results of online learners on disk: the runs of one batch, or of several, in one .npz file."""

import os
from collections.abc import Mapping, Sequence

import numpy as np

from ccerates.archive import Declaration
from ccerates.online.audit import BoundsAudit
from ccerates.online.registry import online_learner
from ccerates.online.result import History, OnlineResult
from ccerates.results_archive import ResultsFile, check_shape

CONTENT = "online learning results"


def save_online_results(results: Sequence[OnlineResult], path: str | os.PathLike[str]) -> None:
    """Write results to a .npz file, as a whole or not at all; equal results give equal bytes.

    Parameters
    ----------
    results
        At least one; all of one algorithm and of equal shapes. Games, episodes (without a history),
        constants and failure probabilities may differ; either all have a history or an audit, or
        none has.
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


def load_online_results(path: str | os.PathLike[str]) -> list[OnlineResult]:
    """Read results that `save_online_results` wrote.

    Parameters
    ----------
    path
        The .npz file.

    Returns
    -------
    list of OnlineResult
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
    check_shape(arrays, "lower_value", arrays["upper_value"].shape)
    check_shape(arrays, "visits", arrays["upper_value"].shape[:3])


_FILE = ResultsFile(
    content=CONTENT,
    result_type=OnlineResult,
    trace_type=lambda algorithm: online_learner(algorithm).trace_type,
    texts=("game_hash", "constants", "averaging"),
    numbers={
        "certified": Declaration(np.bool_, 1),
        "failure": Declaration(np.float64, 1),
        "episodes": Declaration(np.int64, 1),
        "samples": Declaration(np.int64, 1),
        "certificate": Declaration(np.float64, 1),
    },
    values={
        "upper_value": Declaration(np.float64, 4),
        "lower_value": Declaration(np.float64, 4),
        "visits": Declaration(np.int64, 3),
    },
    parts={"history": History, "audit": BoundsAudit},
    check=_check,
)
