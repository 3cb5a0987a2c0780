"""Samples that tell what a given policy is worth, and what deviations from it are worth."""

import math
from collections.abc import Callable

import numpy as np

from ccerates.certification.sampled_game import SampledGame
from ccerates.errors import InputError
from ccerates.sample_source import cumulative_probability

_CHUNK = 1024  # samples between two reports of progress
_MOST_BYTES = 4 * 2**30


class Draws:
    """Samples at every step and state reached: of the policy, and of every deviation from it.

    Reached is where the game may start, and whatever a sample led to. Elsewhere nothing is drawn:
    bounds there enter no sum (think of all samples as drawn, and of these as never looked at).

    A round takes `follow_per_round` samples with all players following the policy, and one for
    every player and each of its actions, with the others following.

    Parameters
    ----------
    game
        Where samples come from.
    policy
        (horizon, states, joint_actions), rows sum to one.
    most_rounds
        How many rounds there will be at most.
    generator
        Source of randomness.

    Attributes
    ----------
    rounds
        Number of rounds so far, at every step and state reached.
    reached
        (horizon, states) bool.
    player, action
        (deviations,) whose deviation it is and to which action.
    follow_per_round
        About (sum_i A_i)^(2/3): for a given number of samples the radii of the policy's value and
        of a deviation's add up to the least then, if their variances are equal.

    Raises
    ------
    InputError
        If so many rounds do not fit into memory.
    """

    def __init__(
        self,
        game: SampledGame,
        policy: np.ndarray,
        most_rounds: int,
        generator: np.random.Generator,
    ) -> None:
        self._game, self._generator = game, generator
        self._cumulative = cumulative_probability(policy)
        if not fits_memory(game, most_rounds):
            raise InputError(
                f"samples: so many need more than {_MOST_BYTES / 2**30:g} GiB of memory; take fewer"
            )
        places, players = (game.horizon, game.num_states), len(game.num_actions)
        self.reached = np.zeros(places, dtype=np.bool_)
        self.reached[0] = True if game.start is None else game.start > 0.0
        self._drawn = np.zeros(places, dtype=np.int64)
        self.rounds, self.follow_per_round = 0, follow_per_round(game.num_actions)
        self.player = np.repeat(np.arange(players), game.num_actions)
        self.action = np.concatenate([np.arange(count) for count in game.num_actions])
        follows, deviations = most_rounds * self.follow_per_round, len(self.player)
        self._follow_reward = np.empty((*places, players, follows))
        self._follow_next = np.empty((*places, follows), dtype=np.int32)
        self._deviation_reward = np.empty((*places, deviations, most_rounds))
        self._deviation_next = np.empty((*places, deviations, most_rounds), dtype=np.int32)

    def extend(self, rounds: int, advance: Callable[[int], object]) -> None:
        """Draw until there are so many rounds at every step and state reached.

        Parameters
        ----------
        rounds
            Their number, not below `rounds` now.
        advance
            Called with the number of samples drawn since it was called last.
        """
        for step in range(self._game.horizon):
            for state in np.flatnonzero(self.reached[step]).tolist():
                self._extend_place(step, state, rounds, advance)
        self.rounds = rounds

    @property
    def samples(self) -> int:
        """Number of samples so far."""
        return int(self._drawn.sum()) * (self.follow_per_round + len(self.player))

    def _extend_place(
        self, step: int, state: int, rounds: int, advance: Callable[[int], object]
    ) -> None:
        old, per = int(self._drawn[step, state]), self.follow_per_round
        for place in _chunks(old * per, rounds * per):
            rewards, following = self._draw(step, state, place, None)
            self._follow_reward[step, state, :, place] = rewards.T
            self._follow_next[step, state, place] = following
            advance(len(rewards))
        for deviation, player in enumerate(self.player.tolist()):
            for place in _chunks(old, rounds):
                rewards, following = self._draw(step, state, place, deviation)
                self._deviation_reward[step, state, deviation, place] = rewards[:, player]
                self._deviation_next[step, state, deviation, place] = following
                advance(len(rewards))
        self._drawn[step, state] = rounds

    def follow(self, step: int, state: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (players, samples) rewards and (samples,) next states of the policy."""
        count = self.rounds * self.follow_per_round
        reward = self._follow_reward[step, state, :, :count]
        return reward, self._follow_next[step, state, :count]

    def deviate(self, step: int, state: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (deviations, rounds) rewards of the deviating player, and next states."""
        place = (step, state, slice(None), slice(self.rounds))
        return self._deviation_reward[place], self._deviation_next[place]

    def _draw(
        self, step: int, state: int, place: slice, deviation: int | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (samples, players) rewards and (samples,) next states."""
        uniform = self._generator.random(place.stop - place.start)
        joint = np.searchsorted(self._cumulative[step, state], uniform, side="right")
        if deviation is not None:
            actions = list(np.unravel_index(joint, self._game.num_actions))
            player = self.player[deviation]
            actions[player] = np.full_like(joint, self.action[deviation])
            joint = np.ravel_multi_index(actions, self._game.num_actions)
        sample, generator = self._game.sample, self._generator
        drawn = [sample(step, state, each, generator) for each in joint.tolist()]
        rewards, following = zip(*drawn, strict=True)
        self.reached[step + 1 : step + 2, following] = True  # nothing after the last step
        return np.array(rewards), np.array(following)


def follow_per_round(num_actions: tuple[int, ...]) -> int:
    """Return the number of samples of the policy in a round."""
    return max(1, round(math.cbrt(sum(num_actions)) ** 2))


def samples_per_round(game: SampledGame) -> int:
    """Return the number of samples in a round if all states are reached at all steps."""
    per_place = follow_per_round(game.num_actions) + sum(game.num_actions)
    return game.horizon * game.num_states * per_place


def fits_memory(game: SampledGame, rounds: int) -> bool:
    """Return whether the samples of so many rounds fit into memory."""
    per_place = (8 * len(game.num_actions) + 4) * follow_per_round(game.num_actions)
    per_place += (8 + 4) * sum(game.num_actions)
    return rounds * game.horizon * game.num_states * per_place <= _MOST_BYTES


def _chunks(start: int, stop: int) -> list[slice]:
    """Return slices that cover start..stop."""
    return [slice(at, min(at + _CHUNK, stop)) for at in range(start, stop, _CHUNK)]
