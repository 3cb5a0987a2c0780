"""Cells of the experiments: what a config asks to be run."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ccerates.errors import InputError
from ccerates.experiments.cells import TUNING, CellPlan
from ccerates.experiments.settings import SIMULATOR, check_learners
from ccerates.games.cell_games import game_on_axis, make_cell_game
from ccerates.games.files import read_game


def plan_cells(config: Mapping[str, Any]) -> dict[tuple[str, str], CellPlan]:
    """Return all cells of a checked configuration by (experiment, name).

    Parameters
    ----------
    config
        Configuration that `ccerates.config.check_config` accepts.

    Raises
    ------
    InputError
        If a learner or an option of it is unknown, a game cannot be made or has no place in a fit,
        budgets coincide, or the file of a game cannot be read.
    """
    check_learners(config)
    cells = [*_curve_cells(config), *_tuning_cells(config)]
    for experiment, sweep in config["sweeps"].items():
        cells += [_sweep_cell(config, experiment, sweep, value) for value in sweep["values"]]
    for cell in cells:
        _check_game(config, cell)
    return {(cell.experiment, cell.name): cell for cell in cells}


def _curve_cells(config: Mapping[str, Any]) -> Iterator[CellPlan]:
    for experiment, curves in config["curves"].items():
        for name, game in curves["games"].items():
            yield CellPlan(
                experiment=experiment,
                name=name,
                axis="",
                value=math.nan,
                game=game,
                num_games=config["replicates"] if "family" in game else 1,
                replicates=curves.get("replicates", config["replicates"]),
                rounds={key: tuple(sorted(rounds)) for key, rounds in curves["rounds"].items()},
                eps_game=math.nan,
                target=math.nan,
            )


def _sweep_cell(
    config: Mapping[str, Any], experiment: str, sweep: Mapping[str, Any], value: float
) -> CellPlan:
    axis = sweep["axis"]
    game = game_on_axis(sweep["game"], sweep["setting"], axis, value)
    return _survival_cell(
        config, experiment, f"{axis}-{value:.12g}", sweep, game, axis=axis, value=float(value)
    )


def _tuning_cells(config: Mapping[str, Any]) -> Iterator[CellPlan]:
    for name, tuning in config["tuning"].items():
        # The horizon as an axis with one place: samples to target are then defined.
        horizon = float(tuning["game"].get("horizon", math.nan))
        yield _survival_cell(
            config, TUNING, name, tuning, tuning["game"], axis="horizon", value=horizon
        )


def _survival_cell(
    config: Mapping[str, Any],
    experiment: str,
    name: str,
    section: Mapping[str, Any],
    game: Mapping[str, Any],
    *,
    axis: str,
    value: float,
) -> CellPlan:
    """Return a cell whose budgets and target follow from its game."""
    cell = CellPlan(
        experiment=experiment,
        name=name,
        axis=axis,
        value=value,
        game=game,
        num_games=config["replicates"],
        replicates=section.get("replicates", config["replicates"]),
        rounds={},
        eps_game=game.get("eps_game", math.nan),
        target=section["target_fraction"] * game.get("eps_game", math.nan),
    )
    needed = ("horizon", "num_actions", "alive_states", "eps_game")
    missing = [key for key in needed if key not in game]
    if missing:
        raise InputError(f"{_place(cell)}: game: {missing[0]!r} is missing; add it")
    counts = game["num_actions"]
    widest = counts if isinstance(counts, int) else max(counts)
    # The sharp bound in rounds at each step and state, or in episodes.
    unit = game["horizon"] ** 3 * widest / game["eps_game"] ** 2
    if section["setting"] != SIMULATOR:
        unit *= game["horizon"] * (game["alive_states"] + 1)
    rounds = {
        learner: tuple(math.ceil(scale * unit) for scale in sorted(scales))
        for learner, scales in section["budget_scales"].items()
    }
    played = "rounds" if section["setting"] == SIMULATOR else "episodes"
    for learner, budgets in rounds.items():
        if budgets[0] < 2 or len(set(budgets)) < len(budgets):
            raise InputError(
                f"{_place(cell)}: the budgets of {learner} come to "
                f"{', '.join(map(str, budgets))} {played}; take scales that give 2 or more, all "
                "different"
            )
    return replace(cell, rounds=rounds)


def _place(cell: CellPlan) -> str:
    """Return where the config asks for a cell."""
    if cell.experiment == TUNING:
        return f"{TUNING}.{cell.name}"
    if cell.axis:
        return f"sweeps.{cell.experiment}: {cell.axis} {cell.value:.12g}"
    return f"curves.{cell.experiment}.games.{cell.name}"


def _check_game(config: Mapping[str, Any], cell: CellPlan) -> None:
    """Raise InputError for impossible games, and for those that a fit may not hold.

    OpenSpiel's games are imported when the workflow runs: that takes long and OpenSpiel.
    """
    if "file" in cell.game:
        try:
            read_game(cell.game["file"])
        except InputError as error:
            raise InputError(f"{_place(cell)}.file: {error}") from None
    if "family" not in cell.game:
        return
    try:
        game = make_cell_game(
            cell.game,
            root_seed=config["root_seed"],
            experiment=cell.experiment,
            cell=cell.name,
            replicate=0,
        )
    except InputError as error:
        raise InputError(f"{_place(cell)}: {error}") from None
    if cell.experiment not in config["sweeps"]:
        return
    low, high = config["sweeps"][cell.experiment]["fit"]
    if low <= cell.value <= high and not game.metadata["asymptotic"]:
        raise InputError(
            f"{_place(cell)}: wrong keys cost too much for a fit (num_players * D > 1/H with "
            f"D = {game.metadata['D']:.4g}); narrow fit to exclude it or lower eps_game"
        )
