"""Count violations of the inequalities of the proofs."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.bounds import bounds_table
    from ccerates.analysis.c10_lower_bound import c10_rows
    from ccerates.analysis.publish import publish
    from ccerates.analysis.tables import read_csv
    from ccerates.theory.checks.c9_exponents import exponent_rows

    rows = pd.concat(map(pd.read_parquet, snakemake.input.checks), ignore_index=True)
    table = bounds_table(rows, snakemake.params.failure)
    exponents = exponent_rows(read_csv(Path(snakemake.input.exponents)))
    lower_bound = c10_rows(read_csv(Path(snakemake.input.lower_bound)))
    tables = [table, exponents, lower_bound]
    publish(pd.concat(tables, ignore_index=True), Path(snakemake.output[0]))
