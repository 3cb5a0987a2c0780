"""Repeated, interleaved measurements: whatever slows the machine for a while slows all alike."""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tqdm import tqdm

REPETITIONS = 5


class Task(NamedTuple):
    """Something to be timed.

    Attributes
    ----------
    what
        What tables call it.
    samples
        How many one run takes (or how often it does what it does): the time is divided by it.
    run
        Does it.
    warms_up
        Whether one run more comes first, in which kernels are compiled and caches filled.
    """

    what: str
    samples: int
    run: Callable[[], object]
    warms_up: bool = True


class Timing(NamedTuple):
    """Seconds of one run: median, least and most over the repetitions."""

    median: float
    least: float
    most: float


def measure(tasks: Sequence[Task], title: str, repetitions: int = REPETITIONS) -> list[Timing]:
    """Time tasks in turn, again and again.

    Parameters
    ----------
    tasks
        What to time.
    title
        Of the progress bar.
    repetitions
        How often.

    Returns
    -------
    list of Timing
        One for each task.
    """
    seconds: list[list[float]] = [[] for _ in tasks]
    with tqdm(total=len(tasks) * (repetitions + 1), desc=title, unit="run") as bar:
        for repetition in range(repetitions + 1):
            for task, own in zip(tasks, seconds, strict=True):
                bar.set_postfix_str(task.what)
                start = time.perf_counter()
                if repetition or task.warms_up:
                    task.run()
                if repetition:
                    own.append(time.perf_counter() - start)
                bar.update()
    return [Timing(statistics.median(own), min(own), max(own)) for own in seconds]
