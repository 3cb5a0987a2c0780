# From runs to the tables of the claims.


ACTIONS = [name for name in SWEEPS if config["sweeps"][name]["axis"] == "actions"]


rule sweep:
    input:
        runs=lambda w: run_files(w.experiment),
        code=code("ccerates.analysis.exponents", "ccerates.analysis.publish", "ccerates.script"),
    output:
        table=expand(f"{PREFIX}figures/tables/{{{{experiment}}}}.{{suffix}}", suffix=["csv", "tex"]),
        curves=f"{RESULTS}/analysis/{{experiment}}/curves.csv",
        exponents=f"{RESULTS}/analysis/{{experiment}}/exponents.csv",
        differences=f"{RESULTS}/analysis/{{experiment}}/exponent-differences.csv",
    log:
        f"{RESULTS}/logs/sweep/{{experiment}}.log",
    wildcard_constraints:
        experiment="|".join(SWEEPS),
    conda:
        "../../environment.yml"
    params:
        fit=lambda w: config["sweeps"][w.experiment]["fit"],
        root_seed=config["root_seed"],
        resamples=config["resamples"],
    message:
        "Estimating samples to target and exponents of {wildcards.experiment}"
    script:
        "../scripts/sweep.py"


rule collect_exponents:
    input:
        exponents=expand(f"{RESULTS}/analysis/{{experiment}}/exponents.csv", experiment=SWEEPS),
        differences=expand(
            f"{RESULTS}/analysis/{{experiment}}/exponent-differences.csv", experiment=SWEEPS
        ),
        code=code("ccerates.analysis.publish", "ccerates.script"),
    output:
        shown(
            expand(
                f"{PREFIX}figures/tables/{{table}}.{{suffix}}",
                table=["exponents", "exponent-differences"],
                suffix=["csv", "tex"],
            ),
            "exponents",
            "tables/exponents",
        ),
    log:
        f"{RESULTS}/logs/collect_exponents.log",
    conda:
        "../../environment.yml"
    message:
        "Collecting the exponents of all sweeps"
    script:
        "../scripts/collect_exponents.py"


# Beside the exponents in the number of actions: with targets relative to uniform play's gap.
rule relative_exponents:
    input:
        runs=run_files(*ACTIONS),
        code=code(
            "ccerates.analysis.relative_exponents", "ccerates.analysis.publish", "ccerates.script"
        ),
    output:
        shown(
            expand(f"{PREFIX}figures/tables/exponents-relative.{{suffix}}", suffix=["csv", "tex"]),
            "exponents",
            "tables/exponents-relative",
        ),
    log:
        f"{RESULTS}/logs/relative_exponents.log",
    conda:
        "../../environment.yml"
    params:
        fits={experiment: config["sweeps"][experiment]["fit"] for experiment in ACTIONS},
        root_seed=config["root_seed"],
        resamples=config["resamples"],
    message:
        "Estimating exponents in the number of actions with relative targets"
    script:
        "../scripts/relative_exponents.py"


rule real_game_gaps:
    input:
        runs=run_files(REAL_GAMES),
        games=expand(
            f"{RESULTS}/games/{REAL_GAMES}/{{game}}/0.npz",
            game=config["curves"][REAL_GAMES]["games"],
        ),
        code=code(
            "ccerates.analysis.real_games",
            "ccerates.analysis.publish",
            "ccerates.games.store",
            "ccerates.games.units",
            "ccerates.script",
        ),
    output:
        table=expand(f"{PREFIX}figures/tables/{REAL_GAMES}.{{suffix}}", suffix=["csv", "tex"]),
        gaps=f"{RESULTS}/analysis/{REAL_GAMES}/gaps.csv",
    log:
        f"{RESULTS}/logs/real_game_gaps.log",
    conda:
        "../../environment.yml"
    params:
        root_seed=config["root_seed"],
        resamples=config["resamples"],
    message:
        "Estimating gaps on real games"
    script:
        "../scripts/real_game_gaps.py"


rule curves:
    input:
        runs=lambda w: run_files(w.experiment),
        code=code(
            "ccerates.analysis.sample_complexity", "ccerates.analysis.publish", "ccerates.script"
        ),
    output:
        table=expand(f"{PREFIX}figures/tables/{{{{experiment}}}}.{{suffix}}", suffix=["csv", "tex"]),
        curves=f"{RESULTS}/analysis/{{experiment}}/curves.csv",
    log:
        f"{RESULTS}/logs/curves/{{experiment}}.log",
    wildcard_constraints:
        experiment="gap-decay|ablation",
    conda:
        "../../environment.yml"
    message:
        "Collecting gaps against samples of {wildcards.experiment}"
    script:
        "../scripts/curves.py"


rule certificate_table:
    input:
        runs=run_files(CERTIFICATE, COVERAGE),
        code=code(
            "ccerates.analysis.certificate",
            "ccerates.analysis.publish",
            "ccerates.analysis.runs",
            "ccerates.script",
        ),
    output:
        table=expand(f"{PREFIX}figures/tables/{CERTIFICATE}.{{suffix}}", suffix=["csv", "tex"]),
        curves=f"{RESULTS}/analysis/{CERTIFICATE}/curves.csv",
    log:
        f"{RESULTS}/logs/certificate_table.log",
    conda:
        "../../environment.yml"
    params:
        failure=config["bandits"]["failure"],
    message:
        "Collecting certificates and gaps"
    script:
        "../scripts/certificate_table.py"


rule tuning:
    input:
        runs=run_files(TUNING),
        code=code("ccerates.analysis.tuning", "ccerates.analysis.publish", "ccerates.script"),
    output:
        expand(f"{PREFIX}figures/tables/{TUNING}.{{suffix}}", suffix=["csv", "tex"]),
    log:
        f"{RESULTS}/logs/tuning.log",
    conda:
        "../../environment.yml"
    params:
        learners=lambda _: {
            name: learner_options(name)
            for cell in config["tuning"]
            for name in CELLS[TUNING, cell].rounds
        },
        root_seed=config["root_seed"],
        resamples=config["resamples"],
    message:
        "Choosing the scales of each learner"
    script:
        "../scripts/tuning.py"


rule bandit_table:
    input:
        runs=BANDIT_FILES,
        code=code(
            "ccerates.analysis.bandits",
            "ccerates.analysis.publish",
            "ccerates.bandits.store",
            "ccerates.script",
        ),
    output:
        table=expand(f"{PREFIX}figures/tables/bandit.{{suffix}}", suffix=["csv", "tex"]),
        ratios=f"{RESULTS}/analysis/bandit/ratios.csv",
    log:
        f"{RESULTS}/logs/bandit_table.log",
    conda:
        "../../environment.yml"
    message:
        "Collecting regrets and bounds of the bandits"
    script:
        "../scripts/bandit_table.py"


# Times of this machine: shown in the paper and the README, but not verified.
rule cost:
    input:
        runs=[path for runs in run_jobs().values() for path in runs],
        benchmarks=list(run_jobs()),
        bandits=expand(f"{RESULTS}/benchmarks/bandits/{{bandit}}.tsv", bandit=BANDITS),
        lower_bound_runs=LOWER_BOUND_RUNS,
        lower_bound=LOWER_BOUND_BENCHMARKS,
        code=code("ccerates.analysis.publish", "ccerates.script"),
    output:
        expand(f"{PREFIX}figures/tables/cost.{{suffix}}", suffix=["csv", "tex"]),
    log:
        f"{RESULTS}/logs/cost.log",
    conda:
        "../../environment.yml"
    params:
        cells_of_jobs=[len(runs) for runs in run_jobs().values()],
        bandits=BANDITS,
        bandit_rounds=len(ADVERSARIES) * config["bandits"]["runs"] * config["bandits"]["rounds"],
    message:
        "Collecting what the runs cost"
    script:
        "../scripts/cost.py"
