"""Markov policies as tidy Parquet files: one row for each joint action that may be played."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from ccerates.api.evaluation import markov_policies
from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.games.model import MAX_TABLE_BYTES, MarkovGame
from ccerates.online.result import OnlineResult
from ccerates.simulator.result import LearningResult

_METADATA, _FORMAT = b"ccerates", 1
_PLACES = ("run", "step", "state")


class _Header(NamedTuple):
    """What the schema of a file says of the policies."""

    format: int
    algorithm: str
    constants: str
    game_name: str
    game_hash: str
    num_runs: int
    horizon: int
    num_states: int
    num_actions: list[int]


def save_policies(
    results: Sequence[LearningResult | OnlineResult],
    game: MarkovGame,
    path: str | os.PathLike[str],
) -> int:
    """Write the Markov policies of runs to a Parquet file, as a whole or not at all.

    Its columns are ``run``, ``step``, ``state``, ``state_label`` if the game's metadata names its
    states, ``action_0``, ``action_1``, ... of the players, and ``probability``, all counted from 0.
    Only joint actions of a probability > 0 have a row. The schema's metadata holds algorithm,
    dimensions and hash of the game as JSON under the key ``ccerates``.

    Parameters
    ----------
    results
        Runs of a simulator learner on `game`.
    game
        The game.
    path
        Where to write; a file that is already there is replaced.

    Returns
    -------
    int
        Number of rows.

    Raises
    ------
    InputError
        If a run learnt another game or learnt online, or the file cannot be written.
    """
    policies = np.stack(markov_policies(game, results))
    run, step, state, joint = np.nonzero(policies)
    columns: dict[str, Any] = {"run": run, "step": step, "state": state}
    columns = {name: pa.array(values, pa.int32()) for name, values in columns.items()}
    labels = game.metadata.get("states")
    if isinstance(labels, list) and len(labels) == game.num_states:
        columns["state_label"] = pa.DictionaryArray.from_arrays(
            pa.array(state, pa.int32()), pa.array([str(label) for label in labels])
        )
    for player, actions in enumerate(np.unravel_index(joint, game.num_actions)):
        columns[f"action_{player}"] = pa.array(actions, pa.int32())
    columns["probability"] = pa.array(policies[run, step, state, joint], pa.float64())
    header = _Header(
        format=_FORMAT,
        algorithm=results[0].algorithm,
        constants=results[0].constants,
        game_name=game.name,
        game_hash=game.content_hash,
        num_runs=len(results),
        horizon=game.horizon,
        num_states=game.num_states,
        num_actions=list(game.num_actions),
    )
    table = pa.table(columns).replace_schema_metadata({_METADATA: json.dumps(header._asdict())})
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        pq.write_table(table, temporary)
        temporary.replace(target)
    except OSError as error:
        raise InputError(
            f"{path}: cannot write the policies ({error}); check the folder"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
    return len(run)


def read_policy_file(path: Path, replicate: int | None) -> np.ndarray:
    """Return one run's policy from a file that `save_policies` wrote.

    Parameters
    ----------
    path
        The file; it exists.
    replicate
        Which run, from 0; None if there is one only.

    Returns
    -------
    numpy.ndarray
        (horizon, states, joint_actions) float64, bit by bit what was saved.

    Raises
    ------
    InputError
        If the file is damaged or something else, or `replicate` is missing or out of range.
    """
    try:
        with pq.ParquetFile(path) as file:
            header = _read_header(file.schema_arrow)
            if replicate is None and header.num_runs > 1:
                raise InputError(
                    f"holds {header.num_runs} runs; say which, --replicate 0 for the first"
                )
            run = replicate or 0
            check_integer("replicate", run, 0, header.num_runs - 1)
            entries = header.horizon * header.num_states * int(np.prod(header.num_actions))
            if file.metadata.num_rows > entries * header.num_runs:
                raise InputError("has more rows than there are joint actions; export it again")
            actions = [f"action_{player}" for player in range(len(header.num_actions))]
            columns = [*_PLACES, *actions, "probability"]
            missing = [name for name in columns if name not in file.schema_arrow.names]
            if missing:
                raise InputError(f"lacks column {missing[0]}; export it again")
            table = file.read(columns=columns)
        return _read_rows(table, header, run)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(f"{path}: not a usable policy file: {reason}") from error


def _read_header(schema: pa.Schema) -> _Header:
    text = (schema.metadata or {}).get(_METADATA)
    if text is None:
        raise InputError(
            "does not say whose policy it holds, as files of `ccerates policies export` do; "
            "save an array (horizon, states, joint actions) as .npy in its place"
        )
    header = _Header(**json.loads(text))
    if header.format != _FORMAT:
        raise InputError(f"format version {header.format!r}; this program reads {_FORMAT}")
    for name in ("num_runs", "horizon", "num_states"):
        check_integer(name, getattr(header, name), 1)
    for player, count in enumerate(header.num_actions):
        check_integer(f"num_actions[{player}]", count, 1)
    size = 8 * header.horizon * header.num_states
    for count in header.num_actions:
        size *= count
    if size > MAX_TABLE_BYTES:
        raise InputError(
            f"a policy of this shape takes {size / 2**30:.1f} GiB, more than "
            f"{MAX_TABLE_BYTES / 2**30:g} GiB"
        )
    return header


def _read_rows(table: pa.Table, header: _Header, run: int) -> np.ndarray:
    """Return the policy of a run; its indices must be in range and all different."""
    shape = (header.num_runs, header.horizon, header.num_states, *header.num_actions)
    *names, last = table.column_names
    places = [table[name].to_numpy() for name in names]
    probability = table[last].to_numpy()
    for name, values, count in zip(names, places, shape, strict=True):
        integers = np.issubdtype(values.dtype, np.integer)
        if not integers or (values.size and not 0 <= values.min() <= values.max() < count):
            raise InputError(f"column {name}: expected integers in 0..{count - 1}")
    if probability.dtype != np.float64:
        raise InputError(f"column {last}: expected float64, got {probability.dtype}")
    mine = places[0] == run
    place = np.ravel_multi_index([values[mine] for values in places[1:]], shape[1:])
    if np.unique(place).size < place.size:
        raise InputError("a joint action has two rows at one step and state; export it again")
    policy = np.zeros(int(np.prod(shape[1:])))
    policy[place] = probability[mine]
    return policy.reshape(header.horizon, header.num_states, -1)
