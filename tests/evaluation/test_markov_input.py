"""Policies made by hand, and policies that cannot be used."""

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.evaluation.markov import (
    best_response_value,
    cce_gap,
    check_policy,
    policy_value,
    product_policy,
    uniform_policy,
)


@pytest.fixture
def game(random_game):
    return random_game(0, (2, 3), horizon=2, states=4)


def test_product_policy_multiplies_in_row_major_order(random_game):
    game = random_game(0, (2, 3, 2), horizon=2, states=3)
    rng = np.random.default_rng(0)
    own = [rng.dirichlet(np.ones(count), (2, 3)) for count in game.num_actions]
    joint = product_policy(game, own)
    for step, state, *actions in np.ndindex(2, 3, 2, 3, 2):
        index = (actions[0] * 3 + actions[1]) * 2 + actions[2]
        expected = np.prod([own[player][step, state, a] for player, a in enumerate(actions)])
        assert joint[step, state, index] == pytest.approx(expected, rel=1e-14)


def test_uniform_policy_is_the_product_of_uniform_policies(game):
    own = [np.full((2, 4, count), 1 / count) for count in game.num_actions]
    np.testing.assert_allclose(uniform_policy(game), product_policy(game, own), rtol=1e-14)


def test_small_rounding_is_repaired_in_a_copy(game):
    policy = uniform_policy(game) * (1 + 5e-10)
    before = policy.copy()
    np.testing.assert_allclose(check_policy(game, policy).sum(axis=-1), 1.0, rtol=1e-15)
    np.testing.assert_array_equal(policy, before)


def wrong_entry(value):
    def spoil(policy):
        policy[1, 2, 3] = value
        return policy

    return spoil


BAD = {
    "shape": (lambda policy: policy[:, :3], r"expected shape .* \(2, 4, 6\), got \(2, 3, 6\)"),
    "vector": (lambda policy: policy[0, 0], r"got \(6,\)"),
    "ragged": (lambda policy: [[0.5], [0.5, 0.5]], "not a rectangular array"),
    "negative": (wrong_entry(-0.25), "step 1, state 2, action 3 is -0.25"),
    "nan": (wrong_entry(np.nan), "step 1, state 2, action 3 is nan"),
    "infinite": (wrong_entry(np.inf), "step 1, state 2 sums to inf"),
    "sum": (wrong_entry(0.5), r"step 1, state 2 sums to 1\.333.*expected 1"),
    "slightly off": (wrong_entry(1 / 6 + 2e-9), r"step 1, state 2 sums to 1\.000000002"),
}


@pytest.mark.parametrize(("spoil", "message"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("function", [cce_gap, policy_value, best_response_value, check_policy])
def test_unusable_policies_are_refused_with_the_place(game, function, spoil, message):
    with pytest.raises(InputError, match=f"policy.*{message}"):
        function(game, spoil(uniform_policy(game)))


def test_product_policy_names_the_player(game):
    own = [np.full((2, 4, count), 1 / count) for count in game.num_actions]
    with pytest.raises(InputError, match="each of 2 players, got 1"):
        product_policy(game, own[:1])
    own[1][0, 1] = 0.5
    with pytest.raises(InputError, match=r"policy of player 1 at step 0, state 1 sums to 1\.5"):
        product_policy(game, own)
