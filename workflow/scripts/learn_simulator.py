"""Run one learner on one cell."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys

    from ccerates.experiments import CellPlan, run_cell
    from ccerates.games.store import load_game

    runs = run_cell(
        CellPlan(**snakemake.params.cell),
        snakemake.wildcards.algorithm,
        snakemake.params.options,
        [load_game(path) for path in snakemake.input.games],
        root_seed=snakemake.params.root_seed,
        replicates=snakemake.params.replicates,
        report=lambda line: print(line, file=sys.stderr),
    )
    runs.to_parquet(snakemake.output[0], index=False)
