"""Run one learner on all cells of hidden-action games."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys

    import pandas as pd

    from ccerates.experiments.cells import CellPlan
    from ccerates.experiments.lower_bound import run_lower_bound

    tables = [
        run_lower_bound(
            CellPlan(**cell),
            snakemake.wildcards.learner,
            snakemake.params.learner,
            root_seed=snakemake.params.root_seed,
            report=lambda line: print(line, file=sys.stderr),
        )
        for cell in snakemake.params.cells
    ]
    pd.concat(tables, ignore_index=True).to_parquet(snakemake.output[0], index=False)
