# Runs of the learners: one job for each learner and cell or, where the config says `together`, for
# each learner and experiment: alone, small cells would mostly wait for Python to start.

# Minutes, for clusters. The longest job of config/full.yaml takes about an hour: see `ccerates cost`.
LONGEST = 240


for experiment in [*SWEEPS, *CURVES]:

    rule:
        name:
            f"learn_{experiment}".replace("-", "_")
        input:
            games=lambda w, experiment=experiment: [
                path
                for cell in plans(experiment, w)
                for path in game_files(experiment, cell["name"])
            ],
            code=lambda w: code(
                "ccerates.experiments.cells",
                "ccerates.experiments.runner",
                "ccerates.games.store",
                "ccerates.script",
                *RUN_MODULES[SETTINGS[w.learner]],
                *learner_code(w.learner),
            ),
            learner=lambda w: learner_options(w.learner).get("file", []),
        output:
            runs=expand(
                f"{RESULTS}/runs/{experiment}/{{cell}}/{{{{learner}}}}.parquet",
                cell=job_cells(experiment),
            ),
            results=expand(
                f"{RESULTS}/runs/{experiment}/{{cell}}/{{{{learner}}}}.npz",
                cell=job_cells(experiment),
            ),
        log:
            f"{RESULTS}/logs/{job_path(experiment)}.log",
        benchmark:
            f"{RESULTS}/benchmarks/{job_path(experiment)}.tsv"
        # Cells with jobs of their own are large: none should be the last to start.
        priority: 0 if together(experiment) else 1
        conda:
            "../../environment.yml"
        resources:
            runtime=lambda w, attempt: LONGEST * attempt,
        params:
            cells=lambda w, experiment=experiment: plans(experiment, w),
            setting=lambda w: SETTINGS[w.learner],
            learner=lambda w: learner_options(w.learner),
            root_seed=config["root_seed"],
        message:
            "Running {wildcards.learner}: {output.runs}"
        script:
            "../scripts/learn.py"


rule tune:
    input:
        games=lambda w: game_files(TUNING, w.cell),
        code=lambda w: code(
            "ccerates.experiments.runner",
            "ccerates.experiments.tuning_runs",
            "ccerates.games.store",
            "ccerates.script",
            *RUN_MODULES[SETTINGS[w.learner]],
            *learner_code(w.learner),
        ),
        learner=lambda w: learner_options(w.learner).get("file", []),
    output:
        f"{RESULTS}/runs/{TUNING}/{{cell}}/{{learner}}.parquet",
    log:
        f"{RESULTS}/logs/{job_path(TUNING)}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{job_path(TUNING)}.tsv"
    priority: 1
    conda:
        "../../environment.yml"
    params:
        cell=lambda w: asdict(CELLS[TUNING, w.cell].only(w.learner)),
        setting=lambda w: SETTINGS[w.learner],
        # Without the scales, which this is to find.
        learner=lambda w: learner_options(w.learner, "rate_scale", "bonus_scale"),
        scales=lambda w: {
            key: config["tuning"][w.cell][f"{key}s"] for key in ("rate_scale", "bonus_scale")
        },
        root_seed=config["root_seed"],
    message:
        "Tuning {wildcards.learner}"
    script:
        "../scripts/tune.py"
