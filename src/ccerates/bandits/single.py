"""One bandit to use from Python, outside games and outside the arena."""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from ccerates.bandits.registry import bandit_module, bandit_parameters
from ccerates.checks import check_integer, check_number
from ccerates.compilation import kernel
from ccerates.errors import InputError
from ccerates.lanes import load


@cache
def _build_kernels(module: ModuleType) -> tuple[Callable[..., None], ...]:
    """Return the compiled halves of a round, in one lane."""

    @kernel
    def reset(bandit, num_actions, parameters):
        module.reset(bandit, num_actions, parameters)

    @kernel
    def compute_weights(bandit, num_actions, parameters, played_rounds):
        module.compute_weights(bandit, num_actions, 1, parameters, played_rounds)

    @kernel
    def update(bandit, num_actions, parameters, played_rounds, gains, actions):
        module.update(
            bandit,
            num_actions,
            1,
            parameters,
            played_rounds,
            load(gains, (), 1),
            load(actions, (), 1),
        )

    return reset, compute_weights, update


class Bandit:
    """A bandit that runs the same compiled functions as the arena.

    Parameters
    ----------
    name
        ``"evb"``, ``"exp3-ix"``, ``"exp3-p"``, ``"tsallis-inf"``, ``"log-barrier"`` or
        ``"optimistic-log-barrier"``.
    options
        Of the bandit's own type; None stands for the defaults.
    num_actions
        A, number of actions.
    rounds
        K, number of rounds it will play.
    gain_bound
        B; gains lie in [0, B].

    Attributes
    ----------
    name
        Name of the bandit.
    num_actions, rounds, gain_bound
        A, K and B.
    played_rounds
        Number of updates so far.

    Raises
    ------
    InputError
        If there is no such bandit, the options are those of another, or a number is out of range.

    Examples
    --------
    >>> bandit = Bandit("exp3-ix", num_actions=3, rounds=1000)
    >>> bandit.probabilities().round(3).tolist()
    [0.333, 0.333, 0.333]
    >>> bandit.update(action=2, gain=0.25)
    """

    def __init__(
        self,
        name: str,
        options: Any = None,
        *,
        num_actions: int,
        rounds: int,
        gain_bound: float = 1.0,
    ) -> None:
        self._parameters = bandit_parameters(
            name, options, num_actions=num_actions, rounds=rounds, gain_bound=gain_bound
        )
        module = bandit_module(name)
        self.name = name
        self.num_actions, self.rounds, self.gain_bound = num_actions, rounds, gain_bound
        self.played_rounds = 0
        self._state = module.allocate(num_actions, 1)
        reset, self._compute_weights, self._update = _build_kernels(module)
        reset(self._state, num_actions, self._parameters)
        self._is_weighed = False

    def probabilities(self) -> np.ndarray:
        """Return (actions,): w_k, from which the next action is to be drawn."""
        if not self._is_weighed:
            self._compute_weights(
                self._state, self.num_actions, self._parameters, self.played_rounds
            )
            self._is_weighed = True
        return np.asarray(self._state.weight[:, 0].copy())

    def update(self, action: int, gain: float) -> None:
        """Take in the gain of an action that was drawn from `probabilities`.

        Parameters
        ----------
        action
            Action played, from 0.
        gain
            Its gain, in [0, B].

        Raises
        ------
        InputError
            If one is out of its range, or all K rounds have been played.
        """
        check_integer(f"{self.name}: action", action, 0, self.num_actions - 1)
        check_number(f"{self.name}: gain", gain, 0.0, self.gain_bound)
        if self.played_rounds == self.rounds:
            raise InputError(
                f"{self.name}: all {self.rounds} rounds have been played; make a bandit for more"
            )
        self.probabilities()
        self._update(
            self._state,
            self.num_actions,
            self._parameters,
            self.played_rounds,
            np.array([float(gain)]),
            np.array([action], np.int64),
        )
        self.played_rounds += 1
        self._is_weighed = False
