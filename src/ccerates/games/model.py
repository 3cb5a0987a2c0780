"""Finite-horizon general-sum Markov games as tables.

Definitions and index conventions, used everywhere in this package:

* A game has steps h = 0..H-1 (the paper's 1..H), states s = 0..S-1 and players i = 0..m-1.
* Player i has A_i actions; a joint action is (a_0, .., a_{m-1}), and its index j = 0..J-1 is
  row-major (the last player's action changes fastest), as in `numpy.ravel_multi_index`.
* Rewards lie in [0, 1], so that the return from step h lies in [0, H-h] (h from 0).
* Transitions are successor lists: from (h, s, j) the game moves to ``next_state[l, s, j, z]``
  with probability ``probability[l, s, j, z]``, where l = ``layer[h]``. Games whose steps are alike
  store one layer. Unused places of a list have probability 0.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ccerates.errors import InputError

PROBABILITY_TOLERANCE = 1e-9
# Sums this close to one are rounding: left alone, so that a stored game is read back bit by bit.
ROUNDING_TOLERANCE = 1e-13
# What the families make and the store reads; larger tables are refused before memory is taken.
MAX_TABLE_BYTES = 2 * 1024**3


@dataclass(frozen=True, eq=False)
class MarkovGame:
    """A validated, immutable Markov game.

    Attributes
    ----------
    num_actions
        A_i for each player.
    reward
        (layers, players, states, joint_actions) float64 in [0, 1].
    next_state
        (layers, states, joint_actions, successors) int32.
    probability
        Same shape as `next_state`, float64. Sums within 1e-9 of one are renormalised.
    layer
        (horizon,) int32; step h uses ``reward[layer[h]]`` and the transitions of that layer.
    start
        (states,) float64, distribution of the first state.
    name
        What the game is called in tables, for example ``"survival"``.
    metadata
        JSON data that describes how the game was made (family parameters, reward scale, ...).

    Raises
    ------
    InputError
        If a shape, a probability, a reward or an index is wrong; the message names the place.
    """

    num_actions: tuple[int, ...]
    reward: np.ndarray
    next_state: np.ndarray
    probability: np.ndarray
    layer: np.ndarray
    start: np.ndarray
    name: str = "game"
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "num_actions", _action_counts(self.num_actions))
        for attribute, dtype in _DTYPES.items():
            object.__setattr__(self, attribute, _array(attribute, getattr(self, attribute), dtype))
        _check_shapes(self)
        _check_rewards(self.reward)
        _check_indices("next_state", self.next_state, self.num_states)
        _check_indices("layer", self.layer, self.reward.shape[0])
        names = ("layer", "state", "joint action")
        object.__setattr__(self, "probability", _normalised("probability", self.probability, names))
        object.__setattr__(self, "start", _normalised("start", self.start, ()))
        object.__setattr__(self, "metadata", _json_copy(self.metadata))
        for attribute in _DTYPES:
            getattr(self, attribute).setflags(write=False)

    @property
    def num_players(self) -> int:
        """Number of players, m."""
        return len(self.num_actions)

    @property
    def num_states(self) -> int:
        """Number of states, S."""
        return int(self.start.shape[0])

    @property
    def num_joint_actions(self) -> int:
        """Number of joint actions, J."""
        return math.prod(self.num_actions)

    @property
    def horizon(self) -> int:
        """Number of steps, H."""
        return int(self.layer.shape[0])

    @cached_property
    def content_hash(self) -> str:
        """Hexadecimal SHA-256 of everything that matters to a learner or an evaluator."""
        digest = hashlib.sha256(json.dumps(self.num_actions).encode())
        for attribute in _DTYPES:
            values = getattr(self, attribute)
            digest.update(f"{attribute}{values.dtype.str}{values.shape}".encode())
            digest.update(values.tobytes())
        return digest.hexdigest()


_DTYPES = {
    "reward": np.float64,
    "next_state": np.int32,
    "probability": np.float64,
    "layer": np.int32,
    "start": np.float64,
}


def _action_counts(num_actions: Iterable[Any]) -> tuple[int, ...]:
    try:
        counts = tuple(num_actions)
    except TypeError as error:
        raise InputError(
            f"num_actions: expected one count for each player, got {num_actions!r}"
        ) from error
    integers = all(isinstance(count, (int, np.integer)) for count in counts)
    if not counts or not integers or min(counts) < 1:
        raise InputError(
            f"num_actions: expected an integer >= 1 for each player, got {num_actions!r}"
        )
    return tuple(int(count) for count in counts)


def _array(name: str, values: object, dtype: type) -> np.ndarray:
    """Return a private, contiguous copy of `values`; integers must really be integers."""
    try:
        raw = np.asarray(values)
        if np.issubdtype(dtype, np.integer):
            if not np.issubdtype(raw.dtype, np.integer):
                raise InputError(f"{name}: expected integers, got {raw.dtype}")
            limits = np.iinfo(dtype)  # NumPy would wrap larger integers round without a word
            if raw.size and not limits.min <= int(raw.min()) <= int(raw.max()) <= limits.max:
                raise InputError(f"{name}: holds integers that do not fit {np.dtype(dtype)}")
        elif not np.issubdtype(raw.dtype, np.floating) and not np.issubdtype(raw.dtype, np.integer):
            raise InputError(f"{name}: expected numbers, got {raw.dtype}")
        return np.array(raw, dtype=dtype, order="C", copy=True)
    except (TypeError, OverflowError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: not a rectangular array of numbers ({error})") from error


def _check_shapes(game: MarkovGame) -> None:
    if game.start.ndim != 1 or game.start.size == 0:
        raise InputError(f"start: expected a vector over states, got shape {game.start.shape}")
    if game.layer.ndim != 1 or game.layer.size == 0:
        raise InputError(f"layer: expected one entry for each step, got shape {game.layer.shape}")
    layers = game.reward.shape[0] if game.reward.ndim else 0
    joint = game.num_joint_actions
    expected = (layers, game.num_players, game.num_states, joint)
    if layers < 1 or game.reward.shape != expected:
        raise InputError(
            "reward: expected shape (layers, players, states, joint_actions) = "
            f"(>=1, {game.num_players}, {game.num_states}, {joint}), got {game.reward.shape}"
        )
    prefix = (layers, game.num_states, joint)
    for name, values in (("next_state", game.next_state), ("probability", game.probability)):
        if values.ndim != 4 or values.shape[:3] != prefix or values.shape[3] < 1:
            raise InputError(
                f"{name}: expected shape (layers, states, joint_actions, successors) = "
                f"{(*prefix, '>=1')}, got {values.shape}"
            )
    if game.next_state.shape != game.probability.shape:
        raise InputError(
            f"next_state and probability differ in shape: "
            f"{game.next_state.shape} and {game.probability.shape}"
        )


def _place(position: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {index}" for name, index in zip(names, position, strict=False))


def _check_rewards(reward: np.ndarray) -> None:
    wrong = ~((reward >= 0.0) & (reward <= 1.0))
    if wrong.any():
        position = tuple(int(index) for index in np.argwhere(wrong)[0])
        place = _place(position, ("layer", "player", "state", "joint action"))
        raise InputError(
            f"reward at {place} is {reward[position]}; rewards must lie in [0, 1]: "
            "rescale them and keep the scale in metadata"
        )


def _check_indices(name: str, values: np.ndarray, count: int) -> None:
    wrong = (values < 0) | (values >= count)
    if wrong.any():
        position = tuple(int(index) for index in np.argwhere(wrong)[0])
        raise InputError(f"{name}{list(position)} is {values[position]}; expected 0..{count - 1}")


def _normalised(name: str, values: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Return `values` with last-axis sums of exactly about one; reject anything further off."""
    wrong = ~((values >= 0.0) & (values <= 1.0 + PROBABILITY_TOLERANCE))
    if wrong.any():
        position = tuple(int(index) for index in np.argwhere(wrong)[0])
        place = _place(position, (*names, "entry"))
        raise InputError(f"{name} at {place} is {values[position]}; expected a number in [0, 1]")
    total = values.sum(axis=-1, keepdims=True)
    wrong = np.abs(total[..., 0] - 1.0) > PROBABILITY_TOLERANCE
    if wrong.any():
        position = tuple(int(index) for index in np.argwhere(wrong)[0])
        place = f" at {_place(position, names)}" if names else ""
        raise InputError(
            f"{name}{place} sums to {total[..., 0][position]:.12g}; expected 1 (within 1e-9)"
        )
    return np.where(np.abs(total - 1.0) <= ROUNDING_TOLERANCE, values, values / total)


def _json_copy(metadata: object) -> dict[str, Any]:
    """Return a private copy as JSON would give it back (lists for tuples)."""
    try:
        copy = json.loads(json.dumps(metadata, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InputError(f"metadata: must be JSON data ({error})") from error
    if not isinstance(copy, dict):
        raise InputError(f"metadata: expected a dictionary, got {type(metadata).__name__}")
    return copy
