"""Wrong input to `MarkovGame` and to the families: one line that names the place and the fix."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccerates.errors import InputError
from ccerates.games.families import FAMILIES, make_game
from ccerates.games.model import MarkovGame


def valid():
    """Return the fields of a small valid game: 2 layers, 2 players, 3 states, 2 x 3 actions."""
    return {
        "num_actions": (2, 3),
        "reward": np.full((2, 2, 3, 6), 0.5),
        "next_state": np.zeros((2, 3, 6, 2), dtype=int),
        "probability": np.full((2, 3, 6, 2), 0.5),
        "layer": np.array([0, 1, 1]),
        "start": np.array([0.25, 0.25, 0.5]),
    }


def entry(field, position, value):
    """Return a change that sets one entry of a field."""

    def change(fields):
        fields[field][position] = value

    return change


def whole(field, value):
    """Return a change that replaces a field."""
    return lambda fields: fields.update({field: value})


BAD_GAMES = {
    "negative probability": (
        entry("probability", (1, 2, 4, 0), -0.1),
        "probability at layer 1, state 2, joint action 4, entry 0 is -0.1; expected a number in",
    ),
    "NaN probability": (
        entry("probability", (0, 1, 5, 1), np.nan),
        "probability at layer 0, state 1, joint action 5, entry 1 is nan",
    ),
    "infinite probability": (
        entry("probability", (0, 0, 0, 0), np.inf),
        "probability at layer 0, state 0, joint action 0, entry 0 is inf",
    ),
    "probabilities that do not sum to one": (
        entry("probability", (1, 0, 3, 1), 0.4),
        "probability at layer 1, state 0, joint action 3 sums to 0.9; expected 1",
    ),
    "sum just beyond the tolerance": (
        entry("probability", (1, 0, 3, 1), 0.5 + 3e-9),
        "probability at layer 1, state 0, joint action 3 sums to 1.000000003; expected 1",
    ),
    "start that does not sum to one": (entry("start", 1, 0.5), "start sums to 1.25; expected 1"),
    "negative start": (entry("start", 0, -0.25), "start at entry 0 is -0.25"),
    "reward above one": (
        entry("reward", (0, 1, 2, 3), 1.5),
        "reward at layer 0, player 1, state 2, joint action 3 is 1.5; rewards must lie in [0, 1]",
    ),
    "negative reward": (
        entry("reward", (1, 0, 0, 0), -1e-3),
        "reward at layer 1, player 0, state 0, joint action 0 is -0.001",
    ),
    "NaN reward": (
        entry("reward", (0, 0, 0, 1), np.nan),
        "reward at layer 0, player 0, state 0, joint action 1 is nan",
    ),
    "successor beyond the states": (
        entry("next_state", (0, 1, 2, 1), 3),
        "next_state[0, 1, 2, 1] is 3; expected 0..2",
    ),
    "negative successor": (
        entry("next_state", (0, 1, 2, 1), -1),
        "next_state[0, 1, 2, 1] is -1; expected 0..2",
    ),
    "layer beyond the layers": (entry("layer", 2, 2), "layer[2] is 2; expected 0..1"),
    "float successors": (
        whole("next_state", np.zeros((2, 3, 6, 2))),
        "next_state: expected integers, got float64",
    ),
    "float layers": (whole("layer", [0.0, 1.0]), "layer: expected integers, got float64"),
    "integers that would wrap round": (
        whole("next_state", np.full((2, 3, 6, 2), 2**32)),
        "next_state: holds integers that do not fit int32",
    ),
    "reward without layers": (
        whole("reward", np.full((2, 3, 6), 0.5)),
        "(layers, players, states, joint_actions) = (>=1, 2, 3, 6), got (2, 3, 6)",
    ),
    "reward of other players": (
        whole("reward", np.full((2, 3, 3, 6), 0.5)),
        "(>=1, 2, 3, 6), got (2, 3, 3, 6)",
    ),
    "scalar reward": (whole("reward", 0.5), "got ()"),
    "no layer": (whole("reward", np.zeros((0, 2, 3, 6))), "got (0, 2, 3, 6)"),
    "next_state of another shape": (
        whole("next_state", np.zeros((2, 3, 5, 2), dtype=int)),
        "next_state: expected shape (layers, states, joint_actions, successors)",
    ),
    "no successor": (
        whole("probability", np.zeros((2, 3, 6, 0))),
        "probability: expected shape",
    ),
    "successor lists of two lengths": (
        whole("next_state", np.zeros((2, 3, 6, 3), dtype=int)),
        "next_state and probability differ in shape: (2, 3, 6, 3) and (2, 3, 6, 2)",
    ),
    "no state": (whole("start", []), "start: expected a vector over states, got shape (0,)"),
    "start matrix": (whole("start", np.eye(3)), "start: expected a vector over states"),
    "no step": (
        whole("layer", np.zeros(0, dtype=int)),
        "layer: expected one entry for each step, got shape (0,)",
    ),
    "no player": (whole("num_actions", ()), "num_actions: expected an integer >= 1 for each"),
    "player without action": (whole("num_actions", (2, 0)), "num_actions: expected an integer"),
    "fractional action count": (whole("num_actions", (2, 3.5)), "num_actions: expected an integer"),
    "scalar action count": (whole("num_actions", 6), "num_actions: expected one count for each"),
    "ragged reward": (whole("reward", [[1.0], [1.0, 0.0]]), "reward: not a rectangular array"),
    "text reward": (whole("reward", "high"), "reward: expected numbers, got <U4"),
    "object start": (whole("start", [None, 1, 2]), "start: expected numbers, got object"),
    "complex start": (whole("start", [1j, 0, 0]), "start: expected numbers, got complex128"),
    "metadata that JSON lacks": (whole("metadata", {"a": {1, 2}}), "metadata: must be JSON data"),
    "NaN in metadata": (whole("metadata", {"a": np.nan}), "metadata: must be JSON data"),
    "metadata list": (whole("metadata", [1]), "metadata: expected a dictionary, got list"),
}


def test_the_valid_game_is_valid():
    MarkovGame(**valid())


@pytest.mark.parametrize(("change", "message"), BAD_GAMES.values(), ids=BAD_GAMES)
def test_bad_game(change, message):
    fields = valid()
    change(fields)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        MarkovGame(**fields)
    assert "\n" not in str(caught.value)


def test_small_errors_in_sums_are_mended():
    fields = valid()
    fields["probability"][0, 0, 0] = [0.5 + 4e-10, 0.5]
    game = MarkovGame(**fields)
    assert game.probability[0, 0, 0].sum() == pytest.approx(1.0, abs=1e-15)
    assert game.probability[0, 0, 0, 0] > game.probability[0, 0, 0, 1]


def test_the_game_keeps_no_reference_to_what_it_was_made_of():
    fields = valid() | {"metadata": {"list": [1, 2]}}
    game = MarkovGame(**fields)
    before = game.content_hash
    fields["reward"][...] = 0.0
    fields["metadata"]["list"].append(3)
    assert game.reward.min() == 0.5
    assert game.metadata == {"list": [1, 2]}
    assert MarkovGame(**valid()).content_hash == before


COMPLETE = {
    "survival": {"num_players": 2, "num_actions": 3, "alive_states": 2, "horizon": 8}
    | {"eps_game": 0.5},
    "dense-random": {"num_players": 2, "num_actions": 3, "num_states": 2, "horizon": 2},
    "congestion": {"num_players": 2, "num_facilities": 2, "horizon": 2},
    "combination-lock": {"num_players": 2, "num_actions": 3, "horizon": 2},
    "hidden-action": {"num_players": 2, "num_actions": 3, "num_blocks": 2, "horizon": 4}
    | {"eps_game": 0.5},
}

BAD_PARAMETERS = [
    ("survival", {"eps_gme": 0.5}, "unknown parameter 'eps_gme'; did you mean 'eps_game'?"),
    ("survival", {"zzz": 1}, "unknown parameter 'zzz'; known: alive_states, eps_game, horizon"),
    ("survival", {"horizon": 8.0}, "horizon: expected an integer, got 8.0"),
    ("survival", {"horizon": True}, "horizon: expected an integer, got True"),
    ("survival", {"horizon": 1}, "horizon: expected an integer >= 2, got 1"),
    ("survival", {"num_players": 0}, "num_players: expected an integer >= 1, got 0"),
    ("survival", {"num_actions": "3"}, "num_actions: expected an integer, got '3'"),
    ("survival", {"num_actions": [3]}, "num_actions: expected one integer or 2 of them"),
    ("survival", {"num_actions": [3, 0]}, "num_actions[1]: expected an integer >= 1, got 0"),
    ("survival", {"alive_states": -1}, "alive_states: expected an integer >= 1, got -1"),
    ("survival", {"eps_game": -0.5}, "eps_game: expected a number >= 0, got -0.5"),
    ("survival", {"eps_game": np.nan}, "eps_game: expected a finite number, got nan"),
    ("survival", {"eps_game": "0.5"}, "eps_game: expected a finite number, got '0.5'"),
    ("survival", {"eps_game": None}, "eps_game, key_cost: give exactly one of them"),
    ("survival", {"key_cost": 0.1}, "eps_game, key_cost: give exactly one of them"),
    ("survival", {"num_players": 30, "eps_game": 0.001}, "num_actions: 205891132094649 joint"),
    ("dense-random", {"alignment": 1.5}, "alignment: expected a number in [-1, 1], got 1.5"),
    ("dense-random", {"alignment": -1, "num_players": 1}, "take num_players >= 2 or alignment >="),
    ("dense-random", {"concentration": 0}, "concentration: expected a number in [0.01, 1000]"),
    ("dense-random", {"num_states": 10**6}, "GiB, more than 2 GiB; take fewer players"),
    ("congestion", {"wear": 2}, "wear: expected a number in [0, 1], got 2"),
    ("congestion", {"num_facility": 2}, "did you mean 'num_facilities'?"),
    ("combination-lock", {"temptation": -1}, "temptation: expected a number in [0, 1], got -1"),
    ("hidden-action", {"num_blocks": 0}, "num_blocks: expected an integer >= 1, got 0"),
    ("hidden-action", {"eps_game": 1.5}, "outside [0, 1]; take eps_game <= 1"),
    ("hidden-action", {"leave_constant": 5}, "outside [0, 1]; take leave_constant <= 4"),
]


@pytest.mark.parametrize(("family", "change", "message"), BAD_PARAMETERS)
def test_bad_parameters(family, change, message):
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        make_game(family, COMPLETE[family] | change, np.random.default_rng(0))
    assert str(caught.value).startswith(f"{family}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("family", FAMILIES)
def test_missing_parameter(family):
    for name in ("num_players", "horizon"):
        parameters = {key: value for key, value in COMPLETE[family].items() if key != name}
        with pytest.raises(InputError, match=f"{family}: parameter '{name}' is missing"):
            make_game(family, parameters, np.random.default_rng(0))


def test_unknown_family():
    with pytest.raises(InputError, match="unknown family 'survivl'; did you mean 'survival'"):
        make_game("survivl", {}, np.random.default_rng(0))


def test_parameters_that_are_no_mapping():
    with pytest.raises(InputError, match="survival: expected parameter names with values"):
        make_game("survival", [1, 2], np.random.default_rng(0))


def survives(**parameters):
    try:
        make_game("survival", parameters, np.random.default_rng(0))
    except InputError as error:
        return str(error)
    return ""


@given(
    players=st.integers(1, 5),
    horizon=st.integers(2, 12),
    eps_game=st.floats(0.01, 20),
    key_cost=st.floats(0.01, 1),
)
def test_advice_on_negative_probabilities_works_and_is_tight(players, horizon, eps_game, key_cost):
    sizes = {"num_players": players, "num_actions": 2, "alive_states": 1}
    for name, value in (("eps_game", eps_game), ("key_cost", key_cost)):
        message = survives(**sizes, horizon=horizon, **{name: value})
        if not message:
            cost = 8 * value / horizon**2 if name == "eps_game" else value
            assert 1 - 1 / horizon - players * cost > -1e-9
            continue
        assert f"{name}={value:g}, horizon={horizon}, num_players={players}" in message
        largest = float(re.search(rf"{name} <= ([\d.e-]+)", message)[1])
        assert not survives(**sizes, horizon=horizon, **{name: largest})
        assert survives(**sizes, horizon=horizon, **{name: largest + 2e-6})
        longer = re.search(r"horizon >= (\d+)", message)
        if longer:
            assert not survives(**sizes, horizon=int(longer[1]), **{name: value})
            assert survives(**sizes, horizon=int(longer[1]) - 1, **{name: value})
