"""One visit of a user's learner: what it says is checked, actions are drawn, it is told."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ccerates.errors import InputError
from ccerates.protocol.loading import PythonLearner
from ccerates.protocol.their_code import their_code

_TOLERANCE = 1e-6  # of the sum of probabilities, which may have been added up in single precision


class Player:
    """An instance of a user's learner on one game.

    Parameters
    ----------
    learner
        What the file defines.
    num_actions, num_states, horizon
        Dimensions of the game.
    budget
        Planned number of episodes or rounds.

    Raises
    ------
    InputError
        If their code fails.
    """

    def __init__(
        self,
        learner: PythonLearner,
        num_actions: tuple[int, ...],
        num_states: int,
        horizon: int,
        budget: int,
    ) -> None:
        self._path, self._num_actions = learner.path, num_actions
        self._unit = "episode" if learner.setting == "online" else "round"
        self._learner: Any = learner.construct(num_actions, num_states, horizon, budget)

    def act(self, turn: int, step: int, state: int) -> list[np.ndarray]:
        """Return what the learner plays.

        Parameters
        ----------
        turn
            Episode or round, from 0; for messages.
        step, state
            Where, from 0.

        Returns
        -------
        list of numpy.ndarray
            (A_i,) float64 probabilities for each player.

        Raises
        ------
        InputError
            If their code fails or these are no probabilities; the message names the place.
        """
        doing = f"act in {self._place(turn, step, state)}"
        with their_code(self._path, doing):
            # Reading is guarded, too: generators and the like run their code only then.
            return _read(
                self._learner.act(step, state), self._num_actions, f"{self._path}: {doing}"
            )

    def update(
        self,
        turn: int,
        step: int,
        state: int,
        actions: Sequence[int],
        rewards: np.ndarray,
        next_state: int,
    ) -> None:
        """Tell the learner what came of its play.

        Parameters
        ----------
        turn, step, state
            As for `act`.
        actions, rewards
            One for each player.
        next_state
            Where the game went.

        Raises
        ------
        InputError
            If their code fails.
        """
        with their_code(self._path, f"update in {self._place(turn, step, state)}"):
            self._learner.update(step, state, tuple(actions), tuple(rewards.tolist()), next_state)

    def _place(self, turn: int, step: int, state: int) -> str:
        return f"{self._unit} {turn}, step {step}, state {state}"


def draw(probabilities: Sequence[np.ndarray], generator: np.random.Generator) -> list[int]:
    """Draw an action for each player, independently; one uniform number for each."""
    actions = []
    for vector in probabilities:
        above = np.flatnonzero(np.cumsum(vector) > generator.random())
        # Rounding may leave the last sum below the number drawn.
        actions.append(int(above[0] if above.size else np.flatnonzero(vector)[-1]))
    return actions


def _read(played: Any, num_actions: tuple[int, ...], place: str) -> list[np.ndarray]:
    """Return probability vectors, normalised to the last digit."""
    expected = f"{place}: expected a probability vector for each of {len(num_actions)} players"
    try:
        each = iter(played)
    except TypeError:
        raise InputError(f"{expected}, got {played!r}") from None
    vectors = list(each)
    if len(vectors) != len(num_actions):
        raise InputError(f"{expected}, got {len(vectors)}")
    return [
        _read_vector(f"{place}: player {player}", values, count)
        for player, (values, count) in enumerate(zip(vectors, num_actions, strict=True))
    ]


def _read_vector(player: str, values: Any, count: int) -> np.ndarray:
    try:
        vector = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{player}: not a vector of numbers ({error})") from None
    if vector.shape != (count,):
        raise InputError(
            f"{player}: expected shape ({count},), a probability for each action, got "
            f"{vector.shape}"
        )
    if not (vector.min() >= 0.0 and vector.max() < np.inf):
        place = int(np.flatnonzero(~(np.isfinite(vector) & (vector >= 0.0)))[0])
        raise InputError(
            f"{player}: the probability of action {place} is {vector[place]}; expected a "
            "number in [0, 1]"
        )
    with np.errstate(over="ignore"):
        total = vector.sum()
    if abs(total - 1.0) > _TOLERANCE:
        raise InputError(
            f"{player}: probabilities sum to {total:.12g}; expected 1 (what is within "
            f"{_TOLERANCE:g} is normalised): divide them by their sum"
        )
    normalised: np.ndarray = vector / total
    return normalised
