"""Runs of an online learner: several replicates side by side, stopped at checkpoints, resumable."""

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any, Self

import numpy as np

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.online import state_store
from ccerates.online.lane_group import LaneGroup
from ccerates.online.registry import check_options, online_learner
from ccerates.online.replicates import (
    check_replicates,
    divide_into_lanes,
)
from ccerates.online.result import History, OnlineResult, empty_history
from ccerates.online.source import Episodes
from ccerates.online.visits import Observer
from ccerates.streams import kernel_states

Observers = Sequence[Observer | None] | None
Progress = Callable[[int], None]


class OnlineBatch:
    """Runs of one online learner on games of equal shape, one run for each source.

    Parameters
    ----------
    algorithm
        Name of the learner.
    sources
        One for each replicate; games may differ, their shape may not.
    seeds
        Learner's stream of each replicate.
    options
        Of the learner's own type; None stands for the defaults.
    episodes
        K, the planned number of episodes, which learners use in their constants.
    observers
        One, or None, for each replicate; None stands for no observers at all.
    record
        Whether states and joint actions of all episodes are kept, 4 bytes for each step.
    threads
        Number of threads. Results do not depend on it.
    lanes
        Number of lanes of each group of replicates; None chooses it. Results do not depend on it.

    Attributes
    ----------
    episode
        Number of episodes played so far.
    episodes
        K.

    Raises
    ------
    InputError
        If there is no such learner, numbers of sources, seeds and observers differ, shapes differ,
        the options are those of another learner, a number is not a positive integer, or a history
        would be too large.
    """

    def __init__(
        self,
        algorithm: str,
        sources: Sequence[Episodes],
        seeds: Sequence[np.random.SeedSequence],
        options: Any = None,
        *,
        episodes: int,
        observers: Observers = None,
        record: bool = False,
        threads: int = 1,
        lanes: int | None = None,
    ) -> None:
        self._learner = online_learner(algorithm)
        self._options = check_options(self._learner, options)
        for name, number in (("episodes", episodes), ("threads", threads)):
            check_integer(f"{algorithm}: {name}", number, 1)
        check_integer(f"{algorithm}: lanes", 1 if lanes is None else lanes, 1)
        self._observers = list(observers if observers is not None else [None] * len(sources))
        shape = check_replicates(sources, seeds, self._observers)
        self._sources, self._seeds = list(sources), list(seeds)
        self._threads = threads
        self.episodes, self.episode = int(episodes), 0
        self._histories = [empty_history(shape, episodes) for _ in sources] if record else []
        watching = [each for each in self._observers if each is not None]
        parameters = self._learner.module.choose_parameters(self._options, shape, self.episodes)
        generators = np.concatenate([kernel_states(seed, count=1) for seed in seeds])
        self._spans = divide_into_lanes(len(sources), lanes, threads)
        self._groups = [
            LaneGroup(
                self._learner,
                parameters,
                [self._sources[replicate] for replicate in span.members],
                generators[span.members],
                is_observed=bool(watching),
                needs_values=any(each.needs_values for each in watching),
                needs_samples=any(each.needs_samples for each in watching),
                is_recorded=record,
            )
            for span in self._spans
        ]
        self._parameters = parameters

    def advance(self, to_episode: int, progress: Progress | None = None) -> None:
        """Play on until a number of episodes is reached.

        Parameters
        ----------
        to_episode
            At least the number played so far, at most the planned one.
        progress
            Called from time to time with the number of episodes played so far.

        Raises
        ------
        InputError
            If `to_episode` is out of its range.
        """
        name = f"{self._learner.name}: episode to play to"
        check_integer(name, to_episode, self.episode, self.episodes)
        places = range(len(self._groups))
        longest = min(group.chunk_episodes for group in self._groups)
        with ThreadPoolExecutor(min(self._threads, len(places))) as pool:
            while self.episode < to_episode:
                count = min(longest, to_episode - self.episode)
                play = partial(self._play_group, count)
                list(pool.map(play, places) if self._threads > 1 else map(play, places))
                self.episode += count
                if progress is not None:
                    progress(self.episode)

    def _play_group(self, count: int, place: int) -> None:
        """Play some episodes of one group of lanes, and let its observers look at them."""
        group = self._groups[place]
        group.play(count)
        visits = group.visits(count)
        for lane, replicate in enumerate(self._spans[place].replicates):
            observer = self._observers[replicate]
            if observer is not None:
                observer.observe(visits, lane)
            if self._histories:
                history = self._histories[replicate]
                now = slice(self.episode, self.episode + count)
                history.states[now] = visits.state[..., lane]
                history.joint_actions[now] = visits.joint_action[..., lane]

    def results(self) -> list[OnlineResult]:
        """Return what was learnt so far, one result for each replicate."""
        return [
            self._result(group, lane, replicate)
            for span, group in zip(self._spans, self._groups, strict=True)
            for lane, replicate in enumerate(span.replicates)
        ]

    def _result(self, group: LaneGroup, lane: int, replicate: int) -> OnlineResult:
        source, learner, state = self._sources[replicate], self._learner, group.state
        # (H + 1, players, states, lanes) to (H, states, players).
        upper, lower = (
            values[: source.horizon, :, :, lane].swapaxes(1, 2).copy()
            for values in (state.upper, state.lower)
        )
        certificate, trace = learner.module.report(state, self._parameters, lane, self.episode)
        history = self._histories[replicate] if self._histories else None
        return OnlineResult(
            algorithm=learner.name,
            game_hash=source.content_hash,
            constants=self._options.constants,
            certified=self._options.constants == "rigorous",
            failure=self._options.failure,
            episodes=self.episode,
            samples=self.episode * source.horizon,
            averaging=learner.averaging,
            upper_value=upper,
            lower_value=lower,
            certificate=float(certificate),
            visits=state.visits[..., lane].copy(),
            trace=trace,
            history=None if history is None else History(*(row[: self.episode] for row in history)),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all that `load` needs to continue; observers are asked for their state.

        Parameters
        ----------
        path
            Where to write; a file that is already there is replaced.

        Raises
        ------
        InputError
            If the file cannot be written or would be too large.
        """
        lanes = [
            group.lane_arrays(lane)
            for span, group in zip(self._spans, self._groups, strict=True)
            for lane in range(len(span.replicates))
        ]
        state_store.save_state(
            path,
            state_store.BatchHeader(
                algorithm=self._learner.name,
                options=self._options,
                game_hashes=[source.content_hash for source in self._sources],
                seeds=self._seeds,
                episodes=self.episodes,
                episode=self.episode,
                record=bool(self._histories),
            ),
            state_store.BatchArrays(
                learner={name: np.stack([each[name] for each in lanes]) for name in lanes[0]},
                history=[
                    {name: values[: self.episode] for name, values in each._asdict().items()}
                    for each in self._histories
                ],
                observers=[None if each is None else each.state() for each in self._observers],
            ),
        )

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        sources: Sequence[Episodes],
        observers: Observers = None,
        *,
        threads: int = 1,
        lanes: int | None = None,
    ) -> Self:
        """Return a batch that continues bit by bit as the saved one would have.

        Parameters
        ----------
        path
            What `save` wrote.
        sources
            The games of the saved batch, in their order.
        observers
            Fresh ones where the saved batch had some; they are restored.
        threads, lanes
            As for a new batch; they need not be those of the saved one.

        Raises
        ------
        InputError
            If the file is missing, damaged or of another version, or sources or observers are not
            those of the saved batch.
        """
        header, arrays = state_store.load_state(path)
        hashes = [source.content_hash for source in sources]
        if hashes != header.game_hashes:
            raise InputError(f"{path}: was saved with other games, or in another order; give those")
        try:
            batch = cls(
                header.algorithm,
                sources,
                header.seeds,
                header.options,
                episodes=header.episodes,
                observers=observers,
                record=header.record,
                threads=threads,
                lanes=lanes,
            )
            batch._restore(header.episode, arrays)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        return batch

    def _restore(self, episode: int, arrays: state_store.BatchArrays) -> None:
        self.episode = episode
        for replicate, (observer, state) in enumerate(
            zip(self._observers, arrays.observers, strict=True)
        ):
            if (observer is None) != (state is None):
                had = "none" if state is None else "one"
                raise InputError(f"run {replicate} was saved with {had} observer; do as then")
            if observer is not None and state is not None:
                observer.restore(state)
        for span, group in zip(self._spans, self._groups, strict=True):
            for lane, replicate in enumerate(span.members):
                group.set_lane(lane, {k: values[replicate] for k, values in arrays.learner.items()})
                visits = group.state.visits[..., lane]
                if (visits.sum(axis=1) != episode).any():
                    raise InputError(
                        f"run {replicate}: its visits are not those of {episode} episodes"
                    )
                if self._histories:
                    self._restore_history(replicate, arrays.history[replicate], visits)

    def _restore_history(
        self, replicate: int, saved: Mapping[str, np.ndarray], visits: np.ndarray
    ) -> None:
        num_actions, num_states, horizon = self._sources[replicate].shape
        for name, values in self._histories[replicate]._asdict().items():
            now = values[: self.episode]
            if (saved[name].shape, saved[name].dtype) != (now.shape, now.dtype):
                raise InputError(f"run {replicate}: its record of {name} is not of its episodes")
            now[...] = saved[name]
        states, joint_actions = (values[: self.episode] for values in self._histories[replicate])
        seen = [np.bincount(states[:, step], minlength=num_states) for step in range(horizon)]
        if not np.array_equal(seen, visits) or (joint_actions >= math.prod(num_actions)).any():
            raise InputError(f"run {replicate}: its record is not that of its visits")


def learn_online(
    algorithm: str,
    sources: Sequence[Episodes],
    checkpoints: Sequence[int],
    seeds: Sequence[np.random.SeedSequence],
    options: Any = None,
    *,
    observers: Observers = None,
    record: bool = False,
    threads: int = 1,
    lanes: int | None = None,
    progress: Progress | None = None,
) -> Iterator[list[OnlineResult]]:
    """Run an online learner and stop at checkpoints.

    Parameters
    ----------
    algorithm, sources, seeds, options, observers, record, threads, lanes
        See `OnlineBatch`.
    checkpoints
        Numbers of episodes, increasing; the last is the planned number.
    progress
        Called from time to time with the number of episodes played so far.

    Returns
    -------
    iterator of lists of OnlineResult
        One list, over replicates, for each checkpoint; observers have then seen as many episodes.

    Raises
    ------
    InputError
        As `OnlineBatch`, and if the checkpoints are not increasing positive integers; before
        anything is played.
    """
    if not len(checkpoints):
        raise InputError(f"{algorithm}: there are no checkpoints; give at least one")
    for checkpoint in checkpoints:
        check_integer(f"{algorithm}: checkpoint", checkpoint, 1)
    if any(later <= earlier for earlier, later in pairwise(checkpoints)):
        raise InputError(f"{algorithm}: checkpoints must increase, got {list(checkpoints)}")
    batch = OnlineBatch(
        algorithm,
        sources,
        seeds,
        options,
        episodes=checkpoints[-1],
        observers=observers,
        record=record,
        threads=threads,
        lanes=lanes,
    )
    return _stop_at(batch, checkpoints, progress)


def _stop_at(
    batch: OnlineBatch, checkpoints: Sequence[int], progress: Progress | None
) -> Iterator[list[OnlineResult]]:
    for checkpoint in checkpoints:
        batch.advance(checkpoint, progress)
        yield batch.results()
