"""Random games, and small batches of runs, for the tests of the online learners."""

import numpy as np
import pytest

from ccerates.games.model import MarkovGame
from ccerates.online.source import Episodes


def _random_game(seed, num_actions, *, horizon=3, states=3, successors=3):
    """Return a game whose successor lists and start hold unused places, also between used ones."""
    rng = np.random.default_rng(seed)
    joint = int(np.prod(num_actions))
    shape = (horizon, states, joint, successors)
    probability = rng.dirichlet(np.ones(successors), shape[:3])
    probability[rng.random(shape) < 0.3] = 0.0
    probability[..., 0] += probability.sum(axis=-1) == 0.0
    start = rng.dirichlet(np.ones(states))
    if states > 2:
        start[1], start[-1] = 0.0, start[-1] + start[1]
    return MarkovGame(
        num_actions=num_actions,
        reward=rng.random((horizon, len(num_actions), states, joint)),
        next_state=rng.integers(0, states, shape),
        probability=probability / probability.sum(axis=-1, keepdims=True),
        layer=rng.permutation(horizon),
        start=start,
    )


@pytest.fixture(scope="session")
def random_game():
    return _random_game


@pytest.fixture(scope="session")
def make_sources():
    """Return a function that makes Episodes of different games of one shape."""

    def make(count, num_actions=(2, 3), **sizes):
        return [Episodes(_random_game(seed, num_actions, **sizes)) for seed in range(count)]

    return make


@pytest.fixture(scope="session")
def make_seeds():
    return lambda count: [np.random.SeedSequence(7, spawn_key=(place,)) for place in range(count)]
