"""Estimate gap against samples on games that nobody here designed."""

from pathlib import Path

import pandas as pd

from ccerates.analysis.publish import publish
from ccerates.analysis.real_games import real_game_gaps
from ccerates.analysis.tables import write_csv
from ccerates.script import logged

with logged(snakemake.log[0]):
    runs = pd.concat([pd.read_parquet(path) for path in snakemake.input.runs], ignore_index=True)
    settings = {key: snakemake.params[key] for key in ("root_seed", "resamples")}
    gaps = real_game_gaps(runs, **settings)
    write_csv(gaps, Path(snakemake.output.gaps))
    publish(gaps, Path(snakemake.output.table[0]))
