"""Run one simulator learner on one cell."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys

    from ccerates.experiments.cells import CellPlan
    from ccerates.experiments.simulator_runs import run_cell
    from ccerates.games.store import load_game
    from ccerates.simulator.results_store import save_results

    runs, results = run_cell(
        CellPlan(**snakemake.params.cell),
        snakemake.wildcards.learner,
        snakemake.params.learner,
        [load_game(path) for path in snakemake.input.games],
        root_seed=snakemake.params.root_seed,
        report=lambda line: print(line, file=sys.stderr),
    )
    runs.to_parquet(snakemake.output.runs, index=False)
    save_results(results, snakemake.output.results)
