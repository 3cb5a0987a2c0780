"""Choose the scales of each learner."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.publish import publish
    from ccerates.analysis.runs import read_runs
    from ccerates.analysis.tuning import tuning_table

    settings = {key: snakemake.params[key] for key in ("root_seed", "resamples")}
    table = tuning_table(read_runs(snakemake.input.runs), snakemake.params.learners, **settings)
    publish(table, Path(snakemake.output[0]))
