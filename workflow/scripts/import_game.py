"""Import one OpenSpiel game as a table, or copy a stored game."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from ccerates.games.openspiel import import_openspiel
    from ccerates.games.store import load_game, save_game

    source = snakemake.params.game
    if "file" in source:
        game = load_game(source["file"])
    else:
        game = import_openspiel(source["game"], horizon=source.get("horizon"))
    save_game(game, snakemake.output[0])
