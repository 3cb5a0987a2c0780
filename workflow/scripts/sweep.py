"""Estimate samples to target, gap curves and exponents of one sweep."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.exponents import exponent_differences, exponents
    from ccerates.analysis.publish import publish
    from ccerates.analysis.runs import read_runs
    from ccerates.analysis.sample_complexity import gap_curves, samples_to_target
    from ccerates.analysis.tables import write_csv

    name = snakemake.wildcards.experiment
    settings = {key: snakemake.params[key] for key in ("root_seed", "resamples")}
    runs = pd.concat(read_runs(snakemake.input.runs), ignore_index=True)
    points = samples_to_target(runs, {name: tuple(snakemake.params.fit)}, **settings)
    publish(points, Path(snakemake.output.table[0]))
    write_csv(gap_curves(runs), Path(snakemake.output.curves))
    write_csv(exponents(runs, points, **settings), Path(snakemake.output.exponents))
    write_csv(exponent_differences(runs, points, **settings), Path(snakemake.output.differences))
