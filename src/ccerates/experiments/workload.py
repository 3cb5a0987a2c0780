"""How much each job of a config is to do: samples, and what their cost depends on."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ccerates.experiments.bandits import EXPERIMENT as BANDIT
from ccerates.experiments.cells import TUNING, CellPlan
from ccerates.experiments.learners import algorithm_of
from ccerates.experiments.lower_bound_cells import plan_lower_bound
from ccerates.experiments.plan import plan_cells
from ccerates.experiments.prediction import Job
from ccerates.experiments.settings import SIMULATOR, setting_of
from ccerates.games.cell_games import make_cell_game
from ccerates.games.files import read_game
from ccerates.games.model import MarkovGame
from ccerates.games.openspiel import import_openspiel
from ccerates.simulator import uniform_sampler
from ccerates.simulator.registry import simulator_learner
from ccerates.simulator.source import Simulator


def plan_jobs(config: Mapping[str, Any]) -> list[Job]:
    """Return the jobs that run learners and bandits, as the workflow cuts them.

    Parameters
    ----------
    config
        Configuration that `ccerates.config.check_config` accepts. Games of OpenSpiel are imported
        to be measured, which may take some seconds each.

    Raises
    ------
    InputError
        As `ccerates.experiments.plan.plan_cells`.
    """
    jobs: dict[tuple[str, ...], Job] = {}
    for cell in plan_cells(config).values():
        game = _game_of(config, cell)
        section = {**config["sweeps"], **config["curves"]}.get(cell.experiment, {})
        for learner in cell.rounds:
            place = "" if section.get("together") else cell.name
            _add(jobs, place, _learning(config, cell, learner, game))
    for cell in plan_lower_bound(config).values():
        game = _game_of(config, cell)
        for learner in cell.rounds:
            _add(jobs, "", _learning(config, cell, learner, game))
    return [*jobs.values(), *_bandit_jobs(config)]


def _add(jobs: dict[tuple[str, ...], Job], place: str, job: Job) -> None:
    key = (job.experiment, place, job.learner)
    jobs[key] = jobs[key] + job if key in jobs else job


def _game_of(config: Mapping[str, Any], cell: CellPlan) -> MarkovGame:
    """Return a game of the shape that all games of a cell have."""
    if "file" in cell.game:
        return read_game(cell.game["file"])
    if "game" in cell.game:
        return import_openspiel(cell.game["game"], horizon=cell.game.get("horizon"))
    names = {"experiment": cell.experiment, "cell": cell.name}
    return make_cell_game(cell.game, root_seed=config["root_seed"], replicate=0, **names)


def _learning(config: Mapping[str, Any], cell: CellPlan, learner: str, game: MarkovGame) -> Job:
    """Return what a learner is to do on a cell."""
    section = config["learners"].get(learner, {})
    own = "file" in section
    algorithm = learner if own else algorithm_of(learner, section)
    budgets = cell.rounds[learner]
    if learner == uniform_sampler.NAME:
        samples = uniform_sampler.samples(Simulator(game), sum(budgets))
    elif setting_of(learner, section) == SIMULATOR:
        # A learner in a file says only when it runs how it samples; this is the least.
        count = simulator_learner("evb-sim" if own else algorithm).samples
        samples = count(Simulator(game), sum(budgets))
    else:
        samples = budgets[-1] * game.horizon  # smaller budgets are checkpoints of one run
    repeats = cell.replicates
    if cell.experiment == TUNING:
        tuning = config[TUNING][cell.name]
        repeats *= len(tuning["rate_scales"]) * len(tuning["bonus_scales"])
    samples *= repeats
    runs = repeats * len(budgets)
    sizes = (runs, samples, samples * math.prod(game.num_actions))
    return Job(cell.experiment, learner, algorithm, *sizes)


def _bandit_jobs(config: Mapping[str, Any]) -> Iterator[Job]:
    section = config["bandits"]
    runs = section["runs"] * len(section["adversaries"])
    samples = runs * section["rounds"]
    for label, options in section["bandits"].items():
        algorithm = f"{BANDIT} {options.get('bandit', label)}"
        yield Job(BANDIT, label, algorithm, runs, samples, samples * section["num_actions"])
