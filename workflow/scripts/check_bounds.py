"""Fail, naming the run, if an inequality that must hold was violated."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys

    import pandas as pd

    from ccerates.analysis.bounds import check_deterministic, check_planted

    rows = pd.concat(map(pd.read_parquet, snakemake.input.checks), ignore_index=True)
    print(check_deterministic(rows), file=sys.stderr)
    print(check_planted(rows, snakemake.params.failure), file=sys.stderr)
