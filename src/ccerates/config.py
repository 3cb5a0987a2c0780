"""Configurations: read, checked against the schema, and refused in words that lead to the fix."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.games.files import SUFFIXES


def read_yaml(path: Path) -> Any:
    """Return what a YAML file holds.

    Raises
    ------
    InputError
        If the file cannot be read or is not YAML.
    """
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, seen from {Path.cwd()}") from None
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        reason = f"{line}{error.problem}"
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
    raise InputError(f"{path}: not a readable YAML file ({reason})")


def read_config(path: Path) -> Mapping[str, Any]:
    """Return the configuration that a YAML file holds, not yet checked.

    Raises
    ------
    InputError
        If the file cannot be read or does not hold keys and values.
    """
    config = read_yaml(path)
    if not isinstance(config, Mapping):
        raise InputError(
            f"{path}: expected keys and values at top level, as in config/smoke.yaml; "
            f"got {_shown(config)}"
        )
    return config


def check_config(config: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Check a configuration.

    Parameters
    ----------
    config
        The configuration.
    schema
        JSON schema that lists every key.

    Raises
    ------
    InputError
        One line for each fault: where it is, what is wrong, what to write instead.
    """
    # Takes a second to import, which is too long for the check of what the command line names.
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415

    # JSON schema lets NaN pass every bound and 2.0 pass as an integer.
    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": _is_integer, "number": _is_number}
    )
    validator = validators.extend(Draft202012Validator, type_checker=types)(schema)
    errors = sorted(validator.iter_errors(config), key=lambda error: _place(error.absolute_path))
    lines = list(dict.fromkeys(line for error in errors for line in _explain(error)))
    if not lines:
        lines = list(_cross_checks(config))
    if lines:
        raise InputError("\n".join(lines))


def _is_integer(_: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(_: Any, value: Any) -> bool:
    return _is_integer(_, value) or (isinstance(value, float) and math.isfinite(value))


def _place(path: Sequence[str | int]) -> str:
    names = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return names.removeprefix(".") or "top level"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _explain(error: Any) -> list[str]:
    """Return a line for each fault that one error of jsonschema stands for."""
    place, schema, value = _place(error.absolute_path), error.schema, error.instance
    if error.validator == "additionalProperties":
        known = list(schema["properties"])
        unknown = [key for key in value if key not in known]
        return [f"{place}: unknown key {key!r}; {did_you_mean(str(key), known)}" for key in unknown]
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in value]
        return [f"{place}: {key!r} is missing; add it" for key in missing]
    hint = f" ({schema['description']})" if "description" in schema else ""
    return [f"{place}: expected {_expected(schema)}, got {_shown(value)}{hint}{_as_number(error)}"]


_TYPES = {
    "integer": "an integer",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "keys with values",
}
_BOUNDS = {
    "minimum": ">= {}",
    "exclusiveMinimum": "> {}",
    "exclusiveMaximum": "< {}",
    "pattern": "that matches {}",
    "minItems": "of {} or more",
    "minProperties": "of {} or more",
    "maxItems": "at most {}",
}


def _expected(schema: Mapping[str, Any]) -> str:
    """Return what a schema asks for, in words."""
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    bounds = [words.format(schema[key]) for key, words in _BOUNDS.items() if key in schema]
    text = f"{_TYPES[schema['type']]} {' and '.join(bounds)}".rstrip()
    return f"{text}, all different" if schema.get("uniqueItems") else text


def _as_number(error: Any) -> str:
    """Return a hint for text that looks like a number to everyone but YAML, such as 1e-3."""
    if error.validator != "type" or not isinstance(error.instance, str):
        return ""
    try:
        number = float(error.instance)
    except ValueError:
        return ""
    return f"; YAML takes this for text: write {number!r}" if math.isfinite(number) else ""


def _cross_checks(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the schema cannot say: relations between values."""
    for name, sweep in config["sweeps"].items():
        low, high = sweep["fit"]
        fitted = [value for value in sweep["values"] if low <= value <= high]
        if len(fitted) < 2:
            yield (
                f"sweeps.{name}.fit: [{low}, {high}] holds {len(fitted)} of the values; "
                "an exponent needs two or more"
            )
        prefix, axis = name.split("-", maxsplit=1)
        if sweep["setting"] != _PREFIXES[prefix]:
            yield (f"sweeps.{name}.setting: expected {_PREFIXES[prefix]}, got {sweep['setting']}")
        if sweep["axis"] != axis:  # figures and tables name the axis by the experiment
            yield f"sweeps.{name}.axis: expected {axis}, got {sweep['axis']}"
        varied = _VARIED[sweep["axis"]]
        if varied in sweep["game"]:
            yield f"sweeps.{name}.game: remove {varied!r}, which the axis of the sweep varies"
    shared = [
        config["sweeps"][name]["target_fraction"] for name in ("sim-players", "sim-action-sum")
    ]
    if len(set(shared)) > 1:
        yield (
            f"sweeps.sim-action-sum.target_fraction: expected {shared[0]:g} as in sim-players, "
            f"with which it shares a figure, got {shared[1]:g}"
        )
    for name in _QUOTED:
        for key in sorted(config["learners"][name].keys() & {"algorithm", "file"}):
            yield (
                f"learners.{name}: remove {key!r}, the paper quotes the settings of the algorithm "
                "of this name; call another learner something else"
            )
    for name, section in config["learners"].items():
        whole = config["learners"].get(section.get("algorithm", name), {})
        for key in ("rate_scale", "bonus_scale"):
            scale = whole.get(key, 1)
            if "ablation" in section and section.get(key, 1) != scale:
                yield (
                    f"learners.{name}.{key}: must equal that of {section['algorithm']} ({scale}), "
                    "from which it differs in the ablation alone"
                )
    for name, setting in _HELD_OUT.items():
        got = config["tuning"][name]["setting"]
        if got != setting:
            yield f"tuning.{name}.setting: expected {setting}, got {got}"
    for experiment, curves in config["curves"].items():
        for name, game in curves["games"].items():
            place = f"curves.{experiment}.games.{name}"
            if sum(key in game for key in ("family", "game", "file")) != 1:
                yield (
                    f"{place}: give one of 'family' with its parameters, 'game', an OpenSpiel "
                    "string, and 'file', a stored game"
                )
            elif "file" in game and "horizon" in game:
                yield f"{place}: remove 'horizon', a stored game has its own"
            elif "file" in game and Path(game["file"]).suffix.lower() not in SUFFIXES:
                yield (
                    f"{place}.file: expected a name that ends in {' or '.join(SUFFIXES)} (a stored "
                    f"game or plain arrays, or a Gambit file), got {game['file']!r}"
                )
            elif "file" in game and not Path(game["file"]).is_file():
                yield (
                    f"{place}.file: there is no file {game['file']!r}, seen from {Path.cwd()}; "
                    "write its path from there"
                )


# Learners whose settings the paper quotes.
_QUOTED = (
    *("q-ftrl", "evb-sim"),
    *("v-learning", "cce-v-learning", "stage-v-learning", "evb-online"),
)
# How the names of sweeps begin, by setting, and the games held out for tuning in each.
_PREFIXES = {"sim": "simulator", "online": "online"}
_HELD_OUT = {"held-out": "simulator", "held-out-online": "online"}
# The parameter of the game that stands for the axis; action-sum varies the second player's actions.
_VARIED = {
    "horizon": "horizon",
    "players": "num_players",
    "actions": "num_actions",
    "action-sum": "",
    "states": "alive_states",
    "epsilon": "eps_game",
}
