"""Imported tables against OpenSpiel itself, which is replayed here move by move."""

import functools
import itertools
from pathlib import Path

import numpy as np
import pyspiel
import pytest
import yaml

from ccerates.errors import InputError
from ccerates.games import openspiel_tree
from ccerates.games.openspiel import import_openspiel

CORRIDOR = "pathfinding(grid=a.B\n*.*\nb.A)"
ROOM = "pathfinding(grid=a.B\n...\nb.A,step_reward=-1.0)"
DESCENDING = "goofspiel(num_cards=4,points_order=descending,returns_type=point_difference)"
RANDOM = "goofspiel(num_cards=4,points_order=random,returns_type=total_points)"
PLAYOUTS = 1000
CONFIG = yaml.safe_load((Path(__file__).parents[2] / "config/paper.yaml").read_text())
PIPELINE = CONFIG["curves"]["real-games"]["games"].values()
GAMES = [(CORRIDOR, 8), (ROOM, 8), (DESCENDING, None), (RANDOM, None)]
GAMES += [(game["game"], game.get("horizon")) for game in PIPELINE if "game" in game]


@functools.cache
def imported(game_string, horizon=None):
    return import_openspiel(game_string, horizon=horizon)


def outcomes_of(state):
    """Return [(probability, node)] behind the chance nodes at `state`."""
    waiting, settled = [(1.0, state)], []
    while waiting:
        chance, node = waiting.pop()
        if node.is_chance_node():
            for action, probability in node.chance_outcomes():
                following = node.clone()
                following.apply_action(action)
                waiting.append((chance * probability, following))
        else:
            settled.append((chance, node))
    return settled


def label_of(state):
    """Return what a state must be called: in pathfinding, returns tell who was paid for arriving.

    With 100 for the first arrival and at most 8 paid for steps, a return above 50 says so.
    """
    if state.is_terminal():
        return "terminal"
    if not state.is_simultaneous_node():
        return f"player {state.current_player()} moves\n{state}"
    if state.get_game().get_type().short_name != "pathfinding":
        return str(state)
    reached = [player for player, paid in enumerate(state.returns()) if paid > 50]
    return f"{state}reached: {reached}" if reached else str(state)


def distribution_of(outcomes):
    """Return {label: probability}."""
    labels = {label_of(node) for _, node in outcomes}
    return {
        label: sum(chance for chance, node in outcomes if label_of(node) == label)
        for label in labels
    }


def table_distribution(game, state, joint):
    return {
        game.metadata["states"][following]: float(chance)
        for following, chance in zip(
            game.next_state[0, state, joint], game.probability[0, state, joint], strict=True
        )
        if chance > 0
    }


@pytest.mark.parametrize(("game_string", "horizon"), GAMES)
def test_random_playouts(game_string, horizon):
    """Along 1,000 playouts, rewards, successors, their labels and probabilities agree."""
    game = imported(game_string, horizon)
    scale, offset = game.metadata["reward_scale"], game.metadata["reward_offset"]
    index = {label: state for state, label in enumerate(game.metadata["states"])}
    generator = np.random.default_rng(2)
    roots = outcomes_of(pyspiel.load_game(game_string).new_initial_state())
    assert distribution_of(roots) == pytest.approx(
        {label: game.start[state] for label, state in index.items() if game.start[state] > 0}
    )
    chance_mattered = 0
    for _ in range(PLAYOUTS):
        state = roots[generator.integers(len(roots))][1]
        total = np.zeros(game.num_players)
        certain = True
        for _ in range(game.horizon):
            row = index[label_of(state)]
            joint = int(generator.integers(game.num_joint_actions))
            total += offset + scale * game.reward[0, :, row, joint]
            if state.is_terminal():  # the absorbing state goes on paying 0
                assert table_distribution(game, row, joint) == {"terminal": 1.0}
                np.testing.assert_allclose(offset + scale * game.reward[0, :, row, joint], 0)
                continue
            moved = state.clone()
            chosen = np.unravel_index(joint, game.num_actions)
            legal = [moved.legal_actions(player) for player in range(game.num_players)]
            if moved.is_simultaneous_node():
                moved.apply_actions(
                    [own[int(a) % len(own)] for own, a in zip(legal, chosen, strict=True)]
                )
            else:
                mover = moved.current_player()
                moved.apply_action(legal[mover][int(chosen[mover]) % len(legal[mover])])
            outcomes = outcomes_of(moved)
            certain = certain and len(outcomes) == 1
            chance_mattered += len(distribution_of(outcomes)) > 1
            assert table_distribution(game, row, joint) == pytest.approx(distribution_of(outcomes))
            mean_reward = sum(chance * np.array(node.rewards()) for chance, node in outcomes)
            np.testing.assert_allclose(
                offset + scale * game.reward[0, :, row, joint], mean_reward, atol=1e-9
            )
            state = outcomes[generator.integers(len(outcomes))][1]
        if horizon is None:
            assert state.is_terminal(), "the horizon is shorter than the longest play"
        if certain or game.name == "goofspiel":  # otherwise the table pays means
            np.testing.assert_allclose(total, state.returns(), atol=1e-8)
    certain_games = ("descending", "oshi_zumo", "nim")
    assert (chance_mattered > 0) == (not any(name in game_string for name in certain_games))


@pytest.mark.parametrize(("game_string", "horizon"), GAMES)
def test_rewards_use_the_whole_unit_interval(game_string, horizon):
    game = imported(game_string, horizon)
    assert (game.reward.min(), game.reward.max()) == (0.0, 1.0)
    ends = game.name != "laser_tag"  # which goes on until its time limit
    assert (game.metadata["states"][-1] == "terminal") == ends
    assert len(set(game.metadata["states"])) == game.num_states


@pytest.mark.parametrize(("game_string", "cells"), [(CORRIDOR, 7), (ROOM, 9)])
def test_pathfinding_size(game_string, cells):
    """Counted by hand: places of two players times who may have arrived before."""
    placements = cells * (cells - 1)
    both_away = placements - 2 * (cells - 1) + 1  # either may have arrived: 4 states each
    one_there = cells - 2  # the other may have arrived: 2 states each, for 2 players
    ended = 1
    game = imported(game_string, 8)
    assert game.num_states == 4 * both_away + 2 * 2 * one_there + ended
    assert (game.num_actions, game.horizon) == ((5, 5), 8)


def test_goofspiel_size():
    """Counted by playing: hands and points after 0, 1 and 2 bids for the cards 4, 3, 2, 1."""
    states = set()
    for bids in itertools.product(itertools.permutations(range(4), 2), repeat=2):
        for played in range(3):
            points = [0, 0]
            for prize, pair in zip((4, 3)[:played], zip(*bids, strict=True), strict=False):
                if pair[0] != pair[1]:
                    points[pair[1] > pair[0]] += prize
            states.add((*(frozenset(own[:played]) for own in bids), *points))
    game = imported(DESCENDING)
    assert game.num_states == len(states) + 1
    assert (game.num_actions, game.horizon) == ((4, 4), 3)  # the last card plays itself


def test_reward_scales():
    corridor, descending = imported(CORRIDOR, 8), imported(DESCENDING)
    # Best and worst step: the last to arrive gets 100 + 100, a step costs 0.01.
    assert corridor.metadata["reward_scale"] == pytest.approx(200.01)
    assert corridor.metadata["reward_offset"] == pytest.approx(-0.01)
    # Half the difference of points; bids 2, 3, 4, 1 against 1, 2, 3, 4 win 9 to 1.
    assert descending.metadata["reward_scale"] == pytest.approx(8.0)
    assert descending.metadata["reward_offset"] == pytest.approx(-4.0)


def test_a_contested_cell_goes_to_either_player():
    game = imported(CORRIDOR, 8)
    labels = game.metadata["states"]
    state = labels.index(".0.\n*.*\n.1.\n")
    down, up = 4, 2  # both want the middle
    assert table_distribution(game, state, down * 5 + up) == {
        "...\n*0*\n.1.\n": 0.5,
        ".0.\n*1*\n...\n": 0.5,
    }


def test_a_destination_pays_only_once():
    """The text of a pathfinding state forgets who has arrived before; the table must not."""
    game = imported(ROOM, 8)
    scale, offset = game.metadata["reward_scale"], game.metadata["reward_offset"]
    labels = game.metadata["states"]
    board = "1..\n...\n.0.\n"
    right, stay = 3, 0
    first, again = labels.index(board), labels.index(f"{board}reached: [0]")
    pays = offset + scale * game.reward[0, :, [first, again], right * 5 + stay]
    np.testing.assert_allclose(pays, [[100, -1], [0, -1]], atol=1e-9)


def test_duplicated_actions_do_the_same():
    game = imported(DESCENDING)
    tables = np.concatenate([game.reward[0], game.next_state[0].transpose(2, 0, 1)])
    tables = tables.reshape(-1, game.num_states, 4, 4)
    for state, (own, _) in enumerate(game.metadata["legal_actions"]):
        for action in range(4):
            twin = action % len(own)
            np.testing.assert_array_equal(tables[:, state, action], tables[:, state, twin])


def test_matrix_game_is_one_step():
    game = imported("matrix_pd")
    own = game.metadata["reward_offset"] + game.metadata["reward_scale"] * game.reward[0, :, 0]
    assert game.horizon == 1
    np.testing.assert_allclose(own, [[5, 0, 10, 1], [5, 10, 0, 1]])


BAD = {
    "unknown game": (("gofspiel", {}), r"no game 'gofspiel'; did you mean 'goofspiel'\?"),
    "unheard-of game": (("qqq(a=1)", {}), r"no game 'qqq'; see pyspiel.registered_names\(\)"),
    "unknown parameter": (("goofspiel(cards=4)", {}), "OpenSpiel rejects the parameters: "),
    "crowd": (("mfg_garnet", {}), "is a mean-field game"),
    "sampled chance": (("stones_and_gems", {}), "chance is only sampled"),
    "no file": (("efg_game", {}), "OpenSpiel rejects the parameters: "),
    "hidden information": (("goofspiel(num_cards=4,imp_info=True)", {}), "hides information"),
    "too many states": (
        ("goofspiel(num_cards=4)", {"max_states": 100}),
        r"reached 101 states and .* 16 joint actions; at least 0.1 MiB; .* \(num_cards, .* horizon",
    ),
    "too many states within the horizon": (
        ("pathfinding(grid=a.B\n*.*\nb.A)", {"horizon": 8, "max_states": 50}),
        "but max_states is 50; .* or fewer steps",
    ),
    "too many joint actions": (
        ("go", {}),
        r"131,044 joint actions; at least 2,\d\d\d.\d MiB; but a table may take 2 GiB; ",
    ),
    "too many joint actions to try": (
        ("blotto(players=4)", {}),
        r"allows 500,000 outcomes of joint actions to be tried, not 18,974,736; raise max_states",
    ),
    "too many outcomes of chance": (
        ("yacht", {"max_states": 1_000_000}),
        "but a table may take 2 GiB",
    ),
    "history matters": (("go(board_size=2)", {"horizon": 8}), "its text does not say all that"),
    "no last step": ((CORRIDOR, {}), "play may return to a state and never end; give a horizon"),
    "own time limit": (
        ("pathfinding(grid=a.B\n*.*\nb.A,horizon=5)", {"horizon": 8}),
        "if the game has a time limit, raise it well above the horizon",
    ),
    "own time limit beyond all first ways": (
        ("pathfinding(grid=a.B\n*.*\nb.A,horizon=30)", {"horizon": 31}),
        "if the game has a time limit, raise it well above the horizon",
    ),
    "bad horizon": ((CORRIDOR, {"horizon": 0}), "horizon: expected an integer >= 1, got 0"),
    "bad max_states": ((CORRIDOR, {"max_states": 1.5}), "max_states: expected an integer"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_bad_request(arguments, message):
    game_string, options = arguments
    with pytest.raises(InputError, match=message) as caught:
        import_openspiel(game_string, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game_string", [CORRIDOR, ROOM])
def test_text_that_does_not_identify_a_state_is_refused(game_string, monkeypatch):
    monkeypatch.setattr(openspiel_tree, "_MEMORIES", {})
    with pytest.raises(InputError, match="its text does not say all that matters"):
        import_openspiel(game_string, horizon=8)
