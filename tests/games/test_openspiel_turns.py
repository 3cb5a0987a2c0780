"""Games in which players move in turn, against OpenSpiel's own algorithms and known answers."""

import functools

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import expected_game_score, exploitability

from ccerates.evaluation.markov import best_response_value, policy_value, product_policy
from ccerates.games.openspiel import import_openspiel

TURNS = [
    "nim(pile_sizes=1;2;2)",
    "nim(pile_sizes=2;3,is_misere=false)",
    "connect_four(rows=2,columns=3,x_in_row=2)",
    "misere(game=connect_four(rows=2,columns=3,x_in_row=2))",
    "hex(board_size=2)",
]
SIMULTANEOUS = [
    "goofspiel(num_cards=3)",
    "goofspiel(num_cards=3,points_order=descending,returns_type=point_difference)",
    "goofspiel(num_cards=3,players=3,points_order=descending,returns_type=total_points)",
    "matching_pennies_3p",
    "matrix_bos",
    "blotto(coins=4,fields=3)",
    "oshi_zumo(coins=3,size=1,min_bid=1)",
]


@functools.cache
def imported(game_string, horizon=None):
    return import_openspiel(game_string, horizon=horizon)


def uniform_over_legal(game):
    """Return the product policy that plays all legal actions of a player equally often.

    Action a stands for legal action a mod n, so the first n actions are all different.
    """
    policies = []
    for player, count in enumerate(game.num_actions):
        own = np.full((game.num_states, count), 1.0 / count)
        for state, legal in enumerate(game.metadata["legal_actions"]):
            own[state] = np.arange(count) < len(legal[player])
            own[state] /= len(legal[player])
        policies.append(np.repeat(own[None], game.horizon, axis=0))
    return product_policy(game, policies)


def optimal_value(game):
    """Return player 0's value of each state in own units, if both play well and in turn."""
    scale, offset = game.metadata["reward_scale"], game.metadata["reward_offset"]
    value = np.zeros(game.num_states)
    for _ in range(game.horizon):
        following = (game.probability[0] * value[game.next_state[0]]).sum(axis=-1)
        total = (offset + scale * game.reward[0, 0] + following).reshape(-1, *game.num_actions)
        value = total.min(axis=2).max(axis=1)
        np.testing.assert_allclose(value, total.max(axis=1).min(axis=1))  # one of them moves
    return value


def in_own_units(game, values):
    scale, offset = game.metadata["reward_scale"], game.metadata["reward_offset"]
    return game.horizon * offset + scale * (game.start @ values[0])


@pytest.mark.parametrize("game_string", [*TURNS, *SIMULTANEOUS])
def test_values_and_best_responses_are_those_of_openspiel(game_string):
    game, theirs = imported(game_string), pyspiel.load_game(game_string)
    if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    uniform = openspiel_policy.UniformRandomPolicy(theirs)
    players = [uniform] * game.num_players
    expected = expected_game_score.policy_value(theirs.new_initial_state(), players)
    ours = uniform_over_legal(game)
    np.testing.assert_allclose(in_own_units(game, policy_value(game, ours)), expected, atol=1e-9)
    found = exploitability.nash_conv(theirs, uniform, return_only_nash_conv=False)
    gaps = in_own_units(game, best_response_value(game, ours)) - expected
    np.testing.assert_allclose(gaps, found.player_improvements, atol=1e-9)


@pytest.mark.parametrize(
    ("game_string", "states", "num_actions", "horizon", "value"),
    [
        ("tic_tac_toe", 5478 - 958, (9, 8), 9, 0),  # 958 of its positions are ends of the game
        ("misere(game=tic_tac_toe())", 5478 - 958, (9, 8), 9, 0),
        ("hex(board_size=2)", None, (4, 3), 4, 1),  # the first player wins
        ("connect_four(rows=2,columns=3,x_in_row=2)", None, (3, 3), 5, 1),
    ],
)
def test_known_values(game_string, states, num_actions, horizon, value):
    game = imported(game_string)
    assert states is None or game.num_states == states + 1
    assert (game.num_actions, game.horizon) == (num_actions, horizon)
    assert game.start @ optimal_value(game) == pytest.approx(value)


@pytest.mark.parametrize("misere", [True, False])
def test_nim_is_won_by_whom_bouton_says(misere):
    """Bouton (1901): the player to move wins if and only if the sum of all piles in binary, without
    carries, is not 0; if who takes last loses, it is the other way round when no pile is above 1.
    """
    game = imported(f"nim(pile_sizes=1;2;3,is_misere={str(misere).lower()})")
    value = optimal_value(game)
    for state, label in enumerate(game.metadata["states"][:-1]):
        mover, text = label.splitlines()
        piles = [int(size) for size in text.split(": ")[1].split()]
        wins = functools.reduce(lambda one, other: one ^ other, piles) != 0
        if misere and max(piles) <= 1:
            wins = not wins
        player = int(mover.split()[1])
        assert value[state] == pytest.approx(1 if wins == (player == 0) else -1)


def test_chance_between_turns():
    """Pig by hand: its own text, score by score, up to the sixth decision."""
    game = imported("pig(winscore=3,diceoutcomes=3)", 6)
    probability = dict.fromkeys([(0, (0, 0), 0)], 1.0)  # who moves, scores, total of this turn
    won = 0.0  # by player 0 less by player 1
    for _ in range(6):
        following = dict[tuple, float]()
        for (mover, scores, total), chance in probability.items():
            banked = tuple(score + total * (player == mover) for player, score in enumerate(scores))
            holds = 1.0 if banked[mover] >= 3 else 0.5  # who has enough must hold
            face = (1.0 - holds) / 3
            moved = [(1 - mover, holds, banked, 0), (1 - mover, face, scores, 0)]  # 1: turn lost
            moved += [(mover, face, scores, total + die) for die in (2, 3)]
            for who, part, points, sum_ in moved:
                if points[mover] >= 3:
                    won += chance * part * (1 - 2 * mover)
                else:
                    place = (who, points, sum_)
                    following[place] = following.get(place, 0.0) + chance * part
        probability = following
    value = in_own_units(game, policy_value(game, uniform_over_legal(game)))
    np.testing.assert_allclose(value, [won, -won], atol=1e-12)


def test_who_does_not_move_has_one_action():
    game = imported("tic_tac_toe")
    assert game.metadata["legal_actions"][0] == [list(range(9)), [-1]]
    tables = np.concatenate([game.reward[0], game.next_state[0].transpose(2, 0, 1)])
    tables = tables.reshape(-1, game.num_states, 9, 8)
    for state, (own, other) in enumerate(game.metadata["legal_actions"]):
        same = tables[:, state, np.arange(9) % len(own)][..., np.arange(8) % len(other)]
        np.testing.assert_array_equal(tables[:, state], same)


def test_within_a_horizon_only_what_is_reached_counts():
    """The first two moves of a game whose table would be too large."""
    game = imported("connect_four", 2)
    assert (game.num_states, game.num_actions) == (1 + 7 + 1, (7, 7))
    np.testing.assert_array_equal(game.reward, 0.0)
    whole = import_openspiel("goofspiel(num_cards=3)", horizon=1)
    part = import_openspiel("goofspiel(num_cards=3)", horizon=1, max_states=10)
    assert (whole.num_states, part.num_states) == (58, 3 + 1)
    for game in (whole, part):
        gain = best_response_value(game, uniform_over_legal(game))
        np.testing.assert_allclose(in_own_units(game, gain), 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("game_string", "horizon", "states"),
    [
        # Two players on 20 cells, one of whom has the ball, or it lies on one of 2 cells.
        ("markov_soccer", 6, 20 * 19 + 20 * 19 + 2 * 19 * 18 + 1),
        # Two players on free cells, each looking in one of 4 directions; play goes on for ever.
        ("laser_tag(grid=S.S\n...)", 6, 6 * 5 * 4 * 4),
        ("laser_tag(grid=S..\n.*.\n..S)", 6, 8 * 7 * 4 * 4),
        ("goofspiel(num_cards=5,points_order=descending)", None, 1626 + 1),
        ("goofspiel(num_cards=3,points_order=random)", None, 3 + 3 * 2 * 9 + 1),
        ("blotto(coins=4,fields=3)", None, 1 + 1),
    ],
)
def test_number_of_states(game_string, horizon, states):
    """Counted by hand."""
    assert imported(game_string, horizon).num_states == states
