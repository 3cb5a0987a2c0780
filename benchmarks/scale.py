"""scale.csv: how time and memory grow with samples, threads and the size of a game."""

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from tqdm import tqdm

from benchmarks.games import REPLICATES, case_of, dense
from benchmarks.learners import LEARNERS, WITH_GAPS, learner_task
from benchmarks.probe import Probe, probe
from benchmarks.timing import Task, measure

COLUMNS = (
    "what", "axis", "value", "ns_per_sample", "ns_min", "ns_max", "seconds", "samples", "peak_mb",
)  # fmt: skip

DOUBLINGS = (0.25, 0.5, 1, 2, 4)
"""Numbers of samples, as multiples of the usual."""

THREADED_REPLICATES = 32
"""Two groups of 16 lanes, one for each of two threads."""

_AXES: dict[str, tuple[int, ...]] = {
    "horizon": (4, 8, 16, 32),
    "states": (4, 8, 16, 32, 64),
    "actions": (2, 4, 8, 16),
    "players": (1, 2, 3, 4, 6),
}
"""Sizes of a game; the others are those of the main case, but players have two actions."""

_LARGE = {"goofspiel-5": 2.5, "dense-1000": 0.5}
"""Games with very many states, and the samples there, as multiples of the usual."""


class Point(NamedTuple):
    """What is measured at one place of an axis."""

    value: int
    task: Task


def measure_scale(cache: Path, share: float, repetitions: int) -> pd.DataFrame:
    """Measure everything of scale.csv; arguments as for `benchmarks.table.measure_speed`.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`. ``value`` is the place on the axis or, on the axis ``game``, its name;
        ``samples`` are those of all replicates. Memory is measured with evaluation, in fresh
        processes and once.
    """
    parts = {"samples": _sizes(share), "threads": _threads(4 * share)}
    parts |= {axis: _shapes(axis, share / 2) for axis in _AXES}
    table = [row for axis, part in parts.items() for row in _timed(axis, part, repetitions)]
    return pd.DataFrame([*table, *_probed(cache, share)], columns=list(COLUMNS))


def _sizes(share: float) -> list[Point]:
    game = dense()
    tasks = [
        learner_task(name, case_of("", game, share * factor))
        for factor in DOUBLINGS
        for name in LEARNERS
    ]
    return [Point(task.samples // REPLICATES, task) for task in tasks]


def _threads(share: float) -> list[Point]:
    """Return all learners with evaluation on one thread and, if there are two cores, on two."""
    case = case_of("", dense(), share, replicates=THREADED_REPLICATES)
    return [
        Point(threads, learner_task(name, case, gaps=True, threads=threads))
        for threads in range(1, 1 + min(2, os.cpu_count() or 1))
        for name in LEARNERS
    ]


def _shapes(axis: str, share: float) -> list[Point]:
    others = {"actions": 2} if axis == "players" else {}
    return [
        Point(value, learner_task(name, case))
        for value in _AXES[axis]
        for case in [case_of("", dense(**{axis: value, **others}), share)]
        for name in LEARNERS
    ]


def _timed(axis: str, points: Sequence[Point], repetitions: int) -> list[tuple[object, ...]]:
    timings = measure([point.task for point in points], axis, repetitions)
    return [
        (
            point.task.what,
            axis,
            point.value,
            *(1e9 * seconds / point.task.samples for seconds in timing),
            timing.median,
            point.task.samples,
            math.nan,
        )
        for point, timing in zip(points, timings, strict=True)
    ]


def _probed(cache: Path, share: float) -> list[tuple[object, ...]]:
    wanted = [
        (learner, "memory", "main", share * factor)
        for learner in ("evb-sim", "evb-online")
        for factor in DOUBLINGS
    ]
    wanted += [
        (learner, "game", game, share * factor)
        for game, factor in _LARGE.items()
        for learner in LEARNERS
    ]
    rows: list[tuple[object, ...]] = []
    for learner, axis, game, part in tqdm(wanted, desc="memory", unit="process"):
        found = probe(learner, game, part, cache)
        value = found.samples // REPLICATES if axis == "memory" else game
        rows.append((learner + WITH_GAPS, axis, value, *_numbers(found)))
    return rows


def _numbers(found: Probe) -> tuple[float, ...]:
    nanoseconds = 1e9 * found.seconds / found.samples
    return (nanoseconds, math.nan, math.nan, found.seconds, found.samples, found.peak_mb)
