"""Cells of the claim `lower-bound`: a base game, one parameter changed at a time, and budgets.

Budgets are given as shares of two units, in samples. ``budget_scales`` counts in H^4 S max_i A_i
/eps^2, the common rate of the lower bound and of EVB-sim; ``failing_shares`` in the number of
samples up to which the lower bound proves failure, rounded down to whole rounds and left out if
that is less than the fewest a learner can run.
"""

import math
from collections.abc import Mapping
from typing import Any

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.experiments.cells import CellPlan
from ccerates.experiments.learners import algorithm_of, own_learner
from ccerates.experiments.settings import SIMULATOR, setting_of
from ccerates.games.cell_games import make_cell_game
from ccerates.games.families.hidden_action import HiddenActionParameters
from ccerates.games.families.parameters import action_counts, read_parameters
from ccerates.simulator import uniform_sampler
from ccerates.simulator.registry import simulator_learner
from ccerates.simulator.source import Simulator
from ccerates.theory.lower_bound import HiddenActionBound

EXPERIMENT = "lower-bound"
BASE = "base"
BELOW = "below"
"""The cell whose budgets are all below the lower bound."""

VARIED = {
    "horizon": "horizon",
    "players": "num_players",
    "actions": "num_actions",
    "states": "num_blocks",
    "epsilon": "eps_game",
}
"""The parameter of the game that stands for each axis."""

FEWEST = {uniform_sampler.NAME: 0, "q-ftrl": 2}
"""Fewest rounds of an algorithm, if not 1."""


def plan_lower_bound(config: Mapping[str, Any]) -> dict[str, CellPlan]:
    """Return the cells of the section ``lower-bound`` by name.

    Parameters
    ----------
    config
        Configuration that `ccerates.config.check_config` accepts.

    Returns
    -------
    dict
        The base cell, one for each other place on an axis, and the one below the bound. `axis` and
        `value` of the base cell are ``""`` and NaN: it lies on every axis.

    Raises
    ------
    InputError
        If a learner is unknown, does not use the simulator or is defined in a file, a game cannot
        be made, the lower bound says nothing about it, or budgets coincide.
    """
    section = config[EXPERIMENT]
    base = section["game"]
    _check_learners(config, section)
    games = [(BASE, "", math.nan, base), (BELOW, "", math.nan, {**base, **section["below"]})]
    for axis, values in section["axes"].items():
        varied = VARIED[axis]
        for value in values:
            if base.get(varied) == value:
                raise InputError(
                    f"{EXPERIMENT}.axes.{axis}: remove {value:g}, which is that of the base game"
                )
            games.append((f"{axis}-{value:.12g}", axis, float(value), {**base, varied: value}))
    return {name: _cell(config, name, axis, value, game) for name, axis, value, game in games}


def game_bound(game: Mapping[str, Any]) -> HiddenActionBound:
    """Return the lower bound for a game, given as in a config.

    Raises
    ------
    InputError
        If the family has no such game or the bound does not apply to it.
    """
    parameters = read_parameters(
        HiddenActionParameters, {key: value for key, value in game.items() if key != "family"}
    )
    counts = action_counts(parameters.num_players, parameters.num_actions)
    if counts[0] < max(counts):
        raise InputError(
            f"num_actions: player 0, whose action matters, has {counts[0]} of up to {max(counts)} "
            "actions; give it the most"
        )
    stay_wrong, stay_right = parameters.stay
    bound = HiddenActionBound(
        horizon=parameters.horizon,
        num_actions=counts[0],
        num_blocks=parameters.num_blocks,
        epsilon=parameters.eps_game,
        stay_wrong=stay_wrong,
        stay_right=stay_right,
    )
    if bound.room <= 0.0:
        raise InputError(
            f"the lower bound proves nothing: the gap exceeds eps_game only if more than "
            f"{bound.tolerated_share:.3g} of the actions are wrong, and chance finds 1 in "
            f"{bound.num_actions}; take more num_actions or a larger advantage_constant"
        )
    return bound


def _check_learners(config: Mapping[str, Any], section: Mapping[str, Any]) -> None:
    place = f"{EXPERIMENT}.budget_scales"
    for label in section["budget_scales"]:
        if label == uniform_sampler.NAME:
            continue
        if label not in config["learners"]:
            hint = did_you_mean(label, [*config["learners"], uniform_sampler.NAME])
            raise InputError(f"{place}: no options for {label!r}; {hint}")
        options = config["learners"][label]
        if own_learner(label, options) is not None or setting_of(label, options) != SIMULATOR:
            raise InputError(
                f"{place}: {label!r} is not a compiled learner of the setting {SIMULATOR}; "
                "remove it here"
            )


def _cell(
    config: Mapping[str, Any], name: str, axis: str, value: float, game: Mapping[str, Any]
) -> CellPlan:
    section = config[EXPERIMENT]
    try:
        bound = game_bound(game)
        made = make_cell_game(
            game, root_seed=config["root_seed"], experiment=EXPERIMENT, cell=name, replicate=0
        )
    except InputError as error:
        raise InputError(f"{EXPERIMENT}: game of the cell {name}: {error}") from None
    simulator = Simulator(made)
    eps = float(game["eps_game"])
    unit = made.horizon**4 * made.num_states * max(made.num_actions) / eps**2
    rounds = {}
    for label, scales in section["budget_scales"].items():
        algorithm, cost = _algorithm_and_cost(config, label, simulator)
        shares = [share * bound.failing_samples for share in section["failing_shares"]]
        below = {math.floor(samples / cost) for samples in shares}
        above = {math.ceil(scale * unit / cost) for scale in scales} if name != BELOW else set()
        fewest = FEWEST.get(algorithm, 1)
        budgets = sorted(count for count in below | above if count >= fewest)
        if name != BELOW and len(above - below) < len(scales):
            raise InputError(
                f"{EXPERIMENT}.budget_scales: on the game of the cell {name} budgets of {label} "
                f"coincide: they come to {', '.join(map(str, budgets))} rounds; take larger scales"
            )
        if budgets:
            rounds[label] = tuple(budgets)
    return CellPlan(
        experiment=EXPERIMENT,
        name=name,
        axis=axis,
        value=value,
        game=game,
        num_games=section["replicates"],
        replicates=section["replicates"],
        rounds=rounds,
        eps_game=eps,
        target=eps,
    )


def _algorithm_and_cost(
    config: Mapping[str, Any], label: str, simulator: Simulator
) -> tuple[str, int]:
    """Return the algorithm behind a label and the samples that one round of it takes."""
    if label == uniform_sampler.NAME:
        return label, uniform_sampler.samples(simulator, 1)
    algorithm = algorithm_of(label, config["learners"][label])
    return algorithm, simulator_learner(algorithm).samples(simulator, 1)
