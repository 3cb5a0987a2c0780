"""Every check on stored runs, as rows of a table."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
from tqdm import tqdm

from ccerates.bandits.arena import BanditRuns
from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.online.result import OnlineResult
from ccerates.simulator.result import LearningResult
from ccerates.theory.checks.bandit_cell import BanditCell
from ccerates.theory.checks.c6_certificate import check_certificate
from ccerates.theory.checks.learner_run import LearnerRun
from ccerates.theory.checks.online_run import OnlineRun
from ccerates.theory.checks.record import CheckResult
from ccerates.theory.checks.registry import BANDIT_CHECKS, LEARNER_CHECKS, ONLINE_CHECKS


def check_results(
    games: Iterable[MarkovGame],
    results: Sequence[LearningResult | OnlineResult],
    run_names: Sequence[str],
) -> pd.DataFrame:
    """Run every check on what learners returned.

    Parameters
    ----------
    games
        The games of the runs, in any order; a run finds its own by the `game_hash` of its result.
    results
        The runs, of either setting.
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
        rows += _check_result(by_hash[result.game_hash], result, name)
    return _table(rows)


def _check_result(
    game: MarkovGame, result: LearningResult | OnlineResult, name: str
) -> list[CheckResult]:
    if isinstance(result, OnlineResult):
        online = OnlineRun(game, result, name)
        return [row for check in ONLINE_CHECKS for row in check(online)]
    run = LearnerRun(game, result, name)
    return [row for check in LEARNER_CHECKS for row in check(run)]


def check_certificates(
    results: Sequence[LearningResult | OnlineResult],
    gaps: Sequence[float],
    run_names: Sequence[str],
    *,
    plant: bool,
) -> pd.DataFrame:
    """Compare the certificates of runs with the gaps that were evaluated beside them.

    Parameters
    ----------
    results
        The runs, of either setting.
    gaps
        CCE gap of each from the start distribution, exact or an upper bound on it.
    run_names
        What to call each run.
    plant
        Whether to add rows with certificates that are too small, see
        `ccerates.theory.checks.c6_certificate`.

    Returns
    -------
    pandas.DataFrame
        One row or two for each run with a certificate, columns as in `CheckResult`.

    Raises
    ------
    InputError
        If a run has no name or no gap.
    """
    for place, values in (("run_names", run_names), ("gaps", gaps)):
        if len(values) != len(results):
            raise InputError(f"{place}: expected {len(results)}, got {len(values)}")
    runs = zip(results, gaps, run_names, strict=True)
    return _table([row for run in runs for row in check_certificate(*run, plant=plant)])


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


def name_runs(place: str, results: Sequence[LearningResult | OnlineResult]) -> list[str]:
    """Return a name for each run of a cell: its place, its budget, its number among equal ones.

    The budget K is a number of rounds or episodes.

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
        budget = result.episodes if isinstance(result, OnlineResult) else result.rounds
        names.append(f"{place}, K={budget}, replicate {replicates[budget]}")
        replicates[budget] += 1
    return names


def _table(rows: list[CheckResult]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=list(CheckResult._fields))
    # Types of their own even without a row, so that stacked tables keep them.
    return table.astype({"lhs": float, "rhs": float, "slack": float, "holds": bool})
