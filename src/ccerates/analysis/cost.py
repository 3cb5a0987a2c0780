"""What the runs cost: core time, peak memory and speed of each experiment and algorithm."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from ccerates.analysis.tuning import SCALES

COST_COLUMNS = (
    "experiment", "algorithm", "jobs", "core_seconds", "peak_memory_mb", "samples",
    "samples_per_second",
)  # fmt: skip


class Job(NamedTuple):
    """A job that drew samples, and Snakemake's benchmark of it."""

    experiment: str
    algorithm: str
    samples: int
    benchmark: pd.DataFrame


def learning_job(tables: Sequence[pd.DataFrame], benchmark: pd.DataFrame) -> Job:
    """Return the job behind tables of runs of one learner, a table for each cell.

    With the simulator every budget is a run of its own; online all budgets of a replicate are
    checkpoints of one run.
    """
    first = tables[0].iloc[0]
    return Job(first["experiment"], first["algorithm"], sum(map(_drawn, tables)), benchmark)


def _drawn(runs: pd.DataFrame) -> int:
    """Return how many samples the runs of a cell drew."""
    drawn = runs["samples"]
    if runs["setting"].iloc[0] == "online":
        run = ["replicate", *(name for name in SCALES if name in runs.columns)]
        drawn = runs.groupby(run)["samples"].max()
    return int(drawn.sum())


def cost(jobs: Sequence[Job]) -> pd.DataFrame:
    """Return the cost of each (experiment, algorithm).

    Parameters
    ----------
    jobs
        The jobs; a sample of a bandit is a round.

    Returns
    -------
    pandas.DataFrame
        Columns `COST_COLUMNS`: number of jobs, core time (of compilation and evaluation too), the
        largest peak of resident memory, samples drawn and their ratio to the core time.
    """
    rows = [
        {
            "experiment": job.experiment,
            "algorithm": job.algorithm,
            "jobs": 1,
            "core_seconds": job.benchmark["cpu_time"].iloc[0],
            "peak_memory_mb": job.benchmark["max_rss"].iloc[0],
            "samples": job.samples,
        }
        for job in jobs
    ]
    groups = pd.DataFrame(rows).groupby(["experiment", "algorithm"], as_index=False)
    table = groups.agg(
        {"jobs": "sum", "core_seconds": "sum", "peak_memory_mb": "max", "samples": "sum"}
    )
    table["samples_per_second"] = table["samples"] / table["core_seconds"]
    return table
