"""speed.csv: what is measured on which game, and how it compares."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from benchmarks.environment import ONLINE_FLOOR, SIMULATOR_FLOOR, environment_tasks
from benchmarks.games import Case, cases
from benchmarks.gap_evaluation import CCE_DIST, GAP, POLICIES, gap_tasks
from benchmarks.learners import WITH_GAPS, learner_tasks
from benchmarks.peer_tasks import NUMPY, STYLES, peer_tasks
from benchmarks.timing import Task, Timing, measure
from ccerates.online.registry import MODULES as ONLINE

COLUMNS = (
    "what", "ns_per_sample", "samples_per_s", "ratio_to_floor", "ratio_to_numpy", "ns_min",
    "ns_max", "samples", "game", "players", "actions", "states", "horizon", "successors",
    "joint_actions",
)  # fmt: skip


def measure_speed(cache: Path, share: float, repetitions: int) -> pd.DataFrame:
    """Measure everything of speed.csv.

    Parameters
    ----------
    cache
        Folder for a game that takes long to make.
    share
        Share of the usual numbers of samples, and of policies that are mixed.
    repetitions
        How often each is timed.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`.
    """
    all_cases = cases(cache, share)
    tables = [_measure_case(case, repetitions) for case in all_cases]
    main = all_cases[0].game
    tasks = gap_tasks(main.num_actions, max(2, round(POLICIES * share)))
    gaps = rows("matrix game", tasks, measure(tasks, "matrix game", repetitions))
    shape = all_cases[0].shape() | {"states": 1, "horizon": 1, "successors": 1}
    return pd.concat([*tables, gaps.assign(**shape)], ignore_index=True)[list(COLUMNS)]


def _measure_case(case: Case, repetitions: int) -> pd.DataFrame:
    tasks = [*environment_tasks(case), *learner_tasks(case)]
    if case.has_peers:
        tasks += peer_tasks(case)
    timings = measure(tasks, case.name, repetitions)
    return rows(case.name, tasks, timings).assign(**case.shape())


def rows(game: str, tasks: Sequence[Task], timings: Sequence[Timing]) -> pd.DataFrame:
    """Return a row for each task, without the dimensions of the game.

    The columns that compare are empty where there is nothing to compare with:
    ``ratio_to_floor`` is this time by that of the look-ups alone, ``ratio_to_numpy`` the NumPy
    loop's time (or OpenSpiel's) by this time.
    """
    medians = {
        task.what: 1e9 * timing.median / task.samples
        for task, timing in zip(tasks, timings, strict=True)
    }
    table = []
    for task, timing in zip(tasks, timings, strict=True):
        own = medians[task.what]
        table.append(
            {
                "game": game,
                "what": task.what,
                "ns_per_sample": own,
                "ns_min": 1e9 * timing.least / task.samples,
                "ns_max": 1e9 * timing.most / task.samples,
                "samples_per_s": 1e9 / own,
                "ratio_to_floor": own / medians.get(floor_of(task.what), float("nan")),
                "ratio_to_numpy": medians.get(slowest_of(task.what), float("nan")) / own,
                "samples": task.samples,
            }
        )
    return pd.DataFrame(table)


def learner_of(what: str) -> str:
    """Return the learner that a row is about, or the row's own name."""
    for suffix in (WITH_GAPS, *STYLES.values()):
        what = what.removesuffix(suffix)
    return what


def floor_of(what: str) -> str:
    """Return the row that holds the floor of a row."""
    learner = learner_of(what)
    if learner in (GAP, CCE_DIST):
        return ""
    return ONLINE_FLOOR if learner in (*ONLINE, ONLINE_FLOOR) else SIMULATOR_FLOOR


def slowest_of(what: str) -> str:
    """Return the row that a row is compared with as the plain way to do it."""
    return CCE_DIST if what in (GAP, CCE_DIST) else learner_of(what) + NUMPY
