"""What the runs cost: core time, peak memory and speed of each experiment and algorithm."""

from collections.abc import Sequence

import pandas as pd

COST_COLUMNS = (
    "experiment", "algorithm", "jobs", "core_seconds", "peak_memory_mb", "samples",
    "samples_per_second",
)  # fmt: skip


def cost(runs: Sequence[pd.DataFrame], benchmarks: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the cost of each (experiment, algorithm).

    Parameters
    ----------
    runs
        One table of runs for each job.
    benchmarks
        Snakemake's benchmark of each job, in the same order.

    Returns
    -------
    pandas.DataFrame
        Columns `COST_COLUMNS`: number of jobs, core time (of compilation and evaluation too), the
        largest peak of resident memory, samples drawn and their ratio to the core time.
    """
    rows = []
    for run, benchmark in zip(runs, benchmarks, strict=True):
        first, measured = run.iloc[0], benchmark.iloc[0]
        rows.append(
            {
                "experiment": first["experiment"],
                "algorithm": first["algorithm"],
                "jobs": 1,
                "core_seconds": measured["cpu_time"],
                "peak_memory_mb": measured["max_rss"],
                "samples": int(run["samples"].sum()),
            }
        )
    groups = pd.DataFrame(rows).groupby(["experiment", "algorithm"], as_index=False)
    table = groups.agg(
        {"jobs": "sum", "core_seconds": "sum", "peak_memory_mb": "max", "samples": "sum"}
    )
    table["samples_per_second"] = table["samples"] / table["core_seconds"]
    return table
