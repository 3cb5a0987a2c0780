"""Files of results, whatever the setting."""

import os
from collections.abc import Sequence

from ccerates.errors import InputError
from ccerates.online.result import OnlineResult
from ccerates.online.results_store import CONTENT, load_online_results, save_online_results
from ccerates.results_archive import read_content
from ccerates.simulator import results_store
from ccerates.simulator.result import LearningResult


def save_results(
    results: Sequence[LearningResult] | Sequence[OnlineResult], path: str | os.PathLike[str]
) -> None:
    """Write results of one algorithm to a .npz file, as a whole or not at all.

    Parameters
    ----------
    results
        At least one; of equal shapes.
    path
        Where to write; a file that is already there is replaced.

    Raises
    ------
    InputError
        If there are no results, they do not fit together or are more than a file may hold, or the
        file cannot be written.
    """
    online = [result for result in results if isinstance(result, OnlineResult)]
    offline = [result for result in results if isinstance(result, LearningResult)]
    if online and offline:
        raise InputError(f"{path}: results of both settings; save each to a file of its own")
    if online:
        save_online_results(online, path)
    else:
        results_store.save_results(offline, path)


def load_results(path: str | os.PathLike[str]) -> list[LearningResult] | list[OnlineResult]:
    """Read what `save_results` wrote.

    Parameters
    ----------
    path
        The .npz file.

    Raises
    ------
    InputError
        If the file is missing, damaged, too large, of another version or algorithm, or holds
        something else; the message names the file and what to do.
    """
    if read_content(path) == CONTENT:
        return load_online_results(path)
    return results_store.load_results(path)
