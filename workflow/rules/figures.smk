# One figure for each claim, as vector and raster images and as the table of its points.


# The two sweeps of players share a figure, `figure_players`.
PLAYERS = ["sim-players", "sim-action-sum"]
FIGURES = [
    *(name for name in SWEEPS if name != "sim-action-sum"),
    *("exponents", "gap-decay", "ablation", REAL_GAMES, "bandit", CERTIFICATE, LOWER_BOUND),
]


rule figure_sweep:
    input:
        targets=f"{PREFIX}figures/tables/{{experiment}}.csv",
        curves=f"{RESULTS}/analysis/{{experiment}}/curves.csv",
        exponents=f"{RESULTS}/analysis/{{experiment}}/exponents.csv",
        code=code("ccerates.plots.sweep", "ccerates.analysis.tables", "ccerates.script"),
    output:
        shown(figure_files("{{experiment}}"), "{experiment}", "figures/sweep"),
    log:
        f"{RESULTS}/logs/figure_sweep/{{experiment}}.log",
    wildcard_constraints:
        experiment="|".join(name for name in SWEEPS if name not in PLAYERS),
    conda:
        "../../environment.yml"
    params:
        axis=lambda w: config["sweeps"][w.experiment]["axis"],
        setting=lambda w: config["sweeps"][w.experiment]["setting"],
        target_fraction=lambda w: config["sweeps"][w.experiment]["target_fraction"],
    message:
        "Drawing the figure of {wildcards.experiment}"
    script:
        "../scripts/figure_sweep.py"


rule figure_players:
    input:
        targets=expand(f"{PREFIX}figures/tables/{{experiment}}.csv", experiment=PLAYERS),
        exponents=expand(f"{RESULTS}/analysis/{{experiment}}/exponents.csv", experiment=PLAYERS),
        code=code("ccerates.plots.players", "ccerates.analysis.tables", "ccerates.script"),
    output:
        shown(figure_files("sim-players"), "sim-players", "figures/sim-players"),
    log:
        f"{RESULTS}/logs/figure_players.log",
    conda:
        "../../environment.yml"
    params:
        settings={
            "num_actions": config["sweeps"]["sim-players"]["game"]["num_actions"],
            "first_actions": config["sweeps"]["sim-action-sum"]["game"]["num_actions"],
            "target_fraction": config["sweeps"]["sim-players"]["target_fraction"],
        },
    message:
        "Drawing the figure of sim-players"
    script:
        "../scripts/figure_players.py"


rule figure_exponents:
    input:
        exponents=f"{PREFIX}figures/tables/exponents.csv",
        differences=f"{PREFIX}figures/tables/exponent-differences.csv",
        code=code("ccerates.plots.exponents", "ccerates.analysis.tables", "ccerates.script"),
    output:
        shown(figure_files("exponents"), "exponents", "figures/exponents"),
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
        shown(figure_files(REAL_GAMES), REAL_GAMES, f"figures/{REAL_GAMES}"),
    log:
        f"{RESULTS}/logs/figure_real_games.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the figure of real-games"
    script:
        "../scripts/figure_real_games.py"


rule figure_gap_decay:
    input:
        curves=f"{RESULTS}/analysis/gap-decay/curves.csv",
        code=code("ccerates.plots.gap_decay", "ccerates.analysis.tables", "ccerates.script"),
    output:
        shown(figure_files("gap-decay"), "gap-decay", "figures/gap-decay"),
    log:
        f"{RESULTS}/logs/figure_gap_decay.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the figure of gap-decay"
    script:
        "../scripts/figure_gap_decay.py"


rule figure_ablation:
    input:
        curves=f"{RESULTS}/analysis/ablation/curves.csv",
        code=code("ccerates.plots.ablation", "ccerates.analysis.tables", "ccerates.script"),
    output:
        shown(figure_files("ablation"), "ablation", "figures/ablation"),
    log:
        f"{RESULTS}/logs/figure_ablation.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the figure of ablation"
    script:
        "../scripts/figure_ablation.py"


rule figure_certificate:
    input:
        curves=rules.certificate_table.output.curves,
        code=code("ccerates.plots.certificate", "ccerates.analysis.tables", "ccerates.script"),
    output:
        shown(figure_files(CERTIFICATE), CERTIFICATE, f"figures/{CERTIFICATE}"),
    log:
        f"{RESULTS}/logs/figure_certificate.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the figure of certificate"
    script:
        "../scripts/figure_certificate.py"


rule figure_bandit:
    input:
        table=f"{PREFIX}figures/tables/bandit.csv",
        ratios=rules.bandit_table.output.ratios,
        code=code("ccerates.plots.bandit", "ccerates.analysis.tables", "ccerates.script"),
    output:
        shown(figure_files("bandit"), "bandit", "figures/bandit"),
    log:
        f"{RESULTS}/logs/figure_bandit.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the figure of bandit"
    script:
        "../scripts/figure_bandit.py"
