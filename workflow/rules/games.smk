# Games of every cell, as validated tables.


rule make_games:
    input:
        code=code("ccerates.games.cell_games", "ccerates.games.store", "ccerates.script"),
    output:
        expand(f"{RESULTS}/games/{{{{experiment}}}}/{{{{cell}}}}/{{number}}.npz", number=REPLICATES),
    log:
        f"{RESULTS}/logs/games/{{experiment}}/{{cell}}.log",
    wildcard_constraints:
        experiment="|".join(SWEEPS),
    conda:
        "../../environment.yml"
    params:
        game=lambda w: CELLS[w.experiment, w.cell].game,
        root_seed=config["root_seed"],
    message:
        "Making the games of {wildcards.experiment}, {wildcards.cell}"
    script:
        "../scripts/make_games.py"


rule import_game:
    input:
        file=lambda w: CELLS[REAL_GAMES, w.cell].game.get("file", []),
        code=code("ccerates.games.openspiel", "ccerates.games.store", "ccerates.script"),
    output:
        f"{RESULTS}/games/{REAL_GAMES}/{{cell}}/0.npz",
    log:
        f"{RESULTS}/logs/games/{REAL_GAMES}/{{cell}}.log",
    conda:
        "../../environment.yml"
    params:
        game=lambda w: CELLS[REAL_GAMES, w.cell].game,
    message:
        "Importing the game {wildcards.cell}"
    script:
        "../scripts/import_game.py"
