# Runs of the online learners: one job for each cell and learner, its budgets in one run.


rule learn_online:
    input:
        games=lambda w: game_files(w.experiment, w.cell),
        code=lambda w: code(
            "ccerates.experiments.online_runs",
            "ccerates.games.store",
            "ccerates.online.results_store",
            "ccerates.script",
            *learner_code(w.learner),
        ),
        learner=lambda w: learner_options(w.learner).get("file", []),
    output:
        runs=f"{RESULTS}/runs/{{experiment}}/{{cell}}/{{learner}}.parquet",
        results=f"{RESULTS}/runs/{{experiment}}/{{cell}}/{{learner}}.npz",
    log:
        f"{RESULTS}/logs/runs/{{experiment}}/{{cell}}/{{learner}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/runs/{{experiment}}/{{cell}}/{{learner}}.tsv"
    wildcard_constraints:
        learner=learners_of(ONLINE),
    conda:
        "../../environment.yml"
    params:
        # As a dictionary: Snakemake does not notice changes in objects of other types.
        cell=lambda w: asdict(CELLS[w.experiment, w.cell].only(w.learner)),
        learner=lambda w: learner_options(w.learner),
        root_seed=config["root_seed"],
    message:
        "Running {wildcards.learner} on {wildcards.experiment}, {wildcards.cell}"
    script:
        "../scripts/learn_online.py"


rule tune_online:
    input:
        games=lambda w: game_files(TUNING, w.cell),
        code=lambda w: code(
            "ccerates.experiments.online_runs",
            "ccerates.experiments.tuning_runs",
            "ccerates.games.store",
            "ccerates.script",
            *learner_code(w.learner),
        ),
        learner=lambda w: learner_options(w.learner).get("file", []),
    output:
        f"{RESULTS}/runs/{TUNING}/{{cell}}/{{learner}}.parquet",
    log:
        f"{RESULTS}/logs/runs/{TUNING}/{{cell}}/{{learner}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/runs/{TUNING}/{{cell}}/{{learner}}.tsv"
    wildcard_constraints:
        learner=learners_of(ONLINE),
    conda:
        "../../environment.yml"
    params:
        cell=lambda w: asdict(CELLS[TUNING, w.cell].only(w.learner)),
        # Without the scales, which this is to find.
        learner=lambda w: learner_options(w.learner, "rate_scale", "bonus_scale"),
        scales=lambda w: {
            key: config["tuning"][w.cell][f"{key}s"] for key in ("rate_scale", "bonus_scale")
        },
        root_seed=config["root_seed"],
    message:
        "Tuning {wildcards.learner}"
    script:
        "../scripts/tune_online.py"
