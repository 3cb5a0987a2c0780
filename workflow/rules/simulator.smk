# Runs of the simulator learners: one job for each cell and learner.


rule learn_simulator:
    input:
        games=lambda w: game_files(w.experiment, w.cell),
        code=lambda w: code(
            "ccerates.experiments.run",
            "ccerates.games.store",
            "ccerates.simulator.results_store",
            "ccerates.script",
            learner_code(w.learner),
        ),
    output:
        runs=f"{RESULTS}/runs/{{experiment}}/{{cell}}/{{learner}}.parquet",
        results=f"{RESULTS}/runs/{{experiment}}/{{cell}}/{{learner}}.npz",
    log:
        f"{RESULTS}/logs/runs/{{experiment}}/{{cell}}/{{learner}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/runs/{{experiment}}/{{cell}}/{{learner}}.tsv"
    conda:
        "../../environment.yml"
    params:
        # As a dictionary: Snakemake does not notice changes in objects of other types.
        cell=lambda w: asdict(CELLS[w.experiment, w.cell].only(w.learner)),
        learner=lambda w: config["learners"][w.learner],
        root_seed=config["root_seed"],
    message:
        "Running {wildcards.learner} on {wildcards.experiment}, {wildcards.cell}"
    script:
        "../scripts/learn_simulator.py"


rule tune:
    input:
        games=game_files(TUNING, HELD_OUT),
        code=lambda w: code(
            "ccerates.experiments.run",
            "ccerates.games.store",
            "ccerates.script",
            learner_code(w.learner),
        ),
    output:
        f"{RESULTS}/runs/{TUNING}/{HELD_OUT}/{{learner}}.parquet",
    log:
        f"{RESULTS}/logs/runs/{TUNING}/{HELD_OUT}/{{learner}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/runs/{TUNING}/{HELD_OUT}/{{learner}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lambda w: asdict(CELLS[TUNING, HELD_OUT].only(w.learner)),
        # Without the scales, which this is to find.
        learner=lambda w: {
            key: value
            for key, value in config["learners"][w.learner].items()
            if key not in ("rate_scale", "bonus_scale")
        },
        scales={key: config["tuning"][f"{key}s"] for key in ("rate_scale", "bonus_scale")},
        root_seed=config["root_seed"],
    message:
        "Tuning {wildcards.learner}"
    script:
        "../scripts/tune.py"
