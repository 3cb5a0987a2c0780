"""The driver of plain-Python online learners: it owns episodes, checkpoints and the evaluator."""

from collections.abc import Iterator, Sequence

import numpy as np
from tqdm import tqdm

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.online.result import NoTrace, OnlineResult
from ccerates.online.source import Episodes
from ccerates.online.visits import Observer, VisitChunk
from ccerates.protocol.loading import PythonLearner
from ccerates.protocol.player import Player, draw

_CHUNK = 512  # episodes kept until the evaluator sees them


def learn_online(
    learner: PythonLearner,
    sources: Sequence[Episodes],
    checkpoints: Sequence[int],
    seeds: Sequence[np.random.SeedSequence],
    *,
    observers: Sequence[Observer] | None = None,
) -> Iterator[list[OnlineResult]]:
    """Run a user's online learner, once for each source, side by side.

    Parameters
    ----------
    learner
        What `load_learner` returned.
    sources
        One for each replicate.
    checkpoints
        Numbers of episodes after which to report, increasing; the last is what the learner is
        told to plan for.
    seeds
        Stream of each replicate, for the actions and the transitions.
    observers
        One for each replicate, told of every episode.

    Yields
    ------
    list of OnlineResult
        One for each replicate, at each checkpoint.

    Raises
    ------
    InputError
        If it is a simulator learner, an argument is out of range or their code fails.
    """
    if learner.averaging is None:
        raise InputError(
            f"{learner.path}: a simulator learner, since it has no attribute averaging; give it "
            'rounds, or add averaging = "alpha" or "stage" to play episodes'
        )
    for place, checkpoint in enumerate(checkpoints):
        lowest = checkpoints[place - 1] + 1 if place else 1
        check_integer(f"{learner.path}: episodes", checkpoint, lowest)
    watching: Sequence[Observer | None] = observers or [None] * len(sources)
    runs = [
        _Run(learner, source, checkpoints[-1], np.random.default_rng(seed), observer)
        for source, seed, observer in zip(sources, seeds, watching, strict=True)
    ]
    total = checkpoints[-1] * len(runs)
    with tqdm(total=total, desc=learner.name, unit="episode", leave=False, disable=None) as bar:
        for checkpoint in checkpoints:
            for run in runs:
                while run.episode < checkpoint:
                    count = min(_CHUNK, checkpoint - run.episode)
                    run.advance(count)
                    bar.update(count)
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
        visited = np.empty((count, source.horizon, 1), dtype=np.int64)
        shape = (count, source.horizon, source.num_players, max(source.num_actions), 1)
        policy = np.zeros(shape)
        for episode in range(count):
            state = source.reset(self._generator)
            for step in range(source.horizon):
                played = self._player.act(self.episode, step, state)
                actions = draw(played, self._generator)
                visited[episode, step, 0] = state
                for each, vector in enumerate(played):
                    policy[episode, step, each, : vector.size, 0] = vector
                joint_action = int(np.ravel_multi_index(actions, source.num_actions))
                rewards, following = source.step(step, state, joint_action, self._generator)
                self._player.update(self.episode, step, state, actions, rewards, following)
                self._visits[step, state] += 1
                state = following
            self.episode += 1
        if self._observer is not None:
            bounds = np.empty((0, source.horizon, source.num_players, 1))  # it has none
            self._observer.observe(VisitChunk(visited, policy, bounds, bounds, bounds), 0)

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
