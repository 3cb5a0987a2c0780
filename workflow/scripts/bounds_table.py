"""Count violations of the inequalities of the proofs."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.bounds import bounds_table
    from ccerates.analysis.publish import publish

    rows = pd.concat(map(pd.read_parquet, snakemake.input.checks), ignore_index=True)
    publish(bounds_table(rows, snakemake.params.failure), Path(snakemake.output[0]))
