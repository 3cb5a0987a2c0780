"""Fields of a dataclass of parameters or options, described by its docstring."""

import inspect
from dataclasses import MISSING, fields
from itertools import zip_longest
from typing import Any, NamedTuple


class Setting(NamedTuple):
    """A parameter of a family of games or an option of a learner.

    Attributes
    ----------
    name
        Its name.
    required
        Whether it has no default.
    default
        Its default; None if it is required.
    description
        What it means.
    """

    name: str
    required: bool
    default: Any
    description: str

    def text(self) -> str:
        """Return default and description on one line."""
        default = "required" if self.required else f"default {self.default}"
        return f"{default}. {self.description}"


def describe_settings(settings_type: type[Any]) -> tuple[Setting, ...]:
    """Return the fields of a dataclass in their order.

    Parameters
    ----------
    settings_type
        Dataclass whose docstring, or a base's, has a numpydoc section ``Attributes``; a field that
        they leave out has an empty description.
    """
    descriptions: dict[str, str] = {}
    for each in reversed(settings_type.__mro__):
        descriptions |= _attributes(inspect.cleandoc(each.__doc__ or ""))
    return tuple(
        Setting(
            field.name,
            field.default is MISSING,
            None if field.default is MISSING else field.default,
            descriptions.get(field.name, ""),
        )
        for field in fields(settings_type)
    )


def _attributes(docstring: str) -> dict[str, str]:
    """Return the entries of the section ``Attributes``, each on one line."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    _, _, section = docstring.partition("Attributes\n----------\n")
    lines = section.splitlines()
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        if following.startswith("---"):
            break  # the title of the next section
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.split(",")]
        for name in names if line.startswith(" ") else []:
            found.setdefault(name, []).append(line.strip())
    return {name: " ".join(words).replace("`", "") for name, words in found.items()}
