"""The claims as config/claims.yaml lists them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ccerates.config import read_yaml
from ccerates.errors import InputError

EVERYTHING = "everything"
"""In place of the experiments of a claim that is about all runs."""

_KEYS = {"claim": str, "command": str, "shows": list, "experiments": list}


@dataclass(frozen=True)
class Claim:
    """One entry of the file.

    Attributes
    ----------
    name
        Its key.
    sentence
        What the claim is about.
    command
        Shell command that makes its runs, tables and figure for the configuration ``paper``.
    figures, tables
        Names, without folder and suffix, of what it shows.
    experiments
        Runs behind it, or `EVERYTHING`.
    """

    name: str
    sentence: str
    command: str
    figures: tuple[str, ...]
    tables: tuple[str, ...]
    experiments: tuple[str, ...]


def read_claims(path: Path) -> list[Claim]:
    """Return the claims in the order of the file.

    Raises
    ------
    InputError
        If the file cannot be read, or an entry lacks a key or holds something else there.
    """
    entries = read_yaml(path)
    if not isinstance(entries, Mapping):
        raise InputError(f"{path}: expected one key for each claim, got {type(entries).__name__}")
    return [_claim(name, entry, f"{path}: {name}") for name, entry in entries.items()]


def _claim(name: str, entry: Any, place: str) -> Claim:
    for key, kind in _KEYS.items():
        if not isinstance(entry, Mapping) or not isinstance(entry.get(key), kind):
            words = {str: "a text", list: "a list"}[kind]
            raise InputError(
                f"{place}: expected {words} under {key!r}; write it as in other claims"
            )
    shown = [PurePosixPath(path) for path in entry["shows"]]
    return Claim(
        name=name,
        sentence=entry["claim"],
        command=entry["command"],
        figures=tuple(path.stem for path in shown if path.suffix == ".pdf"),
        tables=tuple(path.stem for path in shown if path.suffix == ".csv"),
        experiments=tuple(entry["experiments"]),
    )
