# Games of every cell, as validated tables. A place is the folder of a cell: experiment/cell.


rule make_games:
    input:
        code=code("ccerates.games.cell_games", "ccerates.games.store", "ccerates.script"),
    output:
        expand(f"{RESULTS}/games/{{{{place}}}}/{{number}}.npz", number=range(config["replicates"])),
    log:
        f"{RESULTS}/logs/games/{{place}}.log",
    wildcard_constraints:
        place="|".join(game_places(made=True)),
    conda:
        "../../environment.yml"
    params:
        game=lambda w: game_of(w.place),
        root_seed=config["root_seed"],
    message:
        "Making the games of {wildcards.place}"
    script:
        "../scripts/make_games.py"


rule import_game:
    input:
        file=lambda w: game_of(w.place).get("file", []),
        code=code(
            "ccerates.games.files",
            "ccerates.games.openspiel",
            "ccerates.games.store",
            "ccerates.script",
        ),
    output:
        f"{RESULTS}/games/{{place}}/0.npz",
    log:
        f"{RESULTS}/logs/games/{{place}}.log",
    wildcard_constraints:
        place="|".join(game_places(made=False)) or "none",
    conda:
        "../../environment.yml"
    params:
        game=lambda w: game_of(w.place),
    message:
        "Importing the game of {wildcards.place}"
    script:
        "../scripts/import_game.py"
