"""``ccerates games``: what it lists is what the families take; what it makes is stored."""

import json
import sys
from dataclasses import MISSING, fields
from types import SimpleNamespace

import numpy as np
import pytest

from ccerates import api
from ccerates.games.families import FAMILIES
from ccerates.games.store import load_game, save_game

SURVIVAL = ("survival", "-p", "num_players=2", "-p", "num_actions=3", "-p", "alive_states=2")
SURVIVAL += ("-p", "horizon=4", "-p", "eps_game=0.5")


def test_list_shows_every_family_with_its_parameters(ccerates):
    code, output, errors = ccerates("games", "list")
    assert (code, errors) == (0, "")
    for name, family in FAMILIES.items():
        assert f"\n{name}: " in f"\n{output}"
        for field in fields(family.parameters_type):
            assert f"\n  {field.name} " in output


def test_list_as_json_agrees_with_the_dataclasses(ccerates):
    listed = json.loads(ccerates("games", "list", "--json").output)
    assert listed["openspiel"] is True
    assert [family["name"] for family in listed["families"]] == list(FAMILIES)
    for summary, family in zip(listed["families"], FAMILIES.values(), strict=True):
        assert summary["description"].endswith(".")
        for parameter, field in zip(
            summary["parameters"], fields(family.parameters_type), strict=True
        ):
            assert parameter["name"] == field.name
            assert parameter["required"] is (field.default is MISSING)
            assert parameter["required"] or parameter["default"] == field.default
            assert parameter["description"]


def test_descriptions_come_from_the_docstring():
    (family,) = (each for each in api.list_games() if each.name == "survival")
    described = {each.name: each.description for each in family.parameters}
    assert described["eps_game"] == "Sets the cost of a wrong key, D = 8 eps_game / H^2."
    assert described["key_cost"] == "D itself. Exactly one of eps_game and key_cost is given."


def test_make_writes_the_game_of_the_api(ccerates):
    code, output, _ = ccerates("games", "make", *SURVIVAL, "--seed", 7, "-o", "game.npz")
    assert code == 0
    assert output.endswith("wrote game.npz\n")
    parameters = {"num_players": 2, "num_actions": 3, "alive_states": 2, "horizon": 4}
    expected = api.make_game("survival", parameters | {"eps_game": 0.5}, seed=7)
    assert load_game("game.npz").content_hash == expected.content_hash
    assert expected.content_hash in output


def test_seeds_change_the_game_and_zero_is_the_default(ccerates):
    hashes = []
    for name, seed in {"a": (), "b": ("--seed", 0), "c": ("--seed", 1)}.items():
        ccerates("games", "make", *SURVIVAL, *seed, "-o", f"{name}.npz")
        hashes.append(load_game(f"{name}.npz").content_hash)
    assert hashes[0] == hashes[1] != hashes[2]


def test_lists_of_actions(ccerates):
    arguments = ("-p", "num_players=3", "-p", "num_states=2", "-p", "horizon=2")
    for text in ("4,1,2", "[4, 1, 2]"):
        making = ("dense-random", *arguments, "-p", f"num_actions={text}", "--force")
        assert ccerates("games", "make", *making, "-o", "game.npz").code == 0
        assert load_game("game.npz").num_actions == (4, 1, 2)


def test_openspiel_games(ccerates):
    making = ("games", "make", "--openspiel", "pathfinding(grid=AB.ab,horizon=50)", "-o", "p.npz")
    code, _, errors = ccerates(*making)
    assert code == 2
    assert "play may return to a state and never end; give a horizon" in errors
    assert ccerates(*making, "--horizon", 3).code == 0
    assert load_game("p.npz").horizon == 3
    code, _, errors = ccerates(*making, "--horizon", 3, "--max-states", 5, "--force")
    assert code == 2
    assert "max_states" in errors
    assert (
        "--max-states: goes with --openspiel"
        in ccerates("games", "make", "--gambit", "x.nfg", "--max-states", 5, "-o", "x.npz").errors
    )


def test_show_agrees_with_the_game(ccerates, game, game_file):
    code, output, _ = ccerates("games", "show", game_file)
    assert code == 0
    lines = dict(line.split(maxsplit=1) for line in output.splitlines())
    assert lines["content_hash"] == game.content_hash
    assert lines["num_actions"] == "(2, 3)"
    shown = json.loads(ccerates("games", "show", game_file, "--json").output)
    assert shown["metadata"] == game.metadata
    sizes = ("num_states", "horizon", "num_layers", "num_successors", "num_joint_actions")
    assert [shown[size] for size in sizes] == [3, 2, 2, 3, 6]
    # 2 layers x 3 states x 6 joint actions: 2 rewards, 3 successors and probabilities; start, layer
    assert shown["table_bytes"] == 36 * (2 * 8 + 3 * (4 + 8)) + 3 * 8 + 2 * 4


def test_uniform_gap_of_a_survival_game_is_its_closed_form(ccerates):
    made = ccerates("games", "make", *SURVIVAL, "-o", "game.npz", "--json")
    cost, stay = 8 * 0.5 / 16, 1 - 1 / 4
    uniform, best = stay - cost * 2 * (2 / 3), stay - cost * (2 / 3)
    expected = sum(best**step - uniform**step for step in range(4))
    assert json.loads(made.output)["uniform_gap"] == pytest.approx(expected, abs=1e-12)


def test_metadata_with_odd_characters_stays_on_its_line(ccerates, game):
    object.__setattr__(game, "name", "two\nlines")
    assert api.show_game(game).name == "two\nlines"
    save_game(game, "odd.npz")
    output = ccerates("games", "show", "odd.npz").output
    assert output.splitlines()[0].split(maxsplit=1) == ["name", r"'two\nlines'"]


GAMBIT = 'NFG 1 R "Matching pennies" { "a" "b" } { 2 2 } 1 -1 -1 1 -1 1 1 -1'


def test_gambit_files(ccerates, tmp_path):
    (tmp_path / "pennies.nfg").write_text(GAMBIT)
    code, output, _ = ccerates("games", "make", "--gambit", "pennies.nfg", "-o", "game.npz")
    assert code == 0
    lines = dict(line.split(maxsplit=1) for line in output.splitlines())
    assert (lines["name"], lines["metadata.reward_scale"]) == ("pennies", "2.0")
    assert load_game("game.npz").reward[0, 0, 0].tolist() == [1, 0, 0, 1]
    code, _, errors = ccerates("games", "make", "--gambit", "pennies.nfg", "-o", "pennies.nfg")
    assert (code, "pennies.nfg: is the input" in errors) == (2, True)
    code, _, errors = ccerates("gap", "pennies.nfg", "run.npz")
    assert code == 2
    assert "ccerates games make --gambit pennies.nfg --output game.npz" in errors


def test_gambits_catalogue(ccerates, monkeypatch):
    class Game:
        def to_nfg(self):
            return GAMBIT

    def load(name):
        if name != "pennies":
            raise FileNotFoundError(name)
        return Game()

    making = ("games", "make", "-o", "game.npz", "--gambit-catalogue")
    monkeypatch.setitem(sys.modules, "pygambit.catalog", None)  # as if it were not installed
    code, _, errors = ccerates(*making, "pennies")
    assert (code, "pip install pygambit" in errors) == (2, True)
    monkeypatch.setitem(sys.modules, "pygambit.catalog", SimpleNamespace(load=load))
    monkeypatch.setitem(sys.modules, "pygambit", SimpleNamespace())
    code, _, errors = ccerates(*making, "penies")
    assert (code, "pygambit.catalog.games() lists all" in errors) == (2, True)
    assert ccerates(*making, "pennies").code == 0
    assert load_game("game.npz").name == "pennies"


def test_plain_arrays(ccerates):
    payoffs = np.array([[[3, 0], [5, 1]], [[3, 5], [0, 1]]])
    np.savez("dilemma.npz", payoffs=payoffs)
    assert ccerates("games", "make", "--arrays", "dilemma.npz", "-o", "game.npz").code == 0
    np.testing.assert_allclose(load_game("game.npz").reward[0, 0, 0] * 5, payoffs[0].ravel())
    code, _, errors = ccerates("games", "make", "--arrays", "game.npz", "-o", "other.npz")
    assert (code, "it is a stored game and needs no conversion" in errors) == (2, True)


SOURCES = {"--gambit": "a.nfg", "--gambit-catalogue": "a", "--arrays": "a.npz"}


@pytest.mark.parametrize("source", [("--openspiel", "a"), *SOURCES.items()])
def test_a_game_has_one_source_and_the_options_of_it(ccerates, source):
    making = ("games", "make", "-o", "game.npz")
    for faulty in ((), ("survival", *source), ("--arrays", "a.npz", "--gambit", "a.nfg")):
        code, _, errors = ccerates(*making, *faulty)
        assert code == 2
        assert "FAMILY, --openspiel, --gambit, --gambit-catalogue, --arrays: give exactly" in errors
    assert "--param, --seed: go with FAMILY" in ccerates(*making, *source, "--seed", 1).errors
    if source[0] in SOURCES:
        errors = ccerates(*making, *source, "--horizon", 3).errors
        assert "--horizon: goes with --openspiel; remove it" in errors
