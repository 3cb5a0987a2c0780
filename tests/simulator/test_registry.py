"""Learners by name."""

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.simulator.registry import MODULES, learn, simulator_learner
from ccerates.simulator.source import Simulator


@pytest.mark.parametrize("algorithm", MODULES)
def test_learn_is_a_batch_of_one(algorithm, random_game) -> None:
    simulator, seed = Simulator(random_game(0, (2, 3))), np.random.SeedSequence(1)
    learner = simulator_learner(algorithm)
    options = learner.options_type(rate_scale=0.01)
    result = learn(algorithm, simulator, 30, seed, options, threads=2)
    (expected,) = learner.learn_batch([simulator], 30, [seed], options)
    assert result.algorithm == algorithm
    assert result.samples == learner.samples(simulator, 30)
    np.testing.assert_array_equal(result.policy, expected.policy)
    assert not np.array_equal(result.policy, learn(algorithm, simulator, 30, seed).policy)


def test_unknown_learners_are_refused(random_game) -> None:
    with pytest.raises(InputError, match=r"learner 'evb'; did you mean 'evb-sim'"):
        learn("evb", Simulator(random_game(0, (2,))), 10, np.random.SeedSequence(0))
