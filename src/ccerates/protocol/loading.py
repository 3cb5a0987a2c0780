"""Loading a learner from a file: which class, which setting, which options."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from ccerates.errors import InputError
from ccerates.online.result import Averaging
from ccerates.protocol.their_code import their_code
from ccerates.protocol.their_file import Arguments, load_class

_CLASS = "Learner"
_METHODS = ("act", "update")
_SIZES = ("num_actions", "num_states", "horizon")
_BUDGET = {"online": "episodes", "simulator": "rounds"}


@dataclass(frozen=True)
class PythonLearner:
    """A learner that a user's file defines, with its options.

    Attributes
    ----------
    path
        The file.
    learner_class
        Its class `Learner`.
    averaging
        ``"alpha"`` or ``"stage"`` for an online learner; None for a simulator learner.
    options
        Keyword arguments for the class beside the dimensions, which it takes.
    """

    path: Path
    learner_class: type[Any]
    averaging: Averaging | None
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What results call the algorithm: the name of the file, which ends in ``.py``."""
        return self.path.name

    @property
    def setting(self) -> str:
        """``"online"`` or ``"simulator"``."""
        return "simulator" if self.averaging is None else "online"

    def construct(
        self, num_actions: tuple[int, ...], num_states: int, horizon: int, budget: int
    ) -> Any:
        """Return a new instance of the class.

        Parameters
        ----------
        num_actions, num_states, horizon
            Dimensions of the game.
        budget
            Planned number of episodes, or of rounds at each step and state.

        Raises
        ------
        InputError
            If their code fails; the message names the line.
        """
        sizes = dict(zip(_SIZES, (num_actions, num_states, horizon), strict=True))
        with their_code(self.path, f"constructing {_CLASS}"):
            return self.learner_class(**sizes, **{_BUDGET[self.setting]: budget}, **self.options)


def load_learner(path: str | Path, options: Mapping[str, Any] | None = None) -> PythonLearner:
    """Load a learner from a Python file.

    Parameters
    ----------
    path
        The file, which is run.
    options
        Keyword arguments for its class `Learner`, beside those that every learner gets.

    Returns
    -------
    PythonLearner

    Raises
    ------
    InputError
        If there is no such file, it cannot be run, it imports a module beside it, it defines no
        class `Learner` with the methods and arguments of the protocol, or the class does not take
        an option.
    """
    path, options = Path(path), dict(options or {})
    learner_class = load_class(path, "learner", _CLASS, _METHODS)
    averaging = getattr(learner_class, "averaging", None)
    named = isinstance(averaging, str) and averaging in get_args(Averaging)
    if averaging is not None and not named:
        raise InputError(
            f'{path}: averaging is {averaging!r}; write "alpha" or "stage" for an online learner, '
            "or leave the attribute out for a simulator learner"
        )
    learner = PythonLearner(path, learner_class, averaging, options)
    _check_arguments(learner)
    return learner


def _check_arguments(learner: PythonLearner) -> None:
    """Raise InputError unless the class takes the dimensions, the budget and all options."""
    required = (*_SIZES, _BUDGET[learner.setting])
    arguments = Arguments(learner.path, learner.learner_class, required)
    if (
        learner.setting == "simulator"
        and "episodes" in arguments.names
        and "rounds" not in arguments.names
    ):
        raise InputError(
            f"{learner.path}: {_CLASS} takes 'episodes' but has no attribute averaging; for an "
            'online learner, set averaging = "alpha" or "stage" in the class; a simulator learner '
            "takes 'rounds'"
        )
    for name in required:
        if name in learner.options:
            raise InputError(f"{learner.path}: {name} comes from the driver; it is no option")
        if not arguments.takes(name):
            raise InputError(
                f"{learner.path}: {_CLASS} takes no argument {name!r}; {learner.setting} learners "
                f"are constructed with {', '.join(required)}"
            )
    arguments.check_options(learner.options)
