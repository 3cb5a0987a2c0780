"""Every check on stored runs, as rows of a table."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
from tqdm import tqdm

from ccerates.bandits.arena import BanditRuns
from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.simulator.result import LearningResult
from ccerates.theory.checks.bandit_cell import BanditCell
from ccerates.theory.checks.learner_run import LearnerRun
from ccerates.theory.checks.record import CheckResult
from ccerates.theory.checks.registry import BANDIT_CHECKS, LEARNER_CHECKS


def check_results(
    games: Iterable[MarkovGame], results: Sequence[LearningResult], run_names: Sequence[str]
) -> pd.DataFrame:
    """Run every check on what a simulator learner returned.

    Parameters
    ----------
    games
        The games of the runs, in any order; a run finds its own by `LearningResult.game_hash`.
    results
        The runs.
    run_names
        What to call each run, so that a message finds it.

    Returns
    -------
    pandas.DataFrame
        One row for each run and check that applies to it, columns as in `CheckResult`.

    Raises
    ------
    InputError
        If a run has no name or its game is not among `games`.
    """
    if len(results) != len(run_names):
        raise InputError(f"run_names: expected {len(results)} names, got {len(run_names)}")
    by_hash = {game.content_hash: game for game in games}
    rows: list[CheckResult] = []
    pairs = zip(results, run_names, strict=True)
    for result, name in tqdm(pairs, desc="checks", total=len(results), leave=False, disable=None):
        if result.game_hash not in by_hash:
            raise InputError(
                f"{name}: its game has the content hash {result.game_hash}, and no game given "
                "has; give the game that the run was made on"
            )
        run = LearnerRun(by_hash[result.game_hash], result, name)
        for check in LEARNER_CHECKS:
            rows += check(run)
    return _table(rows)


def check_bandit_runs(runs: BanditRuns, metadata: Mapping[str, Any]) -> pd.DataFrame:
    """Run every check on many runs of a bandit against one adversary.

    Parameters
    ----------
    runs
        The runs.
    metadata
        What is stored with them, see `BanditCell`.

    Returns
    -------
    pandas.DataFrame
        One row for each run and check that applies to it, columns as in `CheckResult`.

    Raises
    ------
    InputError
        If the metadata lack an entry or do not fit the runs.
    """
    cell = BanditCell(runs, metadata)
    return _table([row for check in BANDIT_CHECKS for row in check(cell)])


def name_runs(place: str, results: Sequence[LearningResult]) -> list[str]:
    """Return a name for each run of a cell: its place, its rounds, its number among equal ones.

    Parameters
    ----------
    place
        Experiment, cell and learner.
    results
        The runs, those of one budget in the order of their replicates.
    """
    replicates = Counter[int]()
    names = []
    for result in results:
        names.append(f"{place}, K={result.rounds}, replicate {replicates[result.rounds]}")
        replicates[result.rounds] += 1
    return names


def _table(rows: list[CheckResult]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(CheckResult._fields))
