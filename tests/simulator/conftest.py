"""Random games for the tests of the simulator learners."""

import numpy as np
import pytest

from ccerates.games.model import MarkovGame


def _random_game(seed, num_actions, *, horizon=3, states=3, successors=3):
    """Return a game whose successor lists hold unused places, also between used ones."""
    rng = np.random.default_rng(seed)
    joint = int(np.prod(num_actions))
    shape = (horizon, states, joint, successors)
    probability = rng.dirichlet(np.ones(successors), shape[:3])
    probability[rng.random(shape) < 0.3] = 0.0
    probability[..., 0] += probability.sum(axis=-1) == 0.0
    return MarkovGame(
        num_actions=num_actions,
        reward=rng.random((horizon, len(num_actions), states, joint)),
        next_state=rng.integers(0, states, shape),
        probability=probability / probability.sum(axis=-1, keepdims=True),
        layer=rng.permutation(horizon),
        start=rng.dirichlet(np.ones(states)),
    )


@pytest.fixture(scope="session")
def random_game():
    return _random_game
