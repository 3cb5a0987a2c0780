"""Collect what the runs cost."""

from pathlib import Path

import pandas as pd

from ccerates.analysis.cost import cost
from ccerates.analysis.publish import publish
from ccerates.script import logged

with logged(snakemake.log[0]):
    runs = [pd.read_parquet(path) for path in snakemake.input.runs]
    benchmarks = [pd.read_csv(path, sep="\t") for path in snakemake.input.benchmarks]
    publish(cost(runs, benchmarks), Path(snakemake.output[0]))
