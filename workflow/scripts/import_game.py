"""Import one game as a table: of OpenSpiel, or from a file."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from ccerates.games.files import read_game
    from ccerates.games.openspiel import import_openspiel
    from ccerates.games.store import save_game

    source = snakemake.params.game
    if "file" in source:
        game = read_game(source["file"])
    else:
        game = import_openspiel(source["game"], horizon=source.get("horizon"))
    save_game(game, snakemake.output[0])
