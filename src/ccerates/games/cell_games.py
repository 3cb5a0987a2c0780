"""Games of the experiments: an axis varies one parameter, each replicate has its own game."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ccerates.games.families import make_game
from ccerates.games.model import MarkovGame
from ccerates.streams import GAME_STREAM, seed_sequence


def make_cell_game(
    game: Mapping[str, Any], *, root_seed: int, experiment: str, cell: str, replicate: int
) -> MarkovGame:
    """Make the game of one replicate of a sweep's cell.

    Parameters
    ----------
    game
        Family and parameters, as in a config.
    root_seed
        The project's seed.
    experiment, cell
        Names of the experiment and the cell.
    replicate
        Number of the replicate.

    Raises
    ------
    InputError
        If no such game can be made.
    """
    seed = seed_sequence(root_seed, experiment, cell, replicate, GAME_STREAM)
    parameters = {key: value for key, value in game.items() if key != "family"}
    return make_game(game["family"], parameters, np.random.default_rng(seed))


def game_on_axis(game: Mapping[str, Any], setting: str, axis: str, value: float) -> dict[str, Any]:
    """Fill in the parameter of a survival game that a sweep varies.

    Parameters
    ----------
    game
        Family and the other parameters, as in a config.
    setting
        ``"simulator"`` or ``"online"``.
    axis
        One of `ccerates.theory.rates.AXES`.
    value
        Place on the axis: H, m, A, sum_i A_i, S or eps_game. On the axis ``action-sum`` the first
        of two players keeps ``game["num_actions"]`` actions. A simulator samples the dead state as
        often as every other, and S counts it. Online its share of the visits does not depend on the
        alive states, which divide the rest: there the axis is S - 1, without it.

    Returns
    -------
    dict
        Parameters; whether they are possible is for `make_cell_game` to say.
    """
    varied: dict[str, Any] = {
        "horizon": {"horizon": value},
        "players": {"num_players": value},
        "actions": {"num_actions": value},
        "action-sum": {"num_actions": _two_counts(game.get("num_actions"), value)},
        "states": {"alive_states": value - 1 if setting == "simulator" else value},
        "epsilon": {"eps_game": value},
    }
    return {**game, **varied[axis]}


def _two_counts(first: int | None, total: float) -> list[float]:
    return [] if first is None else [first, total - first]
