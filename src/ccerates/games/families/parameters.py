"""What the families share: reading parameters, checking ranges, bounding the size of a table."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, fields
from typing import Any, TypeVar, get_type_hints

import numpy as np

from ccerates.checks import check_integer, did_you_mean
from ccerates.errors import InputError
from ccerates.games.model import MAX_TABLE_BYTES

Parameters = TypeVar("Parameters")

_SIMPLE_TYPES: dict[Any, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int, np.integer), "an integer"),
    float: ((int, float, np.integer, np.floating), "a number"),
    str: ((str,), "text"),
}


def read_parameters(parameters_type: type[Parameters], values: Mapping[str, Any]) -> Parameters:
    """Turn a mapping, for example a section of a config file, into a parameter dataclass.

    Raises
    ------
    InputError
        If a key is unknown or missing, or a value is out of range.
    """
    if not isinstance(values, Mapping):
        raise InputError(f"expected parameter names with values, got {values!r}")
    known = fields(parameters_type)  # type: ignore[arg-type]
    names = [field.name for field in known]
    for key in values:
        if key not in names:
            raise InputError(f"unknown parameter {key!r}; {did_you_mean(key, names)}")
    for field in known:
        if field.name not in values and field.default is MISSING:
            raise InputError(f"parameter {field.name!r} is missing; add it")
    types = get_type_hints(parameters_type)
    for key, value in values.items():
        _check_type(key, value, types[key])
    return parameters_type(**values)


def _check_type(name: str, value: Any, expected: Any) -> None:
    """Raise InputError for a value of another type, if the type is a simple one."""
    if expected not in _SIMPLE_TYPES:
        return
    accepted, words = _SIMPLE_TYPES[expected]
    if not isinstance(value, accepted) or (isinstance(value, bool) and expected is not bool):
        raise InputError(f"{name}: expected {words}, got {value!r}")


def describe(family: str, parameters: Any, **facts: Any) -> dict[str, Any]:
    """Return the metadata of a game: its family, parameters and whatever else is known of it."""
    plain = json.loads(json.dumps(asdict(parameters), default=lambda number: number.item()))
    return {"family": family, "parameters": plain, **facts}


def round_down(value: float) -> float:
    """Return `value` to six decimals, never above it: a limit a message may tell the reader."""
    return math.floor(value * 1e6) / 1e6


def check_action_counts(num_players: Any, num_actions: Any) -> None:
    """Raise InputError unless `num_actions` is one count or one count for each player."""
    check_integer("num_players", num_players, 1)
    if isinstance(num_actions, Sequence) and not isinstance(num_actions, str):
        if len(num_actions) != num_players:
            raise InputError(
                f"num_actions: expected one integer or {num_players} of them "
                f"(num_players is {num_players}), got {list(num_actions)!r}"
            )
        for player, count in enumerate(num_actions):
            check_integer(f"num_actions[{player}]", count, 1)
    else:
        check_integer("num_actions", num_actions, 1)


def action_counts(num_players: int, num_actions: int | Sequence[int]) -> tuple[int, ...]:
    """Return A_i for each player; a single integer holds for all of them."""
    if isinstance(num_actions, Sequence):
        return tuple(num_actions)
    return (num_actions,) * num_players


def check_table_size(
    layers: int, num_actions: Sequence[int], num_states: int, successors: int
) -> None:
    """Raise InputError if a game of these dimensions would not fit into `MAX_TABLE_BYTES`."""
    joint = math.prod(num_actions)
    size = layers * num_states * joint * (8 * len(num_actions) + 12 * successors)
    if size > MAX_TABLE_BYTES:
        raise InputError(
            f"num_actions: {joint} joint actions with {num_states} states, {successors} successors "
            f"and {layers} layers need {size / 2**30:.1f} GiB, more than "
            f"{MAX_TABLE_BYTES / 2**30:g} GiB; take fewer players, actions, states or steps"
        )
