"""Run one learner on one cell of hidden-action games."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys

    from ccerates.experiments.cells import CellPlan
    from ccerates.experiments.lower_bound import run_lower_bound

    runs = run_lower_bound(
        CellPlan(**snakemake.params.cell),
        snakemake.wildcards.learner,
        snakemake.params.learner,
        root_seed=snakemake.params.root_seed,
        report=lambda line: print(line, file=sys.stderr),
    )
    runs.to_parquet(snakemake.output[0], index=False)
