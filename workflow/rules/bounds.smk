# The inequalities of the proofs, checked on stored runs.

# Real games are large and would show no more.
CHECKED = [*SWEEPS, "gap-decay", "ablation", "audit", CERTIFICATE, COVERAGE]


rule check_runs:
    input:
        results=lambda w: run_files(
            w.experiment, settings=[SIMULATOR], pattern=f"{RESULTS}/runs/{{}}/{{}}/{{}}.npz"
        ),
        online_results=lambda w: run_files(
            w.experiment, settings=[ONLINE], pattern=f"{RESULTS}/runs/{{}}/{{}}/{{}}.npz"
        ),
        runs=lambda w: run_files(w.experiment),
        games=lambda w: [
            path
            for cell in CELLS.values()
            if cell.experiment == w.experiment
            for path in game_files(cell.experiment, cell.name)
        ],
        code=code(
            "ccerates.theory.checks.run",
            "ccerates.games.store",
            "ccerates.online.results_store",
            "ccerates.simulator.results_store",
            "ccerates.script",
        ),
    output:
        f"{RESULTS}/checks/{{experiment}}.parquet",
    log:
        f"{RESULTS}/logs/checks/{{experiment}}.log",
    wildcard_constraints:
        experiment="|".join(CHECKED),
    conda:
        "../../environment.yml"
    params:
        plant=lambda w: w.experiment == COVERAGE,
    message:
        "Checking the inequalities of the proofs on the runs of {wildcards.experiment}"
    script:
        "../scripts/check_runs.py"


rule check_bandits:
    input:
        runs=BANDIT_FILES,
        code=code("ccerates.theory.checks.run", "ccerates.bandits.store", "ccerates.script"),
    output:
        f"{RESULTS}/checks/bandits.parquet",
    log:
        f"{RESULTS}/logs/checks/bandits.log",
    conda:
        "../../environment.yml"
    message:
        "Checking the inequalities of the proofs on the runs of the bandits"
    script:
        "../scripts/check_bandits.py"


rule bounds_table:
    input:
        checks=expand(f"{RESULTS}/checks/{{source}}.parquet", source=[*CHECKED, "bandits"]),
        exponents=f"{PREFIX}figures/tables/exponents.csv",
        lower_bound=f"{PREFIX}figures/tables/{LOWER_BOUND}.csv",
        code=code(
            "ccerates.analysis.bounds",
            "ccerates.analysis.c10_lower_bound",
            "ccerates.analysis.publish",
            "ccerates.theory.checks.c9_exponents",
            "ccerates.script",
        ),
    output:
        shown(
            expand(f"{PREFIX}figures/tables/bounds.{{suffix}}", suffix=["csv", "tex"]),
            "bounds",
            "tables/bounds",
        ),
    log:
        f"{RESULTS}/logs/bounds_table.log",
    conda:
        "../../environment.yml"
    params:
        failure=config["bandits"]["failure"],
    message:
        "Counting violations of the inequalities"
    script:
        "../scripts/bounds_table.py"


# Apart from the table, which thus stays there to be read when this fails. A missed exponent stays
# visible as a miss: it is a finding, not an error.
rule check_bounds:
    input:
        checks=rules.bounds_table.input.checks,
        table=f"{PREFIX}figures/tables/bounds.csv",
        code=code("ccerates.analysis.bounds", "ccerates.script"),
    output:
        touch(f"{RESULTS}/bounds-hold"),
    log:
        f"{RESULTS}/logs/check_bounds.log",
    conda:
        "../../environment.yml"
    params:
        failure=config["bandits"]["failure"],
    message:
        "Checking that no inequality that must hold was violated, and planted errors are caught"
    script:
        "../scripts/check_bounds.py"
