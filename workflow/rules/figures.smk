# One figure for each claim, as vector and raster images and as the table of its points.


rule figure_sim_horizon:
    input:
        targets=f"{PREFIX}figures/tables/sim-horizon.csv",
        curves=f"{RESULTS}/analysis/sim-horizon/curves.csv",
        exponents=f"{RESULTS}/analysis/sim-horizon/exponents.csv",
        code=code("ccerates.plots.sweep", "ccerates.analysis.tables", "ccerates.script"),
    output:
        figure_files("sim-horizon"),
    log:
        f"{RESULTS}/logs/figure_sim_horizon.log",
    conda:
        "../../environment.yml"
    params:
        target_fraction=config["sweeps"]["sim-horizon"]["target_fraction"],
    message:
        "Drawing the figure of sim-horizon"
    script:
        "../scripts/figure_sim_horizon.py"


rule figure_exponents:
    input:
        exponents=f"{PREFIX}figures/tables/exponents.csv",
        code=code("ccerates.plots.exponents", "ccerates.analysis.tables", "ccerates.script"),
    output:
        figure_files("exponents"),
    log:
        f"{RESULTS}/logs/figure_exponents.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the figure of exponents"
    script:
        "../scripts/figure_exponents.py"


rule figure_real_games:
    input:
        gaps=rules.real_game_gaps.output.gaps,
        code=code("ccerates.plots.real_games", "ccerates.analysis.tables", "ccerates.script"),
    output:
        figure_files(REAL_GAMES),
    log:
        f"{RESULTS}/logs/figure_real_games.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the figure of real-games"
    script:
        "../scripts/figure_real_games.py"
