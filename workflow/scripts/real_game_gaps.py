"""Estimate gap against samples on games that nobody here designed."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.publish import publish
    from ccerates.analysis.real_games import real_game_gaps
    from ccerates.analysis.runs import read_runs
    from ccerates.analysis.tables import write_csv
    from ccerates.games.store import load_game
    from ccerates.games.units import reward_scale

    runs = pd.concat(read_runs(snakemake.input.runs), ignore_index=True)
    games = {Path(path).parent.name: load_game(path) for path in snakemake.input.games}
    scales = {name: reward_scale(game) for name, game in games.items()}
    settings = {key: snakemake.params[key] for key in ("root_seed", "resamples")}
    gaps = real_game_gaps(runs, scales, **settings)
    write_csv(gaps, Path(snakemake.output.gaps))
    publish(gaps, Path(snakemake.output.table[0]))
