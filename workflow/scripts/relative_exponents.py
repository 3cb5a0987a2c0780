"""Estimate exponents in the number of actions with targets relative to uniform play's gap."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.publish import publish
    from ccerates.analysis.relative_exponents import relative_exponents
    from ccerates.analysis.runs import read_runs
    from ccerates.analysis.sample_complexity import samples_to_target

    settings = {key: snakemake.params[key] for key in ("root_seed", "resamples")}
    fits = {name: tuple(ends) for name, ends in snakemake.params.fits.items()}
    runs = pd.concat(read_runs(snakemake.input.runs), ignore_index=True)
    points = samples_to_target(runs, fits, **settings)
    publish(relative_exponents(runs, points, fits, **settings), Path(snakemake.output[0]))
