# Learners on hidden-action games, around the budgets at which they begin to succeed and below the
# lower bound: one job for each learner, which makes the games of all cells itself.

LOWER_BOUND_RUNS = expand(
    f"{RESULTS}/runs/{LOWER_BOUND}/{{learner}}.parquet",
    learner=config[LOWER_BOUND]["budget_scales"],
)
LOWER_BOUND_BENCHMARKS = expand(
    f"{RESULTS}/benchmarks/runs/{LOWER_BOUND}/{{learner}}.tsv",
    learner=config[LOWER_BOUND]["budget_scales"],
)


rule run_lower_bound:
    input:
        code=lambda w: code(
            "ccerates.experiments.lower_bound",
            "ccerates.script",
            *([] if w.learner == UNIFORM_SAMPLER else learner_code(w.learner)),
        ),
    output:
        f"{RESULTS}/runs/{LOWER_BOUND}/{{learner}}.parquet",
    log:
        f"{RESULTS}/logs/runs/{LOWER_BOUND}/{{learner}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/runs/{LOWER_BOUND}/{{learner}}.tsv"
    wildcard_constraints:
        learner="|".join(config[LOWER_BOUND]["budget_scales"]),
    conda:
        "../../environment.yml"
    resources:
        runtime=lambda w, attempt: LONGEST * attempt,
    params:
        cells=lambda w: lower_bound_cells(w.learner),
        learner=lambda w: {} if w.learner == UNIFORM_SAMPLER else learner_options(w.learner),
        root_seed=config["root_seed"],
    message:
        "Running {wildcards.learner} on {LOWER_BOUND}"
    script:
        "../scripts/run_lower_bound.py"


rule lower_bound_tables:
    input:
        runs=LOWER_BOUND_RUNS,
        code=code("ccerates.analysis.lower_bound", "ccerates.analysis.publish", "ccerates.script"),
    output:
        table=expand(f"{PREFIX}figures/tables/{LOWER_BOUND}.{{suffix}}", suffix=["csv", "tex"]),
        crossings=expand(
            f"{PREFIX}figures/tables/{LOWER_BOUND}-crossings.{{suffix}}", suffix=["csv", "tex"]
        ),
    log:
        f"{RESULTS}/logs/lower_bound_tables.log",
    conda:
        "../../environment.yml"
    params:
        root_seed=config["root_seed"],
        resamples=config["resamples"],
    message:
        "Counting failures on hidden-action games"
    script:
        "../scripts/lower_bound_tables.py"


rule figure_lower_bound:
    input:
        table=f"{PREFIX}figures/tables/{LOWER_BOUND}.csv",
        crossings=f"{PREFIX}figures/tables/{LOWER_BOUND}-crossings.csv",
        code=code("ccerates.plots.lower_bound", "ccerates.analysis.tables", "ccerates.script"),
    output:
        shown(figure_files(LOWER_BOUND), LOWER_BOUND, f"figures/{LOWER_BOUND}"),
    log:
        f"{RESULTS}/logs/figure_lower_bound.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the figure of {LOWER_BOUND}"
    script:
        "../scripts/figure_lower_bound.py"
