# Runs of the simulator learners: one job for each cell and algorithm.


rule learn_simulator:
    input:
        games=lambda w: game_files(w.experiment, w.cell),
        code=lambda w: code(
            "ccerates.experiments",
            "ccerates.games.store",
            "ccerates.script",
            SIMULATOR_MODULES[w.algorithm][0],
        ),
    output:
        f"{RESULTS}/runs/{{experiment}}/{{cell}}/{{algorithm}}.parquet",
    log:
        f"{RESULTS}/logs/runs/{{experiment}}/{{cell}}/{{algorithm}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/runs/{{experiment}}/{{cell}}/{{algorithm}}.tsv"
    conda:
        "../../environment.yml"
    params:
        # As a dictionary: Snakemake does not notice changes in objects of other types.
        cell=lambda w: asdict(CELLS[w.experiment, w.cell].only(w.algorithm)),
        options=lambda w: config["learners"][w.algorithm],
        root_seed=config["root_seed"],
        replicates=config["replicates"],
    message:
        "Running {wildcards.algorithm} on {wildcards.experiment}, {wildcards.cell}"
    script:
        "../scripts/learn_simulator.py"
