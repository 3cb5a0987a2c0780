"""Import one OpenSpiel game as a table."""

from ccerates.games.openspiel import import_openspiel
from ccerates.games.store import save_game
from ccerates.script import logged

with logged(snakemake.log[0]):
    game = snakemake.params.game
    save_game(import_openspiel(game["game"], horizon=game.get("horizon")), snakemake.output[0])
