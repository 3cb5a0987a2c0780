"""Make the games of one cell, one file for each replicate."""

from ccerates.experiments import make_cell_game
from ccerates.games.store import save_game
from ccerates.script import logged

with logged(snakemake.log[0]):
    for replicate, path in enumerate(snakemake.output):
        save_game(
            make_cell_game(snakemake.params.root_seed, snakemake.params.cell, replicate), path
        )
