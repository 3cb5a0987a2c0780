"""Python files that users wrote: run one, find its class, compare the class's arguments."""

import inspect
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.protocol.their_code import their_code


def load_class(path: Path, noun: str, class_name: str, methods: Sequence[str]) -> type[Any]:
    """Run a file and return the class that it defines.

    Parameters
    ----------
    path
        The file, which is run.
    noun
        What it is to hold, for messages: ``"learner"``.
    class_name
        Name of the class.
    methods
        Methods that the class must have.

    Raises
    ------
    InputError
        If there is no such file, it cannot be run, it imports a module beside it, or it defines no
        such class.
    """
    found = getattr(_run(path, noun), class_name, None)
    if not isinstance(found, type):
        raise InputError(f"{path}: defines no class {class_name}; name the {noun}'s class so")
    for name in methods:
        if not callable(getattr(found, name, None)):
            raise InputError(f"{path}: class {class_name} has no method {name}; add it")
    return found


def _run(path: Path, noun: str) -> ModuleType:
    """Run a file as a module of its own and return it; nothing is cached."""
    if path.suffix != ".py":
        raise InputError(f"{path}: the name of a {noun}'s file must end in .py")
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, seen from {Path.cwd()}") from None
    module = ModuleType(f"_{noun}_{path.stem}")
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
                f"{error}; a {noun} is one file, which does not see {beside} beside it: move what "
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


class Arguments:
    """Names of the arguments that a user's class is constructed with.

    Parameters
    ----------
    path
        The user's file.
    found
        The class.
    required
        Arguments that the program gives, for messages.

    Raises
    ------
    InputError
        If Python cannot tell them.
    """

    def __init__(self, path: Path, found: type[Any], required: Sequence[str]) -> None:
        self._path, self._required, self._class_name = path, required, found.__name__
        try:
            self._parameters = inspect.signature(found).parameters
        except (TypeError, ValueError):
            what = f" that takes {', '.join(required)}" if required else ""
            raise InputError(
                f"{path}: no arguments of {found.__name__} can be found; give it a method "
                f"__init__{what}"
            ) from None
        kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        self.names = [name for name, each in self._parameters.items() if each.kind not in kinds]

    def takes(self, name: str) -> bool:
        """Return whether the class takes an argument of this name."""
        return name in self.names or any(
            each.kind is each.VAR_KEYWORD for each in self._parameters.values()
        )

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise InputError unless the options are what the class takes and needs beside `required`.

        Parameters
        ----------
        options
            By name.
        """
        own = [name for name in self.names if name not in self._required]
        for name in options:
            if not self.takes(name):
                hint = did_you_mean(name, own) if own else f"{self._class_name} has no options"
                raise InputError(f"{self._path}: unknown option {name!r}; {hint}")
        for name in own:
            missing = self._parameters[name].default is inspect.Parameter.empty
            if missing and name not in options:
                raise InputError(f"{self._path}: option {name!r} is missing; add it")
