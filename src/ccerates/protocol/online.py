"""The driver of plain-Python online learners: it owns episodes, checkpoints and the evaluator."""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.online.kernel import empty_chunk
from ccerates.online.replicates import check_replicates
from ccerates.online.result import OnlineResult
from ccerates.online.run import Observers, Progress
from ccerates.online.source import Episodes
from ccerates.online.visits import Observer
from ccerates.protocol.loading import PythonLearner
from ccerates.protocol.player import Player, draw
from ccerates.results_archive import NoTrace

_MOST_EPISODES = 512  # kept until the evaluator sees them
_SECONDS = 0.2  # after which evaluator and progress get a turn


def learn_online(
    learner: PythonLearner,
    sources: Sequence[Episodes],
    checkpoints: Sequence[int],
    seeds: Sequence[np.random.SeedSequence],
    *,
    observers: Observers = None,
    progress: Progress | None = None,
) -> Iterator[list[OnlineResult]]:
    """Run a user's online learner and stop at checkpoints.

    Parameters
    ----------
    learner
        What `load_learner` returned.
    sources
        One for each replicate.
    checkpoints
        Numbers of episodes, increasing; the last is what the learner is told to plan for.
    seeds
        Stream of each replicate, for the actions and the transitions.
    observers
        One, or None, for each replicate, told of every episode; None stands for no observers.
    progress
        Called with the number of episodes that every replicate has played, several times a second
        unless a single episode of all takes longer.

    Returns
    -------
    iterator of lists of OnlineResult
        One list, over replicates, for each checkpoint; observers have then seen as many episodes.

    Raises
    ------
    InputError
        If it is a simulator learner, an argument is out of range or they do not fit together,
        before anything is played; if their code fails.
    """
    if learner.averaging is None:
        raise InputError(
            f"{learner.path}: a simulator learner, since it has no attribute averaging; give it "
            'rounds, or add averaging = "alpha" or "stage" to play episodes'
        )
    if not len(checkpoints):
        raise InputError(f"{learner.path}: there are no checkpoints; give at least one")
    for place, checkpoint in enumerate(checkpoints):
        lowest = checkpoints[place - 1] + 1 if place else 1
        check_integer(f"{learner.path}: checkpoint", checkpoint, lowest)
    watching: Sequence[Observer | None] = observers or [None] * len(sources)
    check_replicates(sources, seeds, watching)
    if any(each is not None and each.needs_values for each in watching):
        raise InputError(f"{learner.path}: has no value bounds; leave it out of what audits them")
    runs = [
        _Run(learner, source, checkpoints[-1], np.random.default_rng(seed), observer)
        for source, seed, observer in zip(sources, seeds, watching, strict=True)
    ]
    return _stop_at(runs, checkpoints, progress)


def _stop_at(
    runs: Sequence["_Run"], checkpoints: Sequence[int], progress: Progress | None
) -> Iterator[list[OnlineResult]]:
    episode, chunk = 0, 1
    for checkpoint in checkpoints:
        while episode < checkpoint:
            count = min(chunk, checkpoint - episode)
            started = time.monotonic()
            for run in runs:
                run.advance(count)
            episode += count
            # The size of chunks changes no result; it follows from how fast their code is.
            per_episode = (time.monotonic() - started) / count
            fitting = int(_SECONDS / per_episode) if per_episode > 0.0 else _MOST_EPISODES
            chunk = max(1, min(_MOST_EPISODES, 2 * chunk, fitting))
            if progress is not None:
                progress(episode)
        yield [run.result() for run in runs]


class _Run:
    """One replicate."""

    def __init__(
        self,
        learner: PythonLearner,
        source: Episodes,
        episodes: int,
        generator: np.random.Generator,
        observer: Observer | None,
    ) -> None:
        self._learner, self._source = learner, source
        self._generator, self._observer = generator, observer
        self._player = Player(learner, *source.shape, episodes)
        self._visits = np.zeros((source.horizon, source.num_states), dtype=np.int64)
        self.episode = 0

    def advance(self, count: int) -> None:
        """Play episodes and tell the observer."""
        source = self._source
        sampled = self._observer is not None and self._observer.needs_samples
        chunk = empty_chunk(
            count,
            source.num_actions,
            source.horizon,
            1,
            joint_actions=sampled,
            rewards=sampled,
            values=False,
        )
        for episode in range(count):
            state = source.reset(self._generator)
            for step in range(source.horizon):
                played = self._player.act(self.episode, step, state)
                actions = draw(played, self._generator)
                chunk.state[episode, step, 0] = state
                for each, vector in enumerate(played):
                    chunk.policy[episode, step, each, : vector.size, 0] = vector
                joint_action = int(np.ravel_multi_index(actions, source.num_actions))
                rewards, following = source.step(step, state, joint_action, self._generator)
                if sampled:
                    chunk.joint_action[episode, step, 0] = joint_action
                    chunk.reward[episode, step, :, 0] = rewards
                self._player.update(self.episode, step, state, actions, rewards, following)
                self._visits[step, state] += 1
                state = following
            self.episode += 1
        if self._observer is not None:
            self._observer.observe(chunk, 0)

    def result(self) -> OnlineResult:
        """Return the outcome so far."""
        source = self._source
        unknown = np.full((source.horizon, source.num_states, source.num_players), np.nan)
        assert self._learner.averaging is not None
        return OnlineResult(
            algorithm=self._learner.name,
            game_hash=source.content_hash,
            constants="own",
            certified=False,
            failure=np.nan,
            episodes=self.episode,
            samples=self.episode * source.horizon,
            averaging=self._learner.averaging,
            upper_value=unknown,
            lower_value=unknown,
            certificate=np.nan,
            visits=self._visits.copy(),
            trace=NoTrace(),
            history=None,
        )
