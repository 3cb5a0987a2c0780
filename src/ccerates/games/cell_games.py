"""Games of the experiments: each replicate of a cell has its own."""

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
