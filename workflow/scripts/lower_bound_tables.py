"""Count failures on hidden-action games, and find where learners begin to succeed."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.lower_bound import crossing_table, failure_table
    from ccerates.analysis.publish import publish

    runs = pd.concat(map(pd.read_parquet, snakemake.input.runs), ignore_index=True)
    settings = {key: snakemake.params[key] for key in ("root_seed", "resamples")}
    publish(failure_table(runs), Path(snakemake.output.table[0]))
    publish(crossing_table(runs, **settings), Path(snakemake.output.crossings[0]))
