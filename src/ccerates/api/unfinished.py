"""Online runs that stop and go on: saved in a file at checkpoints and when they are stopped."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ccerates.api.algorithms import NamedLearner
from ccerates.api.online_learning import Stopped
from ccerates.errors import InputError
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.online.result import OnlineResult
from ccerates.online.run import OnlineBatch, Progress
from ccerates.online.source import Episodes
from ccerates.online.state_store import load_state


def open_batch(
    learner: NamedLearner,
    sources: Sequence[Episodes],
    seeds: Sequence[np.random.SeedSequence],
    episodes: int,
    evaluators: Sequence[CertifiedEvaluator] | None,
    *,
    record: bool,
    threads: int,
    state: str | None,
) -> OnlineBatch:
    """Return the batch that a file holds, or a new one if there is no file.

    Parameters
    ----------
    learner
        The learner.
    sources, seeds
        One for each replicate.
    episodes
        Planned number of episodes.
    evaluators
        One for each replicate, or None.
    record
        Whether states and joint actions are kept.
    threads
        Number of threads.
    state
        The file; None for a new batch.

    Raises
    ------
    InputError
        If the file is damaged or holds another run.
    """
    if state is None or not Path(state).exists():
        return OnlineBatch(
            learner.name,
            sources,
            seeds,
            learner.options,
            episodes=episodes,
            observers=evaluators,
            record=record,
            threads=threads,
        )
    header, arrays = load_state(state)
    differences: dict[str, tuple[Any, Any]] = {
        "algorithm": (header.algorithm, learner.name),
        "episodes": (header.episodes, episodes),
        "replicates": (len(header.seeds), len(seeds)),
        "game": (header.game_hashes[0][:12], sources[0].content_hash[:12]),
        "seed": (header.seeds[0].entropy, seeds[0].entropy),
        "a record": (header.record, record),
        "a bound on the gap": (arrays.observers[0] is not None, evaluators is not None),
    }
    if header.algorithm == learner.name:
        for name, value in asdict(learner.options).items():
            differences[f"option {name}"] = (getattr(header.options, name), value)
    for name, (saved, wanted) in differences.items():
        if saved != wanted:
            raise InputError(
                f"{state}: holds a run with {name} {saved}, not {wanted}; ask for the same again, "
                "or name another file"
            )
    return OnlineBatch.load(state, sources, evaluators, threads=threads)


def play(
    batch: OnlineBatch, checkpoints: Sequence[int], state: str | None, progress: Progress
) -> Iterator[list[OnlineResult]]:
    """Play on and save.

    Parameters
    ----------
    batch
        What to play.
    checkpoints
        Numbers of episodes, increasing; those that are behind already are left out.
    state
        Where to save at each checkpoint, and when the run is stopped; None for nowhere.
    progress
        Called with the number of episodes several times a second.

    Yields
    ------
    list of OnlineResult
        One for each replicate, at each checkpoint.

    Raises
    ------
    Stopped
        If `progress` does; after the run was saved.
    """
    for checkpoint in checkpoints:
        if checkpoint < batch.episode:
            continue
        try:
            batch.advance(checkpoint, progress)
        except Stopped:  # any other exception may come in the middle of an episode
            _save(batch, state)
            raise
        _save(batch, state)
        yield batch.results()


def _save(batch: OnlineBatch, state: str | None) -> None:
    if state is not None:
        batch.save(state)
