"""Peers and kernels share no code; given the same uniform numbers they learn the same."""

from importlib import import_module

import numpy as np
import pytest

from benchmarks.peers import jax_setup
from ccerates.games.families import make_game
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from ccerates.simulator.evb_sim import learn_batch
from ccerates.simulator.source import Simulator
from ccerates.streams import kernel_states
from twins import Xoshiro

ROUNDS, EPISODES, REPLICATES = 120, 60, 2
NO_JAX = pytest.mark.skipif(not jax_setup.is_installed(), reason="JAX is not installed")
LANES = ["vectorised", pytest.param("jax", marks=NO_JAX)]


def numbers(words, *shape):
    generator = Xoshiro(words)
    return np.array([generator.uniform() for _ in range(np.prod(shape))]).reshape(shape)


@pytest.fixture(scope="module", params=[(3,), (2, 4), (3, 2, 2)], ids=str)
def game(request):
    parameters = {"num_players": len(request.param), "num_actions": request.param}
    parameters |= {"num_states": 3, "horizon": 3}
    return make_game("dense-random", parameters, np.random.default_rng(5))


@pytest.fixture(scope="module")
def seeds():
    return np.random.SeedSequence(7).spawn(REPLICATES)


@pytest.fixture(scope="module")
def evb_sim(game, seeds):
    """The kernel's results, and the uniform numbers of one place."""
    shape = ROUNDS, game.num_players + 1

    def place(replicate, step, state):
        words = kernel_states(seeds[replicate], step, count=game.num_states)[state]
        return numbers(words, *shape)

    return learn_batch([Simulator(game)] * REPLICATES, ROUNDS, seeds), place


@pytest.fixture(scope="module")
def v_learning(game, seeds):
    """The kernel's results, and the uniform numbers of all replicates, which are the last axis."""
    (results,) = learn_online("v-learning", [Episodes(game)] * REPLICATES, [EPISODES], seeds)
    shape = EPISODES, 1 + game.horizon * (game.num_players + 1)
    words = [kernel_states(seed, count=1)[0] for seed in seeds]
    return results, np.stack([numbers(each, *shape) for each in words], axis=-1)


def assert_same_policies(result, policy, upper, lower):
    np.testing.assert_allclose(policy, result.policy, atol=1e-9)
    np.testing.assert_allclose(upper, result.upper_value, atol=1e-9)
    np.testing.assert_allclose(lower, result.lower_value, atol=1e-9)


@pytest.mark.parametrize("style", ["loop", "numba"])
def test_evb_sim_one_by_one(style, game, evb_sim):
    results, place = evb_sim
    learn = import_module(f"benchmarks.peers.evb_sim_{style}").learn
    learnt = learn(game, ROUNDS, lambda step, state: place(0, step, state))
    assert_same_policies(results[0], *learnt)


@pytest.mark.parametrize("style", LANES)
def test_evb_sim_side_by_side(style, game, evb_sim):
    results, place = evb_sim
    learn = import_module(f"benchmarks.peers.evb_sim_{style}").learn

    def draw(step):
        lanes = np.ndindex(REPLICATES, game.num_states)
        return np.stack([place(replicate, step, state) for replicate, state in lanes], axis=-1)

    learnt = learn(game, ROUNDS, REPLICATES, draw)
    for result, *own in zip(results, *learnt, strict=True):
        assert_same_policies(result, *own)


@pytest.mark.parametrize("style", ["loop", "numba"])
def test_v_learning_one_by_one(style, game, v_learning):
    results, uniforms = v_learning
    learn = import_module(f"benchmarks.peers.v_learning_{style}").learn
    upper, visits = learn(game, EPISODES, lambda: uniforms[..., 0])
    np.testing.assert_allclose(upper, results[0].upper_value, rtol=1e-10)
    np.testing.assert_array_equal(visits, results[0].visits)


@pytest.mark.parametrize("style", LANES)
def test_v_learning_side_by_side(style, game, v_learning):
    results, uniforms = v_learning
    learn = import_module(f"benchmarks.peers.v_learning_{style}").learn
    upper, visits = learn(game, EPISODES, REPLICATES, lambda: uniforms)
    for result, own_upper, own_visits in zip(results, upper, visits, strict=True):
        np.testing.assert_allclose(own_upper, result.upper_value, rtol=1e-10)
        np.testing.assert_array_equal(own_visits, result.visits)
