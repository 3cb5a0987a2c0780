"""Make every table of the claims from the tables of runs."""

from pathlib import Path

import pandas as pd

from ccerates.analysis.report_tables import make_tables, write_tables
from ccerates.analysis.tables import write_csv
from ccerates.script import logged

with logged(snakemake.log[0]):
    paths = [*snakemake.input.sweeps, *snakemake.input.real_games]
    tables = make_tables(
        pd.concat([pd.read_parquet(path) for path in paths], ignore_index=True),
        dict(snakemake.params.fits),
        root_seed=snakemake.params.root_seed,
        resamples=snakemake.params.resamples,
    )
    for path in map(Path, snakemake.output.details):
        write_csv(tables[path.stem], path)
    write_tables(tables, Path(snakemake.output.tables[0]).parent)
