"""Policies handed to OpenSpiel, whose own code must find the same gaps."""

import functools

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability

from ccerates.api.openspiel_policies import openspiel_device, openspiel_policy
from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap, product_policy
from ccerates.games.openspiel import import_openspiel
from ccerates.games.units import own_gap

DESCENDING = "points_order=descending,returns_type=point_difference"
GAMES = [
    "goofspiel(num_cards=3)",
    f"goofspiel(num_cards=3,{DESCENDING})",
    "goofspiel(num_cards=3,players=3,points_order=descending,returns_type=total_points)",
    "matrix_shapleys_game",
    "matching_pennies_3p",
    "nim(pile_sizes=1;2;2)",
    "oshi_zumo(coins=3,size=1,min_bid=1)",
]


@functools.cache
def imported(game_string):
    return import_openspiel(game_string)


def random_rows(game, count, seed):
    generator = np.random.default_rng(seed)
    return generator.dirichlet(np.full(count, 0.4), size=(game.horizon, game.num_states))


def in_turn(game_string):
    game = pyspiel.load_game(game_string)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game


def own_gaps(game, policy):
    return np.array([own_gap(game, gap) for gap in cce_gap(game, policy).players])


@pytest.mark.parametrize("game_string", GAMES)
def test_independent_players(game_string):
    game = imported(game_string)
    rows = [random_rows(game, count, 7 + own) for own, count in enumerate(game.num_actions)]
    policy = product_policy(game, rows)
    found = exploitability.nash_conv(
        in_turn(game_string), openspiel_policy(game, policy), return_only_nash_conv=False
    )
    gaps = own_gaps(game, policy)
    np.testing.assert_allclose(found.player_improvements, gaps, atol=1e-9)
    assert gaps.max() > 0.01


@pytest.mark.parametrize("game_string", GAMES)
def test_correlated_players(game_string):
    """OpenSpiel takes gaps below 0 for 0 and adds up those of the players."""
    game = imported(game_string)
    policy = random_rows(game, game.num_joint_actions, 5)
    policy[policy < 0.2] = 0.0
    policy[policy.sum(axis=-1) == 0.0, 0] = 1.0
    policy /= policy.sum(axis=-1, keepdims=True)
    device = openspiel_device(game, policy, max_policies=3_000)
    assert sum(chance for chance, _ in device) == pytest.approx(1.0)
    found = pyspiel.cce_dist(in_turn(game_string), device)
    gaps = own_gaps(game, policy)
    assert found.dist_value == pytest.approx(np.maximum(gaps, 0.0).sum(), abs=1e-9)
    np.testing.assert_allclose(
        np.array(found.deviation_incentives), np.maximum(gaps, 0.0), atol=1e-9
    )
    assert gaps.max() > 0.01
    if "goofspiel" in game_string:
        with pytest.raises(
            InputError, match=r"players do not draw independently, .* openspiel_device"
        ):
            openspiel_policy(game, policy)


def test_refusals(monkeypatch):
    endless = import_openspiel("oshi_zumo(coins=3,size=1)", horizon=5)
    uniform = np.full((5, endless.num_states, endless.num_joint_actions), 1 / 16)
    with pytest.raises(InputError, match="play goes on after 5 steps, where the policy ends; "):
        openspiel_policy(endless, uniform)
    small = imported("goofspiel(num_cards=3)")
    with pytest.raises(InputError, match=r"more than max_policies = 9; raise it"):
        openspiel_device(small, random_rows(small, 9, 1), max_policies=9)
    soccer = import_openspiel("markov_soccer(grid=.OB.\n.AO.)", horizon=2)
    with pytest.raises(InputError, match="gives no information states of this game"):
        openspiel_policy(soccer, random_rows(soccer, 25, 1))
    monkeypatch.setattr("ccerates.api.openspiel_policies.MAX_NODES", 10)
    with pytest.raises(InputError, match="has more than 10 histories"):
        openspiel_policy(small, random_rows(small, 9, 1))
