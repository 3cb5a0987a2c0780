# What all rules share: the checked configuration, where files go, which source files a rule uses.

import os
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

import grimp

from ccerates.bandits.registry import MODULES as BANDIT_MODULES
from ccerates.config import check_config, read_yaml
from ccerates.errors import InputError
from ccerates.experiments.bandits import check_bandits
from ccerates.experiments.cells import CERTIFICATE, COVERAGE, TUNING
from ccerates.experiments.learners import algorithm_of
from ccerates.experiments.lower_bound_cells import EXPERIMENT as LOWER_BOUND
from ccerates.experiments.lower_bound_cells import plan_lower_bound
from ccerates.experiments.plan import plan_cells
from ccerates.experiments.runner import MODULES as RUN_MODULES
from ccerates.experiments.settings import ONLINE, SIMULATOR, setting_of
from ccerates.online.registry import MODULES as ONLINE_MODULES
from ccerates.simulator.registry import MODULES as SIMULATOR_MODULES
from ccerates.simulator.uniform_sampler import NAME as UNIFORM_SAMPLER

# Snakemake starts scripts by a shell and does not quote the interpreter's path, which may hold spaces.
sys.executable = shlex.quote(sys.executable)

# Results of linear algebra depend on the number of threads; jobs share the cores anyway.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    for path in map(Path, workflow.configfiles):
        if path.stem != config.get("name"):
            # Two configs of one name would overwrite each other's results.
            raise InputError(f"name: expected {path.stem}, as the file, got {config.get('name')}")
    check_config(config, read_yaml(Path(workflow.source_path("../schemas/config.schema.yaml"))))
    CELLS = plan_cells(config)
    check_bandits(config["bandits"])
    LOWER_BOUND_CELLS = plan_lower_bound(config)
except InputError as error:
    source = " and ".join(map(os.path.relpath, workflow.configfiles))
    for line in str(error).splitlines():
        print(f"error: {source}: {line}", file=sys.stderr)
    raise SystemExit(2)

NAME = config["name"]
RESULTS = f"results/{NAME}"
# Only the configuration behind the paper writes tracked files.
PREFIX = "" if NAME == "paper" else f"build/{NAME}/"
SWEEPS = list(config["sweeps"])
CURVES = list(config["curves"])
REAL_GAMES = "real-games"
RUN_EXPERIMENTS = [TUNING, *SWEEPS, *CURVES]
CLAIM_TITLES = {
    claim: f"{number:02} {claim}"
    for number, claim in enumerate(read_yaml(Path("config/claims.yaml")), start=1)
}
SETTINGS = {label: setting_of(label, section) for label, section in config["learners"].items()}


wildcard_constraints:
    experiment="|".join([*SWEEPS, *CURVES]),
    cell="[^/]+",
    learner="|".join(config["learners"]),


_imports = grimp.build_graph("ccerates", exclude_type_checking_imports=True, cache_dir=None)


def code(*modules):
    """Source files of modules and of all they import: an edit of one reruns the rule."""
    used = {name for module in modules for name in _imports.find_upstream_modules(module)}
    return [module_file(name) for name in sorted(used | set(modules))]


def module_file(name):
    path = Path("src", *name.split("."))
    return str(path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))


def learner_code(learner):
    """The module of a learner's algorithm, or what runs a learner in a file of the user's."""
    if "file" in config["learners"][learner]:
        return [f"ccerates.protocol.{SETTINGS[learner]}"]
    modules = {SIMULATOR: SIMULATOR_MODULES, ONLINE: ONLINE_MODULES}[SETTINGS[learner]]
    return [modules[algorithm_of(learner, config["learners"][learner])][0]]


def learner_options(learner, *without):
    """The section of a learner, without some of its keys."""
    section = config["learners"][learner]
    return {key: value for key, value in section.items() if key not in without}


def game_places(made):
    """Folders of the cells whose games are made from a family, or of the others."""
    return [
        f"{cell.experiment}/{cell.name}"
        for cell in CELLS.values()
        if ("family" in cell.game) == made
    ]


def game_of(place):
    return CELLS[tuple(place.split("/"))].game


def game_files(experiment, cell):
    count = CELLS[experiment, cell].num_games
    return [f"{RESULTS}/games/{experiment}/{cell}/{number}.npz" for number in range(count)]


def run_files(
    *experiments,
    settings=(SIMULATOR, ONLINE),
    pattern=f"{RESULTS}/runs/{{}}/{{}}/{{}}.parquet",
):
    """Files of all runs of experiments; the pattern takes experiment, cell and learner."""
    return [
        pattern.format(cell.experiment, cell.name, learner)
        for cell in CELLS.values()
        if cell.experiment in experiments
        for learner in cell.rounds
        if SETTINGS[learner] in settings
    ]


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


def lower_bound_cells(learner):
    """The cells of the lower bound that a learner runs on, as dictionaries."""
    return [
        asdict(cell.only(learner)) for cell in LOWER_BOUND_CELLS.values() if learner in cell.rounds
    ]


def figure_files(claim):
    return expand(f"{PREFIX}figures/{claim}.{{suffix}}", suffix=["pdf", "svg", "png", "csv"])


def shown(files, claim, caption):
    """Mark an image, or else the tables, among outputs for `snakemake --report`."""
    suffix = ".svg" if any(file.endswith(".svg") for file in files) else ".csv"
    marks = {
        "caption": f"../report/{caption}.rst",
        # Categories are listed by name: a number keeps claims in order.
        "category": lambda wildcards: CLAIM_TITLES[claim.format(**wildcards)],
    }

    def marked(file):
        return report(file, labels={"result": Path(file).name}, **marks)

    return [marked(file) if file.endswith(suffix) else file for file in files]


def sweep_claim(*experiments):
    """Runs and tables of sweeps, and the figure of the first."""
    return [
        *run_files(*experiments),
        *expand(rules.sweep.output, experiment=experiments),
        *figure_files(experiments[0]),
    ]
