"""Random games and policies for the tests of exact evaluation."""

import numpy as np
import pytest

from ccerates.games.model import MarkovGame


def _random_game(seed, num_actions, *, horizon=3, states=3, successors=2, layers=None):
    """Return a game whose every step has a layer of its own unless `layers` says otherwise."""
    rng = np.random.default_rng(seed)
    layers = horizon if layers is None else layers
    joint = int(np.prod(num_actions))
    return MarkovGame(
        num_actions=num_actions,
        reward=rng.random((layers, len(num_actions), states, joint)),
        next_state=rng.integers(0, states, (layers, states, joint, successors)),
        probability=rng.dirichlet(np.ones(successors), (layers, states, joint)),
        layer=np.arange(horizon) % layers,
        start=rng.dirichlet(np.ones(states)),
    )


def _random_policy(seed, game):
    rng = np.random.default_rng(seed)
    concentration = np.full(game.num_joint_actions, 0.3)  # far from uniform and from a product
    return rng.dirichlet(concentration, (game.horizon, game.num_states))


def _matrix_game(payoff):
    """Return the one-step, one-state game of a payoff tensor (players, A_0, .., A_{m-1})."""
    payoff = np.asarray(payoff, dtype=float)
    num_actions = payoff.shape[1:]
    joint = int(np.prod(num_actions))
    return MarkovGame(
        num_actions=num_actions,
        reward=payoff.reshape(1, len(payoff), 1, joint),
        next_state=np.zeros((1, 1, joint, 1), dtype=int),
        probability=np.ones((1, 1, joint, 1)),
        layer=np.zeros(1, dtype=int),
        start=np.ones(1),
    )


# Functions handed out by session-wide fixtures, which Hypothesis tests may use too.
@pytest.fixture(scope="session")
def random_game():
    return _random_game


@pytest.fixture(scope="session")
def random_policy():
    return _random_policy


@pytest.fixture(scope="session")
def matrix_game():
    return _matrix_game
