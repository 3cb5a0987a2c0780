"""Variances of returns against enumeration of all trajectories and values worked out by hand."""

import itertools

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.evaluation.markov import uniform_policy
from ccerates.evaluation.variance import return_variance, total_variance
from ccerates.games.model import MarkovGame


def enumerated_variance(game, policy, start):
    """Return every player's variance of the return, from the list of all trajectories."""
    branches = list(
        itertools.product(range(game.num_joint_actions), range(game.next_state.shape[-1]))
    )
    chances, returns = [], []
    for trajectory in itertools.product(branches, repeat=game.horizon):
        state, chance, total = start, 1.0, np.zeros(game.num_players)
        for step, (joint, move) in enumerate(trajectory):
            layer = game.layer[step]
            chance *= policy[step, state, joint] * game.probability[layer, state, joint, move]
            total = total + game.reward[layer, :, state, joint]
            state = game.next_state[layer, state, joint, move]
        chances.append(chance)
        returns.append(total)
    chances, returns = np.array(chances), np.array(returns)
    assert chances.sum() == pytest.approx(1.0)
    mean = chances @ returns
    return chances @ (returns - mean) ** 2


@pytest.mark.parametrize(
    ("num_actions", "horizon", "layers"), [((2,), 3, 3), ((2, 2), 3, 2), ((3, 2), 2, 1)]
)
def test_both_are_the_variance_over_all_trajectories(
    random_game, random_policy, num_actions, horizon, layers
) -> None:
    game = random_game(11, num_actions, horizon=horizon, layers=layers)
    policy = random_policy(12, game)
    expected = [enumerated_variance(game, policy, start) for start in range(game.num_states)]
    assert np.min(expected) > 1e-3
    np.testing.assert_allclose(total_variance(game, policy), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(return_variance(game, policy), expected, rtol=0, atol=1e-12)


def coin_game(horizon):
    """Return a one-state, one-player game in which action a pays a at each step."""
    return MarkovGame(
        num_actions=(2,),
        reward=np.array([[[[0.0, 1.0]]]]),
        next_state=np.zeros((1, 1, 2, 1), dtype=int),
        probability=np.ones((1, 1, 2, 1)),
        layer=np.zeros(horizon, dtype=int),
        start=np.ones(1),
    )


@pytest.mark.parametrize("variance", [total_variance, return_variance])
def test_fair_coins_at_every_step_add_up(variance) -> None:
    """H independent coins: H / 4."""
    game = coin_game(7)
    np.testing.assert_allclose(variance(game, uniform_policy(game)), [[7 / 4]], atol=1e-14)


@pytest.mark.parametrize("variance", [total_variance, return_variance])
def test_one_coin_for_all_steps_has_the_largest_variance(variance) -> None:
    """From state 0 a fair coin decides between returns 0 and H: exactly H^2 / 4."""
    horizon = 6
    reward = np.zeros((2, 1, 3, 2))
    reward[0, 0, 0, 1] = 1.0  # step 0: action 1 pays and leads to the state that always pays
    reward[1, 0, 1] = 1.0
    next_state = np.zeros((2, 3, 2, 1), dtype=int)
    next_state[0, 0, :, 0] = 2, 1
    next_state[1, :, :, 0] = np.arange(3)[:, None]
    game = MarkovGame(
        num_actions=(2,),
        reward=reward,
        next_state=next_state,
        probability=np.ones((2, 3, 2, 1)),
        layer=np.array([0] + [1] * (horizon - 1)),
        start=np.array([1.0, 0.0, 0.0]),
    )
    assert variance(game, uniform_policy(game))[0, 0] == pytest.approx(horizon**2 / 4)


@pytest.mark.parametrize("variance", [total_variance, return_variance])
def test_deterministic_play_has_none(variance) -> None:
    game = coin_game(50)
    always = np.zeros((50, 1, 2))
    always[..., 1] = 1.0
    np.testing.assert_allclose(variance(game, always), 0.0, atol=1e-11)


def test_both_agree_on_larger_games(random_game, random_policy) -> None:
    game = random_game(13, (3, 2, 2), horizon=12, states=20, successors=5)
    policy = random_policy(14, game)
    total = total_variance(game, policy)
    np.testing.assert_allclose(total, return_variance(game, policy), rtol=0, atol=1e-11)
    assert total.shape == (20, 3)
    assert (total <= 12**2 / 4).all()


@pytest.mark.parametrize("variance", [total_variance, return_variance])
def test_wrong_policies_are_refused(variance) -> None:
    game = coin_game(2)
    with pytest.raises(InputError, match=r"state 0 sums to 0\.8"):
        variance(game, 0.8 * uniform_policy(game))
