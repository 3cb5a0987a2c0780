"""The uniform sampler finds hidden actions as often as the binomial distribution says."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ccerates.errors import InputError
from ccerates.games.families import make_game
from ccerates.simulator.source import Simulator
from ccerates.simulator.uniform_sampler import sample_uniformly, samples

PARAMETERS = {"num_players": 2, "num_actions": [3, 2], "num_blocks": 2, "horizon": 3}
CONSTANTS = {"eps_game": 0.45, "advantage_constant": 4.0}  # keeps with 0.467 or 0.867


def right_share(rounds, runs):
    """Return how often the hidden action was chosen, over runs, steps but the last, and blocks."""
    games = [
        make_game("hidden-action", PARAMETERS | CONSTANTS, np.random.default_rng((run, 1)))
        for run in range(runs)
    ]
    seeds = [np.random.SeedSequence(run) for run in range(runs)]
    policies = sample_uniformly([Simulator(game) for game in games], rounds, seeds)
    right = []
    for game, policy in zip(games, policies, strict=True):
        assert policy.shape == (3, 4, 6)
        np.testing.assert_array_equal(policy.sum(axis=-1), 1.0)
        np.testing.assert_array_equal(policy[:, :, 1::2], 0.0)  # the other player: action 0
        chosen = policy[:-1, ::2].argmax(axis=-1) // 2
        right += (chosen == np.array(game.metadata["keys"])[:-1]).ravel().tolist()
    return np.array(right)


@pytest.mark.parametrize("rounds", [0, 1, 3, 8])
def test_frequency_of_right_choices_is_the_binomial_one(rounds):
    wrong, right = (1 - 1 / 3 + sign * 4 * 0.45 / 9 for sign in (-1, 1))
    chance = 0.0
    for stays in itertools.product(range(rounds + 1), repeat=3):  # the first is the right one
        probability = math.prod(
            stats.binom.pmf(count, rounds, stay)
            for count, stay in zip(stays, (right, wrong, wrong), strict=True)
        )
        if stays[0] == max(stays):
            chance += probability / stays.count(max(stays))
    found = right_share(rounds, 250)
    # Four sigma; the test sees 1000 independent places.
    assert abs(found.mean() - chance) <= 4 * math.sqrt(chance * (1 - chance) / found.size)


def test_counts_are_those_of_single_calls():
    """From the same uniform numbers the simulator itself would draw the same samples."""
    game = make_game("hidden-action", PARAMETERS | CONSTANTS, np.random.default_rng(5))
    simulator, rounds = Simulator(game), 4
    (policy,) = sample_uniformly([simulator], rounds, [np.random.SeedSequence(7)])
    generator = np.random.default_rng(np.random.SeedSequence(7))
    for step, rich in itertools.product(range(2), (0, 2)):
        stays = [
            sum(simulator.sample(step, rich, joint, generator)[1] == rich for _ in range(rounds))
            for joint in (0, 2, 4)
        ]
        best = generator.choice([action for action in range(3) if stays[action] == max(stays)])
        assert policy[step, rich, 2 * best] == 1.0


def test_every_call_is_counted():
    game = make_game("hidden-action", PARAMETERS | CONSTANTS, np.random.default_rng(5))
    assert samples(Simulator(game), 7) == 7 * 2 * 2 * 3  # steps but the last, blocks, actions


def test_unusable_input_is_named():
    simulator = Simulator(
        make_game("hidden-action", PARAMETERS | CONSTANTS, np.random.default_rng(0))
    )
    with pytest.raises(InputError, match="uniform-sampler: rounds: expected an integer >= 0"):
        sample_uniformly([simulator], -1, [np.random.SeedSequence(1)])
    with pytest.raises(InputError, match="2 simulators and 1 seeds; give one seed for each"):
        sample_uniformly([simulator] * 2, 1, [np.random.SeedSequence(1)])
