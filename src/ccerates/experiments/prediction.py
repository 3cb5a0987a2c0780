"""What a config will cost, from measured rates and the samples that it plans."""

import csv
import heapq
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ccerates.errors import InputError


class Job(NamedTuple):
    """What one job is to do.

    Attributes
    ----------
    experiment, learner
        As in the table of costs; of the experiment ``bandit`` the learner is a bandit.
    algorithm
        Whose rates hold for it.
    runs
        Evaluated results: replicates times budgets.
    samples
        Samples to draw.
    joint_samples
        Sum over the samples of prod_i A_i in the game they are drawn from.
    """

    experiment: str
    learner: str
    algorithm: str
    runs: int
    samples: int
    joint_samples: int

    def __add__(self, other: "Job") -> "Job":  # type: ignore[override]
        """Return one job that does both."""
        sums = (mine + its for mine, its in zip(self[3:], other[3:], strict=True))
        return Job(*self[:3], *sums)


class Rates(NamedTuple):
    """Core time of an algorithm: a job costs the sum over its numbers, each times its rate.

    Attributes
    ----------
    seconds_per_job
        To start up and to load what is compiled.
    seconds_per_run
        To evaluate and store a result.
    ns_per_sample, ns_per_joint_sample
        For a sample, and beside it for each of the prod_i A_i joint actions of its game.
    """

    seconds_per_job: float
    seconds_per_run: float
    ns_per_sample: float
    ns_per_joint_sample: float

    def seconds(self, job: Job) -> float:
        """Return the core time of a job."""
        return math.fsum(rate * size for rate, size in zip(self, sizes(job), strict=True))


def sizes(job: Job) -> tuple[float, float, float, float]:
    """Return what the fields of `Rates` multiply."""
    return 1.0, float(job.runs), job.samples / 1e9, job.joint_samples / 1e9


class Prediction(NamedTuple):
    """What a config will cost.

    Attributes
    ----------
    experiments
        Jobs and core seconds by experiment.
    core_seconds
        Their sum.
    longest_job
        Core seconds of the longest job: no number of cores ends sooner.
    wall_seconds
        Time from start to end if jobs start longest first, one on each core.
    """

    experiments: dict[str, tuple[int, float]]
    core_seconds: float
    longest_job: float
    wall_seconds: float


def predict(jobs: Sequence[Job], rates: Mapping[str, Rates], cores: int) -> Prediction:
    """Predict the cost of jobs.

    Parameters
    ----------
    jobs
        As `ccerates.experiments.workload.plan_jobs` returns them.
    rates
        By algorithm. One that is not there, such as a learner in a file, counts as the dearest.
    cores
        How many jobs run at a time.
    """
    seconds = [_seconds(job, rates) for job in jobs]
    experiments: dict[str, tuple[int, float]] = {}
    for job, own in zip(jobs, seconds, strict=True):
        count, total = experiments.get(job.experiment, (0, 0.0))
        experiments[job.experiment] = (count + 1, total + own)
    ends = [0.0] * cores
    for own in sorted(seconds, reverse=True):
        heapq.heapreplace(ends, ends[0] + own)
    return Prediction(experiments, math.fsum(seconds), max(seconds), max(ends))


def _seconds(job: Job, rates: Mapping[str, Rates]) -> float:
    if job.algorithm in rates:
        return rates[job.algorithm].seconds(job)
    return max(each.seconds(job) for each in rates.values())


def read_rates(path: Path) -> dict[str, Rates]:
    """Return the rates of a table by algorithm.

    Raises
    ------
    InputError
        If the file cannot be read or is no such table.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        rates = {
            row["algorithm"]: Rates(*(float(row[name]) for name in Rates._fields)) for row in rows
        }
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError):
        rates = {}
    if not rates:
        columns = ", ".join(("algorithm", *Rates._fields))
        raise InputError(f"{path}: expected a table of rates with the columns {columns}")
    return rates
