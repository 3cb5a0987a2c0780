"""What every game must do, whichever family or importer it comes from."""

import dataclasses
import functools
import json

import numpy as np
import pytest

from ccerates.games.families import FAMILIES, make_game
from ccerates.games.model import MarkovGame
from ccerates.games.openspiel import import_openspiel
from ccerates.games.store import load_game, save_game

RANDOM_GAMES = {
    "survival": {"num_players": 2, "num_actions": 3, "alive_states": 2, "horizon": 8}
    | {"eps_game": 0.5},
    "survival-ragged": {"num_players": 3, "num_actions": [4, 1, 2], "alive_states": 1}
    | {"horizon": 5, "key_cost": 0.1},
    "dense-random": {"num_players": 2, "num_actions": [2, 3], "num_states": 4, "horizon": 3},
    "dense-random-rivals": {"num_players": 3, "num_actions": [2, 1, 3], "num_states": 3}
    | {"horizon": 2, "alignment": -1.0, "concentration": 0.1},
    "dense-random-one-player": {"num_players": 1, "num_actions": 3, "num_states": 2}
    | {"horizon": 1, "alignment": 1.0},
    "congestion": {"num_players": 3, "num_facilities": 3, "horizon": 4},
    "combination-lock": {"num_players": 2, "num_actions": [3, 2], "horizon": 6},
    "hidden-action": {"num_players": 2, "num_actions": [4, 2], "num_blocks": 2, "horizon": 6}
    | {"eps_game": 0.25},
}
OPENSPIEL_GAMES = {
    "pathfinding": {"game_string": "pathfinding(grid=a.B\n*.*\nb.A)", "horizon": 8},
    "goofspiel": {"game_string": "goofspiel(num_cards=4,points_order=descending)"},
}
NAMES = [*RANDOM_GAMES, *OPENSPIEL_GAMES]
ARRAYS = ("reward", "next_state", "probability", "layer", "start")


def family_of(name: str) -> str:
    return max((family for family in FAMILIES if name.startswith(family)), key=len)


@functools.cache
def make(name: str, seed: int = 0) -> MarkovGame:
    if name in OPENSPIEL_GAMES:
        return import_openspiel(**OPENSPIEL_GAMES[name])
    return make_game(family_of(name), RANDOM_GAMES[name], np.random.default_rng(seed))


def test_every_family_is_under_contract():
    assert {family_of(name) for name in RANDOM_GAMES} == set(FAMILIES)


@pytest.mark.parametrize("name", NAMES)
def test_shapes_and_types(name):
    game = make(name)
    layers, joint = game.reward.shape[0], int(np.prod(game.num_actions))
    assert game.num_players == len(game.num_actions)
    assert game.num_joint_actions == joint
    assert game.reward.shape == (layers, game.num_players, game.num_states, joint)
    assert game.next_state.shape[:3] == (layers, game.num_states, joint)
    assert game.probability.shape == game.next_state.shape
    assert game.layer.shape == (game.horizon,)
    assert game.start.shape == (game.num_states,)
    assert set(game.layer) == set(range(layers)), "a layer that no step uses"
    assert [getattr(game, array).dtype.name for array in ARRAYS] == [
        "float64",
        "int32",
        "float64",
        "int32",
        "float64",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_probabilities_rewards_and_indices(name):
    game = make(name)
    for distribution in (game.probability, game.start):
        assert (distribution >= 0).all()
        np.testing.assert_allclose(distribution.sum(axis=-1), 1.0, rtol=0, atol=1e-12)
    assert game.reward.min() >= 0
    assert game.reward.max() <= 1
    assert game.next_state.min() >= 0
    assert game.next_state.max() < game.num_states


@pytest.mark.parametrize("name", NAMES)
def test_immutable(name):
    game = make(name)
    for array in ARRAYS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(game, array)[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.name = "other"


@pytest.mark.parametrize("name", NAMES)
def test_same_content_same_hash(name):
    game = make(name)
    rebuilt = dataclasses.replace(game)  # validates and normalises once more
    relabelled = dataclasses.replace(game, name="other", metadata={"note": 1})
    assert rebuilt.content_hash == relabelled.content_hash == game.content_hash


@pytest.mark.parametrize("name", NAMES)
def test_any_change_of_content_changes_the_hash(name):
    game = make(name)
    states = game.num_states
    reward = game.reward.copy()
    reward[-1, -1, -1, -1] = abs(reward[-1, -1, -1, -1] - 1e-9)
    next_state = game.next_state.copy()
    next_state[-1, -1, -1, -1] = (next_state[-1, -1, -1, -1] + 1) % states
    probability = np.zeros_like(game.probability)
    probability[..., 0] = 1.0
    if np.array_equal(probability, game.probability):  # a deterministic game: one place more
        probability = np.concatenate([probability, np.zeros_like(probability)], axis=-1)
    start = np.zeros(states)
    start[-1] = 1.0
    changed = {
        "reward": {"reward": reward},
        "next_state": {"next_state": next_state},
        "probability": {
            "probability": probability,
            "next_state": np.resize(game.next_state, probability.shape),
        },
        "start": {"start": start},
        "layer": {"layer": np.append(game.layer, 0)},
        "num_actions": {"num_actions": (*game.num_actions[::-1],)},
    }
    if game.num_actions == game.num_actions[::-1]:
        del changed["num_actions"]
    hashes = {dataclasses.replace(game, **change).content_hash for change in changed.values()}
    assert game.content_hash not in hashes
    assert len(hashes) == len(changed)


@pytest.mark.parametrize("name", NAMES)
def test_store_round_trip(name, tmp_path):
    game = make(name)
    save_game(game, tmp_path / "first.npz")
    read = load_game(tmp_path / "first.npz")
    save_game(read, tmp_path / "second.npz")
    assert read.content_hash == game.content_hash
    assert (read.name, read.metadata) == (game.name, game.metadata)
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()
    with np.load(tmp_path / "first.npz", allow_pickle=False) as plain:  # NumPy alone can read it
        for array in ARRAYS:
            np.testing.assert_array_equal(plain[array], getattr(game, array))


@pytest.mark.parametrize("name", NAMES)
def test_metadata_makes_the_game_again(name):
    game = make(name)
    metadata = json.loads(json.dumps(game.metadata))
    if name in OPENSPIEL_GAMES:
        again = import_openspiel(metadata["game_string"], horizon=game.horizon)
    else:
        generator = np.random.default_rng(0)
        again = make_game(metadata["family"], metadata["parameters"], generator)
    assert again.content_hash == game.content_hash
    assert again.metadata == game.metadata


@pytest.mark.parametrize("name", RANDOM_GAMES)
def test_the_seed_decides(name):
    assert make(name, seed=1).content_hash != make(name).content_hash


def test_hash_is_the_same_on_every_machine_and_in_every_version():
    game = MarkovGame(
        num_actions=(2, 1),
        reward=np.array([[[[0.0, 0.25]], [[0.5, 1.0]]]]),
        next_state=np.zeros((1, 1, 2, 1), dtype=int),
        probability=np.ones((1, 1, 2, 1)),
        layer=np.array([0, 0, 0]),
        start=np.array([1.0]),
    )
    assert game.content_hash.startswith("e6c54f919fd49dc0")
