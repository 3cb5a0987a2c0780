"""Check the inequalities of the proofs on all runs of one experiment."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys
    from pathlib import Path

    import pandas as pd

    from ccerates.games.store import load_game
    from ccerates.online.results_store import load_online_results
    from ccerates.simulator.results_store import load_results
    from ccerates.theory.checks.run import check_certificates, check_results, name_runs

    stored = [(path, load_results) for path in snakemake.input.results]
    stored += [(path, load_online_results) for path in snakemake.input.online_results]
    tables = []
    for path, load in ((Path(path), load) for path, load in stored):
        cell, learner = path.parent.name, path.stem
        files = [file for file in snakemake.input.games if Path(file).parent.name == cell]
        games = [load_game(file) for file in files]
        results = load(path)
        names = name_runs(f"{snakemake.wildcards.experiment}/{cell}/{learner}", results)
        tables.append(check_results(games, results, names))
        gaps = pd.read_parquet(path.with_suffix(".parquet"))["gap"].tolist()
        tables.append(check_certificates(results, gaps, names, plant=snakemake.params.plant))
        print(f"{cell}, {learner}: {len(results)} runs checked", file=sys.stderr)
    pd.concat(tables, ignore_index=True).to_parquet(snakemake.output[0], index=False)
