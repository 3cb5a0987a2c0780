"""Settings written as key=value."""

import json
from collections.abc import Sequence
from typing import Any

from ccerates.errors import InputError


def read_settings(option: str, settings: Sequence[str]) -> dict[str, Any]:
    """Return the values of settings by key.

    Parameters
    ----------
    option
        The option they follow, for messages.
    settings
        Texts ``key=value``.

    Returns
    -------
    dict

    Raises
    ------
    InputError
        If a text is no setting, or a key stands twice.
    """
    values: dict[str, Any] = {}
    for setting in settings:
        key, separator, text = setting.partition("=")
        if not key or not separator:
            raise InputError(f"{option} {setting}: expected key=value, for example horizon=4")
        if key in values:
            raise InputError(f"{option} {setting}: {key} is given twice")
        values[key] = read_value(text)
    return values


def read_value(text: str) -> Any:
    """Return the number, truth value (true, false), list (a,b,...) or else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    return [read_value(part) for part in text.split(",")] if "," in text else text
