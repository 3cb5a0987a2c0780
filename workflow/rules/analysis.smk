# From runs to the tables of the claims.


rule tables:
    input:
        sweeps=[path for experiment in SWEEPS for path in run_files(experiment)],
        real_games=run_files(REAL_GAMES),
        code=code("ccerates.analysis.report_tables", "ccerates.script"),
    output:
        tables=expand(
            f"{PREFIX}figures/tables/{{claim}}.{{suffix}}",
            claim=["sim-horizon", "exponents", "exponent-differences", "real-games"],
            suffix=["csv", "tex"],
        ),
        details=expand(
            f"{RESULTS}/analysis/{{table}}.csv",
            table=["sim-horizon", "curves", "exponents", "exponent-differences", "real-games"],
        ),
    log:
        f"{RESULTS}/logs/tables.log",
    benchmark:
        f"{RESULTS}/benchmarks/tables.tsv"
    conda:
        "../../environment.yml"
    params:
        fits={name: tuple(sweep["fit"]) for name, sweep in config["sweeps"].items()},
        root_seed=config["root_seed"],
        resamples=config["resamples"],
    message:
        "Estimating samples to target, exponents and intervals"
    script:
        "../scripts/tables.py"
