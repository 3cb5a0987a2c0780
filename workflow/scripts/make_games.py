"""Make the games of one cell, one file for each replicate."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from ccerates.games.cell_games import make_cell_game
    from ccerates.games.store import save_game

    experiment, cell = snakemake.wildcards.place.split("/")
    for replicate, path in enumerate(snakemake.output):
        game = make_cell_game(
            snakemake.params.game,
            root_seed=snakemake.params.root_seed,
            experiment=experiment,
            cell=cell,
            replicate=replicate,
        )
        save_game(game, path)
