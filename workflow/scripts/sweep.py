"""Estimate samples to target, gap curves and exponents of one sweep."""

from pathlib import Path

import pandas as pd

from ccerates.analysis.exponents import exponent_differences, exponents
from ccerates.analysis.publish import publish
from ccerates.analysis.sample_complexity import gap_curves, samples_to_target
from ccerates.analysis.tables import write_csv
from ccerates.script import logged

with logged(snakemake.log[0]):
    name = snakemake.wildcards.experiment
    settings = {key: snakemake.params[key] for key in ("root_seed", "resamples")}
    runs = pd.concat([pd.read_parquet(path) for path in snakemake.input.runs], ignore_index=True)
    points = samples_to_target(runs, {name: tuple(snakemake.params.fit)}, **settings)
    publish(points, Path(snakemake.output.table[0]))
    write_csv(gap_curves(runs), Path(snakemake.output.curves))
    write_csv(exponents(runs, points, **settings), Path(snakemake.output.exponents))
    write_csv(exponent_differences(runs, points, **settings), Path(snakemake.output.differences))
