"""Which games can be made, making one, and saying what a game is."""

import importlib.util
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ccerates.api.inputs import check_game
from ccerates.api.seeds import game_seed
from ccerates.api.settings import Setting, describe_settings
from ccerates.evaluation.markov import cce_gap, uniform_policy
from ccerates.games import families
from ccerates.games.model import MarkovGame


class FamilySummary(NamedTuple):
    """A family of games.

    Attributes
    ----------
    name
        What `make_game` takes.
    description
        What kind of games it holds, in one line.
    parameters
        Its parameters.
    """

    name: str
    description: str
    parameters: tuple[Setting, ...]


class GameSummary(NamedTuple):
    """Dimensions and identity of a game.

    Attributes
    ----------
    name
        What the game is called.
    content_hash
        Hexadecimal SHA-256 of all that matters to a learner or an evaluator.
    num_players, num_actions, num_joint_actions, num_states, horizon
        Dimensions; `num_actions` holds A_i for each player.
    num_layers
        Number of different steps that the table stores.
    num_successors
        Length of the successor lists.
    table_bytes
        Size of the arrays in memory.
    uniform_gap, uniform_gap_worst
        CCE gap of uniform play, averaged over the start distribution and from the worst state.
    metadata
        How the game was made.
    """

    name: str
    content_hash: str
    num_players: int
    num_actions: tuple[int, ...]
    num_joint_actions: int
    num_states: int
    horizon: int
    num_layers: int
    num_successors: int
    table_bytes: int
    uniform_gap: float
    uniform_gap_worst: float
    metadata: dict[str, Any]


def list_games() -> list[FamilySummary]:
    """Return the families of games."""
    return [
        FamilySummary(name, _title(family.parameters_type), describe_settings(family[0]))
        for name, family in families.FAMILIES.items()
    ]


def has_openspiel() -> bool:
    """Return whether OpenSpiel is installed, whose games `import_openspiel` turns into tables."""
    return importlib.util.find_spec("pyspiel") is not None


def make_game(family: str, parameters: Mapping[str, Any], *, seed: int = 0) -> MarkovGame:
    """Make a game of a family.

    Parameters
    ----------
    family
        Name of the family.
    parameters
        Values by name, as `list_games` describes them.
    seed
        Integer >= 0: the same seed gives the same game.

    Returns
    -------
    MarkovGame

    Raises
    ------
    InputError
        If the family or a parameter is unknown, missing or out of range.
    """
    return families.make_game(family, parameters, np.random.default_rng(game_seed(seed)))


def show_game(game: MarkovGame) -> GameSummary:
    """Return the dimensions, the identity and the uniform-play gap of a game."""
    check_game(game)
    layers, _, _, _ = game.reward.shape
    uniform = cce_gap(game, uniform_policy(game))
    arrays = (game.reward, game.next_state, game.probability, game.layer, game.start)
    return GameSummary(
        name=game.name,
        content_hash=game.content_hash,
        num_players=game.num_players,
        num_actions=game.num_actions,
        num_joint_actions=game.num_joint_actions,
        num_states=game.num_states,
        horizon=game.horizon,
        num_layers=layers,
        num_successors=game.probability.shape[-1],
        table_bytes=sum(array.nbytes for array in arrays),
        uniform_gap=uniform.gap,
        uniform_gap_worst=uniform.gap_worst,
        metadata=game.metadata,
    )


def _title(parameters_type: type) -> str:
    """Return the first line of what the family's module says of itself."""
    return (sys.modules[parameters_type.__module__].__doc__ or "").partition("\n")[0]
