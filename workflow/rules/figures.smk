# Figures, drawn in one process: plotting libraries are slow to start.


rule figures:
    input:
        targets=f"{RESULTS}/analysis/sim-horizon.csv",
        curves=f"{RESULTS}/analysis/curves.csv",
        exponents=f"{RESULTS}/analysis/exponents.csv",
        real_games=f"{RESULTS}/analysis/real-games.csv",
        code=code(
            "ccerates.analysis.tables",
            "ccerates.plots.exponents",
            "ccerates.plots.real_games",
            "ccerates.plots.sim_horizon",
            "ccerates.script",
        ),
    output:
        expand(
            f"{PREFIX}figures/{{claim}}.{{suffix}}",
            claim=["sim-horizon", "exponents", "real-games"],
            suffix=["pdf", "svg", "png", "csv"],
        ),
    log:
        f"{RESULTS}/logs/figures.log",
    conda:
        "../../environment.yml"
    params:
        target_fraction=config["sweeps"]["sim-horizon"]["target_fraction"],
    message:
        "Drawing the figures"
    script:
        "../scripts/figures.py"
