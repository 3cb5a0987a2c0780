# Learners on hidden-action games, around the budgets at which they begin to succeed and below the
# lower bound: one job for each learner, which makes the games of all cells itself.


def lower_bound_cells(learner):
    """The cells that a learner runs on, as dictionaries: Snakemake sees no change in objects."""
    return [
        asdict(cell.only(learner)) for cell in LOWER_BOUND_CELLS.values() if learner in cell.rounds
    ]


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
    params:
        cells=lambda w: lower_bound_cells(w.learner),
        learner=lambda w: {} if w.learner == UNIFORM_SAMPLER else learner_options(w.learner),
        root_seed=config["root_seed"],
    message:
        "Running {wildcards.learner} on {LOWER_BOUND}"
    script:
        "../scripts/run_lower_bound.py"
