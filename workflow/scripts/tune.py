"""Run one learner with every setting of its scales on the games held out for tuning."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys

    from ccerates.experiments.cells import CellPlan
    from ccerates.experiments.runner import runner_of
    from ccerates.experiments.tuning_runs import run_tuning
    from ccerates.games.store import load_game

    runs = run_tuning(
        runner_of(snakemake.params.setting).run_cell,
        CellPlan(**snakemake.params.cell),
        snakemake.wildcards.learner,
        snakemake.params.learner,
        [load_game(path) for path in snakemake.input.games],
        snakemake.params.scales,
        root_seed=snakemake.params.root_seed,
        report=lambda line: print(line, file=sys.stderr),
    )
    runs.to_parquet(snakemake.output[0], index=False)
