"""Loading a learner from a file: which class, which setting, which options."""

import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.online.result import Averaging
from ccerates.protocol.their_code import their_code

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
    learner_class = getattr(_run(path), _CLASS, None)
    if not isinstance(learner_class, type):
        raise InputError(f"{path}: defines no class {_CLASS}; name the learner's class so")
    for name in _METHODS:
        if not callable(getattr(learner_class, name, None)):
            raise InputError(f"{path}: class {_CLASS} has no method {name}; add it")
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


def _run(path: Path) -> ModuleType:
    """Run a file as a module of its own and return it; nothing is cached."""
    if path.suffix != ".py":
        raise InputError(f"{path}: the name of a learner's file must end in .py")
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, seen from {Path.cwd()}") from None
    module = ModuleType(f"_learner_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where dataclasses and the like look for their module
    try:
        with their_code(path, "running the file"):
            exec(compile(source, str(path), "exec"), vars(module))
    except BaseException as error:
        del sys.modules[module.__name__]
        beside = _module_beside(path, error.__cause__)
        if beside is not None:
            raise InputError(
                f"{error}; a learner is one file, which does not see {beside} beside it: move what "
                "it needs from there into it"
            ) from error.__cause__
        raise
    return module


def _module_beside(path: Path, cause: BaseException | None) -> str | None:
    """Return the name of the helper module in the same folder that an import asked for, if any."""
    if not isinstance(cause, ModuleNotFoundError) or cause.name is None:
        return None
    name = cause.name.partition(".")[0]
    beside = (path.with_name(f"{name}.py"), path.with_name(name))
    return next((each.name for each in beside if each.exists()), None)


def _check_arguments(learner: PythonLearner) -> None:
    """Raise InputError unless the class takes the dimensions, the budget and all options."""
    required = (*_SIZES, _BUDGET[learner.setting])
    try:
        parameters = inspect.signature(learner.learner_class).parameters
    except (TypeError, ValueError):
        raise InputError(
            f"{learner.path}: no arguments of {_CLASS} can be found; give it a method __init__ "
            f"that takes {', '.join(required)}"
        ) from None
    takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    collected = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    named = [name for name, each in parameters.items() if each.kind not in collected]
    if learner.setting == "simulator" and "episodes" in named and "rounds" not in named:
        raise InputError(
            f"{learner.path}: {_CLASS} takes 'episodes' but has no attribute averaging; for an "
            'online learner, set averaging = "alpha" or "stage" in the class; a simulator learner '
            "takes 'rounds'"
        )
    for name in required:
        if name in learner.options:
            raise InputError(f"{learner.path}: {name} comes from the driver; it is no option")
        if name not in named and not takes_all:
            raise InputError(
                f"{learner.path}: {_CLASS} takes no argument {name!r}; {learner.setting} learners "
                f"are constructed with {', '.join(required)}"
            )
    own = [name for name in named if name not in required]
    for name in learner.options:
        if name not in own and not takes_all:
            hint = did_you_mean(name, own) if own else f"{_CLASS} has no options"
            raise InputError(f"{learner.path}: unknown option {name!r}; {hint}")
    for name in own:
        missing = parameters[name].default is inspect.Parameter.empty
        if missing and name not in learner.options:
            raise InputError(f"{learner.path}: option {name!r} is missing; add it")
