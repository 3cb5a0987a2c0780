"""Run one learner on some cells of an experiment, one after the other."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys
    from itertools import islice

    from ccerates.experiments.cells import CellPlan
    from ccerates.experiments.runner import runner_of
    from ccerates.games.store import load_game

    runner = runner_of(snakemake.params.setting)
    files = zip(snakemake.output.runs, snakemake.output.results, strict=True)
    games = iter(snakemake.input.games)
    for plan, (runs_file, results_file) in zip(snakemake.params.cells, files, strict=True):
        cell = CellPlan(**plan)
        runs, results = runner.run_cell(
            cell,
            snakemake.wildcards.learner,
            snakemake.params.learner,
            [load_game(path) for path in islice(games, cell.num_games)],
            root_seed=snakemake.params.root_seed,
            report=lambda line: print(line, file=sys.stderr),
        )
        runs.to_parquet(runs_file, index=False)
        runner.save(results, results_file)
