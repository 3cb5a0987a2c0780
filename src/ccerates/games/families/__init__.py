"""Families of games, by name: a parameter dataclass and a maker each.

A new family is one file with the two, and one line in `FAMILIES`.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.games.families.combination_lock import (
    CombinationLockParameters,
    make_combination_lock,
)
from ccerates.games.families.congestion import CongestionParameters, make_congestion
from ccerates.games.families.dense_random import DenseRandomParameters, make_dense_random
from ccerates.games.families.hidden_action import HiddenActionParameters, make_hidden_action
from ccerates.games.families.parameters import read_parameters
from ccerates.games.families.survival import SurvivalParameters, make_survival
from ccerates.games.model import MarkovGame


class Family(NamedTuple):
    """A family of games: its parameter dataclass and ``make(parameters, generator)``."""

    parameters_type: type
    make: Callable[[Any, np.random.Generator], MarkovGame]


FAMILIES: dict[str, Family] = {
    "combination-lock": Family(CombinationLockParameters, make_combination_lock),
    "congestion": Family(CongestionParameters, make_congestion),
    "dense-random": Family(DenseRandomParameters, make_dense_random),
    "hidden-action": Family(HiddenActionParameters, make_hidden_action),
    "survival": Family(SurvivalParameters, make_survival),
}


def make_game(
    family: str, parameters: Mapping[str, Any], generator: np.random.Generator
) -> MarkovGame:
    """Make a game of a family from plain parameters, for example a section of a config file.

    Parameters
    ----------
    family
        A key of `FAMILIES`.
    parameters
        Fields of the family's parameter dataclass.
    generator
        Source of the game's randomness: the same state gives the same game.

    Returns
    -------
    MarkovGame

    Raises
    ------
    InputError
        If the family or a parameter is unknown, missing or out of range; the message names it.
    """
    if family not in FAMILIES:
        raise InputError(f"family: unknown family {family!r}; {did_you_mean(family, FAMILIES)}")
    parameters_type, make = FAMILIES[family]
    try:
        return make(read_parameters(parameters_type, parameters), generator)
    except InputError as error:
        raise InputError(f"{family}: {error}") from None
