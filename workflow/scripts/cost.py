"""Collect what the runs cost."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from itertools import islice
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.cost import Job, cost, learning_job
    from ccerates.analysis.publish import publish
    from ccerates.analysis.runs import read_runs

    def read(paths):
        return [pd.read_csv(path, sep="\t") for path in paths]

    runs = iter(read_runs(snakemake.input.runs))
    jobs = [
        learning_job([*islice(runs, cells)], benchmark)
        for cells, benchmark in zip(
            snakemake.params.cells_of_jobs, read(snakemake.input.benchmarks), strict=True
        )
    ]
    for bandit, benchmark in zip(
        snakemake.params.bandits, read(snakemake.input.bandits), strict=True
    ):
        jobs.append(Job("bandit", bandit, snakemake.params.bandit_rounds, benchmark))
    lower_bound = read_runs(snakemake.input.lower_bound_runs)
    for own, benchmark in zip(lower_bound, read(snakemake.input.lower_bound), strict=True):
        algorithm = own["algorithm"].iloc[0]
        jobs.append(Job("lower-bound", algorithm, int(own["samples"].sum()), benchmark))
    publish(cost(jobs), Path(snakemake.output[0]))
