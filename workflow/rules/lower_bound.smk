# Learners on hidden-action games, around the budgets at which they begin to succeed and below the
# lower bound: one job for each cell and learner, which makes its games itself.

LOWER_BOUND_RUNS = [
    f"{RESULTS}/runs/{LOWER_BOUND}/{cell.name}/{learner}.parquet"
    for cell in LOWER_BOUND_CELLS.values()
    for learner in cell.rounds
]


rule run_lower_bound:
    input:
        code=lambda w: code(
            "ccerates.experiments.lower_bound",
            "ccerates.script",
            *([] if w.learner == UNIFORM_SAMPLER else learner_code(w.learner)),
        ),
    output:
        f"{RESULTS}/runs/{LOWER_BOUND}/{{cell}}/{{learner}}.parquet",
    log:
        f"{RESULTS}/logs/runs/{LOWER_BOUND}/{{cell}}/{{learner}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/runs/{LOWER_BOUND}/{{cell}}/{{learner}}.tsv"
    wildcard_constraints:
        learner="|".join(config[LOWER_BOUND]["budget_scales"]),
    conda:
        "../../environment.yml"
    params:
        # As a dictionary: Snakemake does not notice changes in objects of other types.
        cell=lambda w: asdict(LOWER_BOUND_CELLS[w.cell].only(w.learner)),
        learner=lambda w: {} if w.learner == UNIFORM_SAMPLER else learner_options(w.learner),
        root_seed=config["root_seed"],
    message:
        "Running {wildcards.learner} on {LOWER_BOUND}, {wildcards.cell}"
    script:
        "../scripts/run_lower_bound.py"
