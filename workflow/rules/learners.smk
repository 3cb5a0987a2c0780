# Runs of the learners: one job for each learner and cell or, where the config says `together`, for
# each learner and experiment: alone, small cells would mostly wait for Python to start.


def together(experiment):
    section = config["sweeps"].get(experiment) or config["curves"].get(experiment, {})
    return section.get("together", False)


def job_cells(experiment):
    """Cells of one job: all, or the one that the wildcard stands for."""
    names = [cell.name for cell in CELLS.values() if cell.experiment == experiment]
    return names if together(experiment) else ["{cell}"]


def job_path(experiment):
    """Where a job's log and benchmark lie in their folders, without the suffix."""
    cell = "" if together(experiment) else "{cell}/"
    return f"runs/{experiment}/{cell}{{learner}}"


def run_jobs():
    """The runs that each job makes, by its benchmark."""
    jobs = {}
    for cell in CELLS.values():
        for learner in cell.rounds:
            path = job_path(cell.experiment).format(cell=cell.name, learner=learner)
            runs = f"{RESULTS}/runs/{cell.experiment}/{cell.name}/{learner}.parquet"
            jobs.setdefault(f"{RESULTS}/benchmarks/{path}.tsv", []).append(runs)
    return jobs


def plans(experiment, wildcards):
    """Cells of a job. Snakemake does not notice changes in objects other than dictionaries."""
    names = [name.format(**wildcards) for name in job_cells(experiment)]
    return [asdict(CELLS[experiment, name].only(wildcards.learner)) for name in names]


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
