"""What must hold for every game, and games whose gaps are known."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccerates.evaluation.markov import (
    best_response_value,
    cce_gap,
    policy_value,
    product_policy,
    uniform_policy,
)
from ccerates.games.model import MarkovGame

TOLERANCE = 1e-10
instances = given(
    num_actions=st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple),
    shape=st.fixed_dictionaries(
        {
            "horizon": st.integers(1, 4),
            "states": st.integers(1, 4),
            "successors": st.integers(1, 3),
        }
    ),
    seed=st.integers(0, 2**32 - 1),
)
few = settings(max_examples=40, deadline=None)


@few
@instances
def test_renaming_players_and_actions_renames_the_gaps(
    random_game, random_policy, num_actions, shape, seed
):
    game = random_game(seed, num_actions, **shape)
    policy = random_policy(seed, game)
    rng = np.random.default_rng(seed)
    players = rng.permutation(game.num_players)
    actions = [rng.permutation(count) for count in num_actions]
    # renamed[j'] is the old index of the joint action that is now called j'
    old = np.arange(game.num_joint_actions).reshape(num_actions)[np.ix_(*actions)]
    renamed = old.transpose(players).ravel()
    other = replace(
        game,
        num_actions=tuple(num_actions[player] for player in players),
        reward=game.reward[:, players][..., renamed],
        next_state=game.next_state[:, :, renamed],
        probability=game.probability[:, :, renamed],
    )
    report, again = cce_gap(game, policy), cce_gap(other, policy[..., renamed])
    np.testing.assert_allclose(again.players, report.players[players], atol=TOLERANCE)
    np.testing.assert_allclose(again.players_worst, report.players_worst[players], atol=TOLERANCE)


@few
@instances
def test_renaming_states_leaves_the_gaps_alone(
    random_game, random_policy, num_actions, shape, seed
):
    game = random_game(seed, num_actions, **shape)
    policy = random_policy(seed, game)
    old = np.random.default_rng(seed).permutation(game.num_states)
    new_name = np.argsort(old)
    other = replace(
        game,
        reward=game.reward[:, :, old],
        next_state=new_name[game.next_state[:, old]],
        probability=game.probability[:, old],
        start=game.start[old],
    )
    report, again = cce_gap(game, policy), cce_gap(other, policy[:, old])
    np.testing.assert_allclose(again.players, report.players, atol=TOLERANCE)
    np.testing.assert_allclose(again.players_worst, report.players_worst, atol=TOLERANCE)


@few
@instances
def test_gaps_scale_with_rewards_and_ignore_shifts(
    random_game, random_policy, num_actions, shape, seed
):
    game = random_game(seed, num_actions, **shape)
    policy = random_policy(seed, game)
    rng = np.random.default_rng(seed)
    scale = rng.random(game.num_players)
    shift = (1 - scale) * rng.random(game.num_players)
    reward = scale[:, None, None] * game.reward + shift[:, None, None]
    report, again = cce_gap(game, policy), cce_gap(replace(game, reward=reward), policy)
    np.testing.assert_allclose(again.players, scale * report.players, atol=TOLERANCE)
    np.testing.assert_allclose(again.players_worst, scale * report.players_worst, atol=TOLERANCE)


@few
@instances
def test_the_report_orders_values_and_gaps(random_game, random_policy, num_actions, shape, seed):
    game = random_game(seed, num_actions, **shape)
    product = product_policy(
        game,
        [
            np.random.default_rng([seed, player]).dirichlet(
                np.ones(count), (game.horizon, game.num_states)
            )
            for player, count in enumerate(num_actions)
        ],
    )
    # Against a product policy, playing one's own part is one of the deviations.
    assert (best_response_value(game, product) >= policy_value(game, product) - TOLERANCE).all()
    policy = random_policy(seed, game)
    report = cce_gap(game, policy)
    assert report.gap == report.players.max()
    assert report.gap_worst == report.players_worst.max() >= report.gap - TOLERANCE
    at_state = replace(game, start=np.eye(game.num_states)[0])
    gaps = best_response_value(game, policy)[0, 0] - policy_value(game, policy)[0, 0]
    np.testing.assert_allclose(cce_gap(at_state, policy).players, gaps, atol=TOLERANCE)


@few
@instances
def test_one_step_is_a_matrix_game_in_each_state(
    random_game, random_policy, matrix_game, num_actions, shape, seed
):
    game = random_game(seed, num_actions, **{**shape, "horizon": 1})
    policy = random_policy(seed, game)
    gaps = np.array(
        [
            cce_gap(
                matrix_game(game.reward[0, :, state].reshape(-1, *num_actions)),
                policy[:, [state]],
            ).players
            for state in range(game.num_states)
        ]
    )
    report = cce_gap(game, policy)
    np.testing.assert_allclose(report.players, game.start @ gaps, atol=TOLERANCE)
    np.testing.assert_allclose(report.players_worst, gaps.max(axis=0), atol=TOLERANCE)


def test_uniform_play_is_the_equilibrium_of_matching_pennies(matrix_game):
    game = matrix_game([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
    assert cce_gap(game, uniform_policy(game)).gap == pytest.approx(0.0, abs=TOLERANCE)
    heads = product_policy(game, [np.array([[[1.0, 0.0]]]), np.array([[[0.5, 0.5]]])])
    np.testing.assert_allclose(cce_gap(game, heads).players, [0.0, 0.5], atol=TOLERANCE)


@pytest.mark.parametrize("horizon", [1, 5])
def test_cooperation_in_the_prisoners_dilemma_loses_the_temptation_each_step(horizon):
    reward, temptation, sucker, punishment = 0.6, 1.0, 0.0, 0.2
    row = [reward, sucker, temptation, punishment]
    column = [reward, temptation, sucker, punishment]
    game = MarkovGame(
        num_actions=(2, 2),
        reward=np.array([row, column]).reshape(1, 2, 1, 4),
        next_state=np.zeros((1, 1, 4, 1), dtype=int),
        probability=np.ones((1, 1, 4, 1)),
        layer=np.zeros(horizon, dtype=int),
        start=np.ones(1),
    )
    cooperate, defect = np.tile(np.eye(4)[[0, 3]][:, None, None], (1, horizon, 1, 1))
    expected = horizon * (temptation - reward)
    assert cce_gap(game, cooperate).gap == pytest.approx(expected, abs=TOLERANCE)
    assert cce_gap(game, defect).gap == pytest.approx(0.0, abs=TOLERANCE)


def test_worst_start_is_not_the_start_distribution():
    # State 0 pays the second action only, state 1 pays everything alike; play starts in state 1.
    game = MarkovGame(
        num_actions=(2,),
        reward=np.array([[[[0.0, 1.0], [0.5, 0.5]]]]),
        next_state=np.zeros((1, 2, 2, 1), dtype=int),
        probability=np.ones((1, 2, 2, 1)),
        layer=np.zeros(1, dtype=int),
        start=np.array([0.0, 1.0]),
    )
    report = cce_gap(game, np.array([[[1.0, 0.0], [1.0, 0.0]]]))
    assert (report.gap, report.gap_worst) == (0.0, 1.0)
