"""Unfinished online runs on disk: all that continues them bit by bit, in one .npz file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccerates.archive import (
    Declaration,
    FileKind,
    open_archive,
    read_arrays,
    read_header,
    write_archive,
)
from ccerates.errors import InputError

_KIND = FileKind(
    noun="unfinished runs",
    version=1,
    maximal_bytes=4 * 1024**3,
    first="save unfinished runs first (see OnlineBatch.save)",
    again="start the runs again",
)
_CONTENT = "unfinished online runs"
_ANY_NUMBERS = Declaration(None, None)
_FIELDS = {
    "algorithm": str,
    "options": dict,
    "game_hashes": list,
    "seeds": list,
    "episodes": int,
    "episode": int,
    "record": bool,
    "members": dict,
}


@dataclass(frozen=True)
class BatchHeader:
    """What a batch is, apart from its arrays.

    Attributes
    ----------
    algorithm, options
        Name of the learner, and its options by name.
    game_hashes, seeds
        Content hash and stream of each replicate.
    episodes, episode
        Planned number of episodes and number played.
    record
        Whether histories are kept.
    """

    algorithm: str
    options: dict[str, Any]
    game_hashes: list[str]
    seeds: list[np.random.SeedSequence]
    episodes: int
    episode: int
    record: bool


@dataclass(frozen=True)
class BatchArrays:
    """The arrays of a batch, by name.

    Attributes
    ----------
    learner
        Learner and generators, with a leading axis over replicates.
    history
        One mapping for each replicate, none at all if nothing is recorded.
    observers
        State of each replicate's observer, None where there is none.
    """

    learner: Mapping[str, np.ndarray]
    history: Sequence[Mapping[str, np.ndarray]]
    observers: Sequence[Mapping[str, np.ndarray] | None]


def save_state(path: str | os.PathLike[str], header: BatchHeader, arrays: BatchArrays) -> None:
    """Write a batch, as a whole or not at all.

    Raises
    ------
    InputError
        If the file cannot be written or would be too large.
    """
    members = {f"learner.{name}": values for name, values in arrays.learner.items()}
    for kind, groups in (("history", arrays.history), ("observer", arrays.observers)):
        for replicate, group in enumerate(groups):
            for name, values in (group or {}).items():
                members[f"{kind}.{replicate}.{name}"] = np.asarray(values)
    names = {
        "learner": list(arrays.learner),
        "history": [list(group) for group in arrays.history],
        "observer": [None if group is None else list(group) for group in arrays.observers],
    }
    fields = {
        **vars(header),
        "content": _CONTENT,
        "seeds": [_describe_seed(seed) for seed in header.seeds],
        "members": names,
    }
    write_archive(_KIND, path, fields, members)


def load_state(path: str | os.PathLike[str]) -> tuple[BatchHeader, BatchArrays]:
    """Read what `save_state` wrote.

    Raises
    ------
    InputError
        If the file is missing, damaged, too large, of another version or holds something else.
    """
    with open_archive(_KIND, path) as archive:
        if read_header(_KIND, archive, {}).get("content") != _CONTENT:
            raise InputError(f"it holds no {_CONTENT}")
        fields = read_header(_KIND, archive, _FIELDS)
        names = fields["members"]
        groups = {
            kind: [
                None if group is None else {name: f"{kind}.{replicate}.{name}" for name in group}
                for replicate, group in enumerate(names[kind])
            ]
            for kind in ("history", "observer")
        }
        learner = {name: f"learner.{name}" for name in names["learner"]}
        wanted = [learner, *groups["history"], *groups["observer"]]
        declared = {member: _ANY_NUMBERS for group in wanted for member in (group or {}).values()}
        arrays = read_arrays(archive, declared)

        def pick(group: Mapping[str, str]) -> dict[str, np.ndarray]:
            return {name: arrays[member] for name, member in group.items()}

        header = {name: fields[name] for name in _FIELDS if name not in ("members", "seeds")}
        seeds = [np.random.SeedSequence(**each) for each in fields["seeds"]]
        return BatchHeader(**header, seeds=seeds), BatchArrays(
            pick(learner),
            [pick(group or {}) for group in groups["history"]],
            [None if group is None else pick(group) for group in groups["observer"]],
        )


def _describe_seed(seed: np.random.SeedSequence) -> dict[str, Any]:
    """Return the seed as JSON data; its entropy is one integer or several."""
    entropy: Any = seed.entropy
    is_one = isinstance(entropy, int | np.integer)
    return {
        "entropy": int(entropy) if is_one else [int(word) for word in entropy],
        "spawn_key": [int(word) for word in seed.spawn_key],
    }
