"""Games that people write as a simulator in plain Python: nothing but samples is known of them.

An object with the attributes ``num_actions`` (of each player), ``num_states`` and ``horizon`` and
the method ``sample(step, state, actions, generator)``, which draws the rewards, one in [0, 1] for
each player, and the next state: ``return (0.5, 1.0), 2``. Steps, states, players and actions count
from 0; `actions` is a tuple with an action for each player; `generator` is a
`numpy.random.Generator`, the place to take random numbers from, so that a seed repeats a run. The
next state must be a state at the last step, too, where nothing depends on it. The attribute
``start``, a state or a probability for each state, says where the game begins.

Equal questions must have equally distributed answers, independent of all earlier ones: what was
asked before must not matter.
"""

import hashlib
from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.protocol.game_dimensions import read_num_actions, read_start
from ccerates.protocol.their_code import their_code
from ccerates.protocol.their_file import Arguments, load_class

_CLASS = "Simulator"


class PythonSimulator:
    """A simulator that a user wrote, in the form of `ccerates.simulator.source.Simulator`.

    All that it returns is checked.

    Parameters
    ----------
    theirs
        The user's object.
    path
        The user's file; None takes the one of the object's class.

    Attributes
    ----------
    path
        The user's file.
    num_actions, num_states, horizon
        Dimensions of the game.
    start
        (states,) distribution of the first state; None if the user gives none.
    content_hash
        Of the user's file and the dimensions; of the dimensions alone without a file.

    Raises
    ------
    InputError
        If an attribute is missing or wrong.
    """

    def __init__(self, theirs: Any, path: Path | None = None) -> None:
        sample = getattr(theirs, "sample", None)
        if not callable(sample):
            raise InputError(
                f"simulator: {type(theirs).__name__} has no method sample; write "
                "sample(step, state, actions, generator), which returns rewards and next state"
            )
        code = getattr(sample, "__code__", None)
        self.path = path or Path(code.co_filename if code else type(theirs).__name__)
        self._theirs_sample = sample
        values: dict[str, Any] = {}
        for name in ("num_actions", "num_states", "horizon", "start"):
            with their_code(self.path, f"reading {name}"):
                values[name] = getattr(theirs, name, None)
            if values[name] is None and name != "start":
                raise InputError(f"{self.path}: the simulator has no attribute {name}; set it")
        self.num_actions = read_num_actions(self.path, values["num_actions"])
        for name in ("num_states", "horizon"):
            check_integer(f"{self.path}: {name}", values[name], 1)
        self.num_states, self.horizon = int(values["num_states"]), int(values["horizon"])
        self.start = read_start(self.path, values["start"], self.num_states)
        self._joint_actions = list(np.ndindex(*self.num_actions))
        source = self.path.read_bytes() if self.path.is_file() else b""
        text = f"{self.shape} {None if self.start is None else self.start.tolist()}"
        self.content_hash = hashlib.sha256(source + text.encode()).hexdigest()

    @property
    def name(self) -> str:
        """What to call the game: the name of the file."""
        return self.path.name

    @property
    def num_players(self) -> int:
        """Number of players, m."""
        return len(self.num_actions)

    @property
    def shape(self) -> tuple[tuple[int, ...], int, int]:
        """(num_actions, num_states, horizon)."""
        return self.num_actions, self.num_states, self.horizon

    def sample(
        self, step: int, state: int, joint_action: int, generator: np.random.Generator
    ) -> tuple[np.ndarray, int]:
        """Draw one sample.

        Parameters
        ----------
        step, state, joint_action
            Where to query, each from 0; joint actions are row-major.
        generator
            Source of randomness.

        Returns
        -------
        reward : numpy.ndarray
            (players,) float64 in [0, 1].
        next_state : int

        Raises
        ------
        InputError
            If their code fails, or what it returns is no sample; the message names the place.
        """
        actions = self._joint_actions[joint_action]
        try:
            answer = self._theirs_sample(step, state, actions, generator)
        except (Exception, SystemExit):
            # Messages are made only now: a sample must be quick.
            with their_code(self.path, f"sample at step {step}, state {state}, actions {actions}"):
                raise
        try:
            rewards, next_state = answer
            following = index(next_state)
            reward = np.array(rewards, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"{self._place(step, state, actions)}: expected (rewards, next_state), a number in "
                f"[0, 1] for each player and an integer, got {answer!r}"
            ) from None
        if reward.shape != (len(actions),) or not all(0.0 <= each <= 1.0 for each in reward):
            raise InputError(
                f"{self._place(step, state, actions)}: rewards are {rewards!r}; expected "
                f"{len(actions)} numbers in [0, 1], one for each player (divide by their range)"
            )
        if not 0 <= following < self.num_states:
            raise InputError(
                f"{self._place(step, state, actions)}: next state is {next_state!r}; expected an "
                f"integer in 0..{self.num_states - 1}"
            )
        return reward, following

    def _place(self, step: int, state: int, actions: tuple[int, ...]) -> str:
        code = getattr(self._theirs_sample, "__code__", None)
        line = f", line {code.co_firstlineno}" if code else ""
        return f"{self.path}{line}: sample at step {step}, state {state}, actions {actions}"


def load_simulator(path: str | Path, options: Mapping[str, Any] | None = None) -> PythonSimulator:
    """Load a game from a Python file that defines a class `Simulator`.

    Parameters
    ----------
    path
        The file, which is run.
    options
        Keyword arguments for the class.

    Returns
    -------
    PythonSimulator

    Raises
    ------
    InputError
        If there is no such file, it cannot be run, it defines no such class, the class does not
        take the options or its attributes are wrong.
    """
    path, options = Path(path), dict(options or {})
    found = load_class(path, "simulator", _CLASS, ("sample",))
    Arguments(path, found, ()).check_options(options)
    with their_code(path, f"constructing {_CLASS}"):
        theirs = found(**options)
    return PythonSimulator(theirs, path)
