"""Cells of the experiments: what a config asks to be run, and the runs that come of it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap, uniform_policy
from ccerates.games.cell_games import make_cell_game
from ccerates.games.families.parameters import read_parameters
from ccerates.games.model import MarkovGame
from ccerates.games.store import load_game
from ccerates.simulator.registry import MODULES, simulator_learner
from ccerates.simulator.source import Simulator
from ccerates.streams import LEARNER_STREAM, seed_sequence

REAL_GAMES = "real-games"


@dataclass(frozen=True)
class CellPlan:
    """One cell of an experiment: a kind of game and the budgets of every learner on it.

    Attributes
    ----------
    experiment
        Claim identifier.
    name
        Name of the cell in paths and random streams, for example ``"horizon-8"``.
    setting
        ``"simulator"``.
    axis, value
        Place on the axis of the sweep; ``""`` and NaN for a real game.
    game
        Parameters of the game, as in the config with the axis filled in.
    num_games
        Number of different games: one for each replicate, or one in all.
    rounds
        Budgets K by learner, increasing.
    eps_game, target
        Difficulty of the game and gap to reach; NaN for a real game.
    """

    experiment: str
    name: str
    setting: str
    axis: str
    value: float
    game: Mapping[str, Any]
    num_games: int
    rounds: Mapping[str, tuple[int, ...]]
    eps_game: float
    target: float

    def only(self, learner: str) -> "CellPlan":
        """Return the plan for one learner, which does not change with another's budgets."""
        return replace(self, rounds={learner: self.rounds[learner]})


def plan_cells(config: Mapping[str, Any]) -> dict[tuple[str, str], CellPlan]:
    """Return all cells of a checked configuration by (experiment, name).

    Parameters
    ----------
    config
        Configuration that `ccerates.config.check_config` accepts.

    Raises
    ------
    InputError
        If a learner is unknown, a game of a sweep cannot be made or has no place in a fit, budgets
        coincide, or the file of a game cannot be read.
    """
    _check_learners(config)
    cells = [
        _sweep_cell(config, experiment, sweep, value)
        for experiment, sweep in config["sweeps"].items()
        for value in sweep["values"]
    ]
    real_games = config["real_games"]
    for game in real_games["games"].values():
        if "file" in game:
            load_game(game["file"])  # a bad file is reported before anything is run
    cells += [
        CellPlan(
            experiment=REAL_GAMES,
            name=name,
            setting=real_games["setting"],
            axis="",
            value=math.nan,
            game=game,
            num_games=1,
            rounds={key: tuple(sorted(rounds)) for key, rounds in real_games["rounds"].items()},
            eps_game=math.nan,
            target=math.nan,
        )
        for name, game in real_games["games"].items()
    ]
    return {(cell.experiment, cell.name): cell for cell in cells}


def _check_learners(config: Mapping[str, Any]) -> None:
    """Raise InputError if a learner is unknown or has budgets but no options."""
    budgets = {
        f"sweeps.{name}.budget_scales": sweep["budget_scales"]
        for name, sweep in config["sweeps"].items()
    }
    budgets["real_games.rounds"] = config["real_games"]["rounds"]
    for place, names in {"learners": config["learners"], **budgets}.items():
        for name in names:
            if name not in MODULES:
                raise InputError(
                    f"{place}: unknown learner {name!r}; {did_you_mean(name, MODULES)}"
                )
            if name not in config["learners"]:
                raise InputError(
                    f"learners: no options for {name!r}, which {place} lists; "
                    f"write `{name}: {{}}` for the defaults"
                )


def _sweep_cell(
    config: Mapping[str, Any], experiment: str, sweep: Mapping[str, Any], value: float
) -> CellPlan:
    place = f"sweeps.{experiment}: {sweep['axis']} {value:.12g}"
    game = {**sweep["game"], sweep["axis"]: value}
    eps_game = float(game["eps_game"])
    unit = game["horizon"] ** 3 * game["num_actions"] / eps_game**2
    cell = CellPlan(
        experiment=experiment,
        name=f"{sweep['axis']}-{value:.12g}",
        setting=sweep["setting"],
        axis=sweep["axis"],
        value=float(value),
        game=game,
        num_games=config["replicates"],
        rounds={
            learner: tuple(math.ceil(scale * unit) for scale in sorted(scales))
            for learner, scales in sweep["budget_scales"].items()
        },
        eps_game=eps_game,
        target=sweep["target_fraction"] * eps_game,
    )
    for learner, rounds in cell.rounds.items():
        if rounds[0] < 2 or len(set(rounds)) < len(rounds):
            raise InputError(
                f"{place}: the budgets of {learner} come to {', '.join(map(str, rounds))} rounds; "
                "take scales that give 2 or more, all different"
            )
    try:  # impossible parameters are reported before anything is run
        made = make_cell_game(
            game,
            root_seed=config["root_seed"],
            experiment=experiment,
            cell=cell.name,
            replicate=0,
        )
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    low, high = sweep["fit"]
    if low <= value <= high and not made.metadata["asymptotic"]:
        raise InputError(
            f"{place}: wrong keys cost too much for a fit (num_players * D > 1/H with "
            f"D = {made.metadata['D']:.4g}); raise the lower end of fit or lower eps_game"
        )
    return cell


def run_cell(
    cell: CellPlan,
    algorithm: str,
    options: Mapping[str, Any],
    games: Sequence[MarkovGame],
    *,
    root_seed: int,
    replicates: int,
    report: Callable[[str], None],
) -> pd.DataFrame:
    """Run one learner on all replicates and budgets of a cell, and evaluate it exactly.

    Parameters
    ----------
    cell
        The cell.
    algorithm
        Name of the learner.
    options
        Its options, as in the config.
    games
        One game for each replicate, or one for all.
    root_seed, replicates
        The project's seed and the number of replicates.
    report
        Called with a line of text after each budget.

    Returns
    -------
    pandas.DataFrame
        One row for each replicate and budget.
    """
    learner = simulator_learner(algorithm)
    try:
        settings = read_parameters(learner.options_type, options)
    except InputError as error:
        raise InputError(f"learners.{algorithm}: {error}") from None
    played = [games[replicate % len(games)] for replicate in range(replicates)]
    simulators = [Simulator(game) for game in played]
    uniform_gaps = [cce_gap(game, uniform_policy(game)).gap for game in games]
    # The same for every budget and learner: their differences are less noisy than their levels.
    seeds = [
        seed_sequence(root_seed, cell.experiment, cell.name, replicate, LEARNER_STREAM)
        for replicate in range(replicates)
    ]
    rows = []
    for rounds in cell.rounds[algorithm]:
        results = learner.learn_batch(simulators, rounds, seeds, settings)
        for replicate, (game, result) in enumerate(zip(played, results, strict=True)):
            gap = cce_gap(game, result.policy)
            rows.append(
                {
                    "experiment": cell.experiment,
                    "setting": cell.setting,
                    "algorithm": algorithm,
                    "constants": result.constants,
                    "axis": cell.axis,
                    "value": cell.value,
                    "game": game.name if cell.axis else cell.name,
                    "game_hash": game.content_hash,
                    "players": game.num_players,
                    "states": game.num_states,
                    "horizon": game.horizon,
                    "max_actions": max(game.num_actions),
                    "eps_game": cell.eps_game,
                    "target": cell.target,
                    "replicate": replicate,
                    "rounds": rounds,
                    "samples": result.samples,
                    "gap_kind": "exact",
                    "gap": gap.gap,
                    "gap_worst": gap.gap_worst,
                    "uniform_gap": uniform_gaps[replicate % len(games)],
                    "certificate": result.certificate,
                    "certified": result.certified,
                }
            )
        mean = np.mean([row["gap"] for row in rows[-replicates:]])
        report(f"{algorithm} {cell.name}: {rounds} rounds, mean gap {mean:.4g}")
    return pd.DataFrame(rows)
