"""Games from plain arrays with one axis for each player's actions.

A game in normal form is one array ``payoffs`` (players, A_1, .., A_m). A Markov game is

* ``reward`` (players, states, A_1, .., A_m), or the same with a leading axis for the steps;
* ``transition`` (states, A_1, .., A_m, states), the probability of each next state, or the same
  with a leading axis for the steps;
* ``horizon``, the number of steps, where neither array has an axis for them;
* ``start``, the state in which play starts, or the probability of each (without it: state 0).

Which of the two forms arrays have follows from their shapes alone: the number of players is both
the length of an axis and the number of axes behind the states.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.games.families.parameters import check_table_size
from ccerates.games.model import MarkovGame

SUM_TOLERANCE = 1e-9
NAMES = ("payoffs", "reward", "transition", "horizon", "start")


def game_from_arrays(
    *,
    payoffs: npt.ArrayLike | None = None,
    reward: npt.ArrayLike | None = None,
    transition: npt.ArrayLike | None = None,
    horizon: int | None = None,
    start: npt.ArrayLike | None = None,
    name: str = "arrays",
) -> MarkovGame:
    """Return the game that plain arrays describe.

    Parameters
    ----------
    payoffs
        (players, A_1, .., A_m): a game in normal form, given alone.
    reward
        (players, states, A_1, .., A_m) or (horizon, players, states, A_1, .., A_m).
    transition
        (states, A_1, .., A_m, states) or (horizon, states, A_1, .., A_m, states). Rows sum to one,
        within 1e-9 or, for types of lower precision, within what rounding does.
    horizon
        Number of steps, H >= 1; may be left out where an array has an axis for it.
    start
        A state, or (states,) probabilities. None: state 0.
    name
        What the game is called in tables.

    Returns
    -------
    MarkovGame
        If a reward lies outside [0, 1], one affine map takes the rewards of all players and steps
        there, and metadata holds ``reward_scale`` and ``reward_offset``: own reward =
        reward_offset + reward_scale * table reward. Otherwise rewards are left alone. Transitions
        become successor lists without the zeros.

    Raises
    ------
    InputError
        If arrays are missing, do not fit together or hold impossible numbers; the message names
        the array and what to give instead.
    """
    if payoffs is not None:
        others = {"reward": reward, "transition": transition, "horizon": horizon, "start": start}
        given = [other for other, value in others.items() if value is not None]
        if given:
            raise InputError(f"payoffs: remove {', '.join(given)}, a normal form has none")
        return _normal_form(_numbers("payoffs", payoffs), name)
    if reward is None or transition is None:
        missing = "reward" if reward is None else "transition"
        raise InputError(
            f"{missing}: is missing; give payoffs (a normal form) or reward and transition"
        )
    rewards, chances = _numbers("reward", reward), _numbers("transition", transition)
    form = _form(rewards.shape, chances.shape)
    steps = _steps(form, rewards, chances, horizon)
    rewards = rewards if form.reward_steps else rewards[None]
    return _markov_game(
        rewards,
        chances if form.transition_steps else chances[None],
        horizon=steps,
        start=_start(start, rewards.shape[2]),
        name=name,
    )


class _Form(NamedTuple):
    reward_steps: bool
    transition_steps: bool


def _numbers(name: str, values: npt.ArrayLike) -> np.ndarray:
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InputError(f"{name}: not a rectangular array of numbers ({error})") from None
    if array.dtype.kind not in "iuf":
        raise InputError(f"{name}: expected numbers, got {array.dtype}")
    if array.size == 0:
        raise InputError(f"{name}: has no entries, its shape is {array.shape}")
    if not np.isfinite(array).all():
        place = [int(index) for index in np.argwhere(~np.isfinite(array))[0]]
        raise InputError(f"{name}{place} is {array[tuple(place)]}; expected a finite number")
    return array


def _normal_form(payoffs: np.ndarray, name: str) -> MarkovGame:
    if payoffs.ndim == 0 or payoffs.ndim != len(payoffs) + 1:
        raise InputError(
            "payoffs: expected shape (players, A_1, .., A_m), with one axis of actions for each "
            f"player, got {payoffs.shape}"
        )
    counts = payoffs.shape[1:]
    return _markov_game(
        payoffs[None, :, None],
        np.ones((1, 1, *counts, 1)),
        horizon=1,
        start=np.ones(1),
        name=name,
    )


def _form(reward: tuple[int, ...], transition: tuple[int, ...]) -> _Form:
    """Return which of the arrays have an axis for the steps; at most one form fits."""
    for form in itertools.starmap(_Form, itertools.product((False, True), repeat=2)):
        here, there = reward[form.reward_steps :], transition[form.transition_steps :]
        if len(here) >= 3 and len(here) - 2 == here[0] and there == (*here[1:], here[1]):
            return form
    raise InputError(
        "reward, transition: expected shapes (players, states, A_1, .., A_m) and (states, A_1, .., "
        "A_m, states), with one axis of actions for each player, each with or without a leading "
        f"axis for the steps; got {reward} and {transition}"
    )


def _steps(form: _Form, reward: np.ndarray, transition: np.ndarray, horizon: int | None) -> int:
    """Return H, on which all that say it must agree."""
    said = {}
    if form.reward_steps:
        said["reward"] = len(reward)
    if form.transition_steps:
        said["transition"] = len(transition)
    if horizon is not None:
        check_integer("horizon", horizon, 1)
        said["horizon"] = int(horizon)
    if not said:
        raise InputError("horizon: is missing; give the number of steps, no array has an axis for")
    if len(set(said.values())) > 1:
        listed = ", ".join(f"{name} says {steps}" for name, steps in said.items())
        raise InputError(f"horizon: the number of steps differs, {listed}; make them agree")
    return next(iter(said.values()))


def _start(start: npt.ArrayLike | None, num_states: int) -> np.ndarray:
    """Return the distribution of the first state."""
    if start is None:
        start = 0
    chances = _numbers("start", start)
    if chances.ndim:
        if chances.shape != (num_states,):
            raise InputError(
                f"start: expected a state or {num_states} probabilities, got shape {chances.shape}"
            )
        total = chances.sum(dtype=np.float64)
        return np.divide(chances, total) if _rounded(chances, total) else chances
    check_integer("start", chances.item(), 0, num_states - 1)
    certain: np.ndarray = np.eye(1, num_states, chances.item())[0]
    return certain


def _markov_game(
    reward: np.ndarray, transition: np.ndarray, *, horizon: int, start: np.ndarray, name: str
) -> MarkovGame:
    """Return the game of arrays that begin with an axis for the steps, of length H or 1."""
    _, players, states, *counts = reward.shape
    layers = max(len(reward), len(transition))
    _check_rows(transition)
    rows = transition.reshape(len(transition), states, -1, states)
    longest = int(np.count_nonzero(rows, axis=-1).max())
    check_table_size(layers, counts, states, longest)
    table, map_back = _in_unit_interval(reward.astype(np.float64))
    tables = (table.reshape(len(reward), players, states, -1), *_successors(rows, longest))
    shared = [np.broadcast_to(each, (layers, *each.shape[1:])) for each in tables]
    return MarkovGame(
        num_actions=tuple(counts),
        reward=shared[0],
        next_state=shared[1],
        probability=shared[2],
        layer=np.arange(horizon) if layers > 1 else np.zeros(horizon, dtype=int),
        start=start,
        name=name,
        metadata=map_back,
    )


def _check_rows(transition: np.ndarray) -> None:
    wrong = transition < 0
    if wrong.any():
        place = [int(index) for index in np.argwhere(wrong)[0]]
        raise InputError(
            f"transition at step {place[0]}, {place[1:]} is {transition[tuple(place)]}; expected a "
            "probability in [0, 1]"
        )
    total = transition.sum(axis=-1, dtype=np.float64)
    wrong = ~_rounded(transition, total)
    if wrong.any():
        place = [int(index) for index in np.argwhere(wrong)[0]]
        raise InputError(
            f"transition at step {place[0]}, {place[1:]} sums to {total[tuple(place)]:.12g} over "
            "the next states; expected 1"
        )


def _rounded(values: np.ndarray, total: Any) -> Any:
    """Return whether sums over the last axis are one, but for the rounding of the type."""
    precise = values.dtype.kind != "f" or values.dtype.itemsize >= 8
    rounding = 0.0 if precise else values.shape[-1] * float(np.finfo(values.dtype).eps)
    return np.abs(total - 1.0) <= max(SUM_TOLERANCE, rounding)


def _successors(rows: np.ndarray, longest: int) -> tuple[np.ndarray, np.ndarray]:
    """Return next states and probabilities of (.., states) rows, without the zeros."""
    present = rows.reshape(-1, rows.shape[-1]) != 0
    row, following = np.nonzero(present)
    place = np.cumsum(present, axis=-1, dtype=np.int32)[row, following] - 1
    next_state = np.zeros((len(present), longest), dtype=np.int32)
    probability = np.zeros(next_state.shape)
    next_state[row, place] = following
    probability[row, place] = rows.reshape(present.shape)[row, following]
    probability /= probability.sum(axis=-1, keepdims=True)
    shape = (*rows.shape[:-1], longest)
    return next_state.reshape(shape), probability.reshape(shape)


def _in_unit_interval(reward: np.ndarray) -> tuple[np.ndarray, dict[str, float]]:
    """Return rewards in [0, 1], and as metadata the map back where they had to be moved."""
    low, high = float(reward.min()), float(reward.max())
    if low >= 0 and high <= 1:
        return reward, {}
    scale = high - low or 1.0
    if not np.isfinite(scale):
        raise InputError(f"reward: the range from {low} to {high} is too wide; divide by a number")
    return (reward - low) / scale, {"reward_scale": scale, "reward_offset": low}
