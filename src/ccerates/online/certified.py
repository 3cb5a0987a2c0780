"""The policy that comes out of an online learner: rebuilt from a recorded run, and played.

The certified policy draws an episode k uniformly from those played. At every step, in state s, it
draws one of the visits to (step, s) before episode k with the weights of the learner's averaging,
replaces k by the episode of that visit and plays the product policy that was used there. Where
there is no visit to draw (with stages: no completed stage), it plays uniformly from there on (the
last is our convention). All players share the draws of episodes, which no one else sees; given
these they act independently. Source: Jin, Liu, Wang and Yu 2021 (arXiv:2110.14555), Algorithm 3;
with stages Mao, Yang, Zhang and Basar 2022 (arXiv:2110.05707).
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ccerates.errors import InputError
from ccerates.online.result import Averaging, OnlineResult
from ccerates.online.run import OnlineBatch
from ccerates.online.schedule import stage_lengths
from ccerates.online.source import Episodes
from ccerates.online.visits import VisitChunk

MAX_POLICY_BYTES = 2 * 1024**3


def visit_weights(averaging: Averaging, horizon: int, visits: int) -> np.ndarray:
    """Return with which probability each of the visits so far to a (step, state) is drawn.

    Parameters
    ----------
    averaging
        ``"alpha"`` or ``"stage"``, see `ccerates.online.schedule`.
    horizon
        H.
    visits
        t >= 0.

    Returns
    -------
    numpy.ndarray
        (visits,); zeros if there is nothing to draw, else the sum is 1.
    """
    if averaging == "alpha":
        rate = (horizon + 1.0) / (horizon + np.arange(1.0, visits + 1.0))
        kept = np.append(np.cumprod((1.0 - rate)[:0:-1])[::-1], np.ones(min(visits, 1)))
        weights: np.ndarray = rate * kept
        return weights
    weights = np.zeros(visits)
    ends = np.cumsum(stage_lengths(horizon, visits)) if visits else np.zeros(0)
    completed = ends[ends <= visits].astype(int)
    if completed.size:
        first = completed[-2] if completed.size > 1 else 0
        weights[first : completed[-1]] = 1.0 / (completed[-1] - first)
    return weights


class PlayedEpisode(NamedTuple):
    """One episode.

    Attributes
    ----------
    states, joint_actions
        (horizon,) int64.
    rewards
        (horizon, players).
    """

    states: np.ndarray
    joint_actions: np.ndarray
    rewards: np.ndarray


class CertifiedPolicy:
    """The certified policy of one run.

    Parameters
    ----------
    averaging
        Of the learner.
    num_actions
        Number of actions of each player.
    states
        (episodes, horizon): the state visited at each step.
    policies
        (episodes, horizon, players, max_actions): the product policy used there; zeros beyond a
        player's own actions.

    Raises
    ------
    InputError
        If the shapes do not fit, or there is no episode.
    """

    def __init__(
        self,
        averaging: Averaging,
        num_actions: tuple[int, ...],
        states: np.ndarray,
        policies: np.ndarray,
    ) -> None:
        expected = (*states.shape, len(num_actions), max(num_actions))
        if states.ndim != 2 or not states.size or policies.shape != expected:
            raise InputError(
                "certified policy: expected states (episodes, horizon) and policies (episodes, "
                f"horizon, players, max_actions), got {states.shape} and {policies.shape}"
            )
        self.averaging = averaging
        self.num_actions = num_actions
        self.states = states
        self.policies = policies

    @property
    def episodes(self) -> int:
        """K."""
        return int(self.states.shape[0])

    @property
    def horizon(self) -> int:
        """H."""
        return int(self.states.shape[1])

    @cached_property
    def _visits(self) -> dict[tuple[int, int], np.ndarray]:
        return {
            (step, int(state)): np.flatnonzero(self.states[:, step] == state)
            for step in range(self.horizon)
            for state in np.unique(self.states[:, step])
        }

    def visits(self, step: int, state: int) -> np.ndarray:
        """Return the episodes that visited a (step, state), in order."""
        return self._visits.get((step, state), np.zeros(0, dtype=np.int64))

    def play(self, source: Episodes, generator: np.random.Generator) -> PlayedEpisode:
        """Play one episode.

        Parameters
        ----------
        source
            The game.
        generator
            Shared by all players.

        Returns
        -------
        PlayedEpisode
        """
        states, joint_actions = np.zeros((2, self.horizon), dtype=np.int64)
        rewards = np.zeros((self.horizon, len(self.num_actions)))
        episode: int | None = int(generator.integers(self.episodes))
        state = source.reset(generator)
        for step in range(self.horizon):
            if episode is not None:
                episode = self._jump(step, state, episode, generator)
            actions = []
            for player, count in enumerate(self.num_actions):
                chance = None if episode is None else self.policies[episode, step, player, :count]
                actions.append(generator.choice(count, p=chance))
            joint = int(np.ravel_multi_index(actions, self.num_actions))
            states[step], joint_actions[step] = state, joint
            rewards[step], state = source.step(step, state, joint, generator)
        return PlayedEpisode(states, joint_actions, rewards)

    def _jump(
        self, step: int, state: int, episode: int, generator: np.random.Generator
    ) -> int | None:
        """Return the episode to go on from; None if there is no visit to draw."""
        visits = self.visits(step, state)
        before = int(np.searchsorted(visits, episode))
        weights = visit_weights(self.averaging, self.horizon, before)
        return int(generator.choice(visits[:before], p=weights)) if weights.any() else None


class _PolicyRecorder:
    """Keeps what a learner did."""

    needs_values = False
    needs_samples = False

    def __init__(self, source: Episodes, episodes: int) -> None:
        shape = (episodes, source.horizon)
        own = (source.num_players, max(source.num_actions))
        self.states = np.zeros(shape, dtype=np.int64)
        self.policies = np.zeros((*shape, *own))
        self.seen = 0

    def observe(self, chunk: VisitChunk, lane: int) -> None:
        now = slice(self.seen, self.seen + len(chunk.state))
        self.states[now] = chunk.state[..., lane]
        self.policies[now] = chunk.policy[..., lane]
        self.seen += len(chunk.state)

    def state(self) -> dict[str, np.ndarray]:
        return {"states": self.states[: self.seen], "policies": self.policies[: self.seen]}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.seen = len(state["states"])
        self.states[: self.seen] = state["states"]
        self.policies[: self.seen] = state["policies"]


def replay(
    result: OnlineResult,
    source: Episodes,
    seed: np.random.SeedSequence,
    options: Any = None,
    *,
    planned_episodes: int | None = None,
) -> CertifiedPolicy:
    """Run a learner again and return the certified policy of the run.

    Parameters
    ----------
    result
        Of the run, with its history.
    source, seed, options
        What it was made with.
    planned_episodes
        The last checkpoint of the run; None if `result` is from there.

    Returns
    -------
    CertifiedPolicy

    Raises
    ------
    InputError
        If the run was not recorded, the game is another one, the policies would take more than
        `MAX_POLICY_BYTES`, or the learner does something else this time.
    """
    name = result.algorithm
    if result.history is None:
        raise InputError(f"{name}: the run has no history; run it with record=True")
    if result.game_hash != source.content_hash:
        raise InputError(
            f"{name}: the run was on the game {result.game_hash}, not {source.content_hash}; "
            "give its own"
        )
    numbers = source.num_players * max(source.num_actions) + 1
    if result.samples * numbers * 8 > MAX_POLICY_BYTES:
        raise InputError(
            f"{name}: the policies of {result.episodes} episodes take more than "
            f"{MAX_POLICY_BYTES} bytes; replay fewer episodes"
        )
    recorder = _PolicyRecorder(source, result.episodes)
    planned = result.episodes if planned_episodes is None else planned_episodes
    batch = OnlineBatch(
        name, [source], [seed], options, episodes=planned, observers=[recorder], record=True
    )
    batch.advance(result.episodes)
    again = batch.results()[0].history
    if again is None or not all(map(np.array_equal, again, result.history)):
        raise InputError(
            f"{name}: replayed, the run takes another course; give the seed, options and planned "
            "episodes that it was made with"
        )
    return CertifiedPolicy(result.averaging, source.num_actions, recorder.states, recorder.policies)
