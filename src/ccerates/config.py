"""Configurations: read, checked against the schema, and refused in words that lead to the fix."""

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from ccerates.errors import InputError


def read_yaml(path: Path) -> Any:
    """Return what a YAML file holds.

    Raises
    ------
    InputError
        If the file cannot be read or is not YAML.
    """
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: not a readable YAML file ({reason})") from None


def check_config(config: Mapping[str, Any], schema: Mapping[str, Any], source: str) -> None:
    """Check a configuration.

    Parameters
    ----------
    config
        The configuration.
    schema
        JSON schema that lists every key.
    source
        What to call the configuration in messages.

    Raises
    ------
    InputError
        One line for each fault: where it is, what is wrong, what to write instead.
    """
    errors = sorted(Draft202012Validator(schema).iter_errors(config), key=lambda e: list(e.path))
    lines = [f"{source}: {line}" for error in errors for line in _explain(error)]
    if not lines:
        lines = [f"{source}: {line}" for line in _cross_checks(config)]
    if lines:
        raise InputError("\n".join(lines))


def _explain(error: ValidationError) -> list[str]:
    place = ".".join(str(part) for part in error.path) or "top level"
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = [key for key in error.instance if key not in known]
        return [f"{place}: unknown key {key!r}; {_suggest(str(key), known)}" for key in unknown]
    hint = error.schema.get("description", "") if isinstance(error.schema, Mapping) else ""
    return [f"{place}: {error.message}" + (f" ({hint})" if hint else "")]


def _suggest(key: str, known: list[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(known)}"


def _cross_checks(config: Mapping[str, Any]) -> list[str]:
    """Return what the schema cannot say: relations between values."""
    lines = []
    for name, sweep in config["sweeps"].items():
        low, high = sweep["fit"]
        fitted = [value for value in sweep["values"] if low <= value <= high]
        if len(fitted) < 2:
            lines.append(
                f"sweeps.{name}.fit: [{low}, {high}] holds {len(fitted)} of the values; "
                "an exponent needs two or more"
            )
        if sweep["axis"] in sweep["game"]:
            lines.append(
                f"sweeps.{name}.game: remove {sweep['axis']!r}, it is the axis of the sweep"
            )
    used = {
        learner for sweep in config["sweeps"].values() for learner in sweep["budget_scales"]
    } | set(config["real_games"]["rounds"])
    lines += [
        f"learners: no options for {learner!r}; write `{learner}: {{}}` for the defaults"
        for learner in sorted(used - set(config["learners"]))
    ]
    return lines
