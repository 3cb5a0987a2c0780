"""Collect what the runs cost."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.cost import cost
    from ccerates.analysis.publish import publish
    from ccerates.analysis.runs import read_runs

    runs = read_runs(snakemake.input.runs)
    benchmarks = [pd.read_csv(path, sep="\t") for path in snakemake.input.benchmarks]
    publish(cost(runs, benchmarks), Path(snakemake.output[0]))
