"""Collect certificates and gaps."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.certificate import certificate_table
    from ccerates.analysis.publish import publish
    from ccerates.analysis.runs import read_runs
    from ccerates.analysis.tables import write_csv

    runs = pd.concat(read_runs(snakemake.input.runs), ignore_index=True)
    table = certificate_table(runs, snakemake.params.failure)
    write_csv(table, Path(snakemake.output.curves))
    publish(table, Path(snakemake.output.table[0]))
