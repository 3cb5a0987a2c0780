"""Unfinished online runs on disk: all that continues them bit by bit, in one .npz file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
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
from ccerates.checks import check_integer
from ccerates.compilation import SOURCE_KEY
from ccerates.errors import InputError
from ccerates.games.families.parameters import read_parameters
from ccerates.online.lane_group import GENERATOR
from ccerates.online.registry import online_learner
from ccerates.online.result import History

_KIND = FileKind(
    noun="unfinished runs",
    version=2,
    maximal_bytes=4 * 1024**3,
    first="save unfinished runs first (see OnlineBatch.save)",
    again="start the runs again",
)
_CONTENT = "unfinished online runs"
_ANY_NUMBERS = Declaration(None, None)
_MAX_EPISODES = 2**53
_FIELDS = {
    "code": str,
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
        Name of the learner, and its options, of its own type.
    game_hashes, seeds
        Content hash and stream of each replicate.
    episodes, episode
        Planned number of episodes and number played.
    record
        Whether histories are kept.
    """

    algorithm: str
    options: Any
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
        "code": SOURCE_KEY,
        "options": asdict(header.options),
        "seeds": [_describe_seed(seed) for seed in header.seeds],
        "members": names,
    }
    write_archive(_KIND, path, fields, members)


def load_state(path: str | os.PathLike[str]) -> tuple[BatchHeader, BatchArrays]:
    """Read what `save_state` wrote.

    Raises
    ------
    InputError
        If the file is missing, damaged, too large, of another version or another state of the
        program, holds something else, or its parts do not fit together.
    """
    with open_archive(_KIND, path) as archive:
        if read_header(_KIND, archive, {}).get("content") != _CONTENT:
            raise InputError(f"it holds no {_CONTENT}")
        fields = read_header(_KIND, archive, _FIELDS)
        if fields["code"] != SOURCE_KEY:
            raise InputError(
                f"it was saved by another state of the program or its libraries "
                f"({fields['code']}, this is {SOURCE_KEY}), which may have learnt otherwise"
            )
        header = _read_batch_header(fields)
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
        members = read_arrays(archive, declared)

        def pick(group: Mapping[str, str]) -> dict[str, np.ndarray]:
            return {name: members[member] for name, member in group.items()}

        arrays = BatchArrays(
            pick(learner),
            [pick(group or {}) for group in groups["history"]],
            [None if group is None else pick(group) for group in groups["observer"]],
        )
        _check_arrays(header, arrays)
        return header, arrays


def _read_batch_header(fields: Mapping[str, Any]) -> BatchHeader:
    """Return the header; whatever is wrong in it raises an exception of some kind."""
    check_integer("metadata: episodes", fields["episodes"], 1, _MAX_EPISODES)
    check_integer("metadata: episode", fields["episode"], 0, fields["episodes"])
    hashes, seeds = fields["game_hashes"], fields["seeds"]
    if not hashes or len(seeds) != len(hashes):
        raise InputError(f"metadata: it has {len(hashes)} game_hashes and {len(seeds)} seeds")
    if not all(isinstance(each, str) for each in hashes):
        raise InputError("metadata: game_hashes must be text")
    options_type = online_learner(fields["algorithm"]).options_type
    return BatchHeader(
        algorithm=fields["algorithm"],
        options=read_parameters(options_type, fields["options"]),
        game_hashes=hashes,
        seeds=[
            np.random.SeedSequence(each["entropy"], spawn_key=each["spawn_key"]) for each in seeds
        ],
        episodes=fields["episodes"],
        episode=fields["episode"],
        record=fields["record"],
    )


def _check_arrays(header: BatchHeader, arrays: BatchArrays) -> None:
    """Raise InputError unless there is everything of every replicate."""
    count = len(header.seeds)
    if len(arrays.observers) != count or len(arrays.history) != count * header.record:
        raise InputError(
            f"metadata: members: {len(arrays.observers)} observers and {len(arrays.history)} "
            f"histories of {count} runs"
        )
    for name, values in arrays.learner.items():
        if len(values) != count:
            raise InputError(f"array learner.{name}: has {len(values)} entries for {count} runs")
    for group in arrays.history:
        if tuple(group) != History._fields:
            raise InputError(f"metadata: members: a history holds {', '.join(group) or 'nothing'}")
    generator = arrays.learner.get(GENERATOR, np.zeros((count, 1)))
    if not generator.any(axis=tuple(range(1, generator.ndim))).all():
        raise InputError(f"array learner.{GENERATOR}: a generator of zeros draws nothing else")


def _describe_seed(seed: np.random.SeedSequence) -> dict[str, Any]:
    """Return the seed as JSON data; its entropy is one integer or several."""
    entropy: Any = seed.entropy
    is_one = isinstance(entropy, int | np.integer)
    return {
        "entropy": int(entropy) if is_one else [int(word) for word in entropy],
        "spawn_key": [int(word) for word in seed.spawn_key],
    }
