"""Bad input to ``ccerates`` is told in one line, writes nothing, and leaves with 2."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccerates.cli.main import main
from ccerates.cli.values import read_settings, read_value

SURVIVAL = ("num_players=2", "num_actions=3", "alive_states=2", "horizon=4", "eps_game=0.5")


def make(*parameters, family="survival"):
    written = [part for each in parameters for part in ("--param", each)]
    return ["games", "make", family, *written, "--output", "new.npz"]


def learn(*arguments, algorithm="evb-sim"):
    return ["learn", "game.npz", "--algorithm", algorithm, *arguments, "--output", "new.npz"]


CASES = {
    "no command": ([], "the following arguments are required: COMMAND"),
    "unknown command": (["lern"], "invalid choice: 'lern'"),
    "unknown option": (["rates", "--colour"], "unrecognized arguments: --colour"),
    "abbreviated option": (["rates", "--set", "online"], "unrecognized arguments: --set online"),
    "unknown family": (make(family="surviva"), "did you mean 'survival'?"),
    "no family": (["games", "make", "-o", "new.npz"], "--arrays: give exactly one of them"),
    "two sources": ([*make(), "--openspiel", "goofspiel"], "--arrays: give exactly one of them"),
    "unknown parameter": (make(*SURVIVAL, "key_cots=1"), "did you mean 'key_cost'?"),
    "missing parameter": (make(*SURVIVAL[1:]), "parameter 'num_players' is missing"),
    "parameter twice": (make(*SURVIVAL, "horizon=5"), "--param horizon=5: horizon is given twice"),
    "no value": (make("horizon"), "--param horizon: expected key=value"),
    "no key": (make("=4"), "--param =4: expected key=value"),
    "text for a number": (make(*SURVIVAL[:4], "eps_game=half"), "expected a finite number"),
    "truth value for a number": (make(*SURVIVAL[:4], "eps_game=true"), "expected a finite number"),
    "NaN": (make(*SURVIVAL[:4], "eps_game=NaN"), "expected a finite number"),
    "null": (make("num_players=null", *SURVIVAL[1:]), "num_players: expected an integer"),
    "out of range": (make("horizon=1", *SURVIVAL[:3], SURVIVAL[4]), "expected an integer >= 2"),
    "too large": (make("num_actions=9000", *SURVIVAL[:1], *SURVIVAL[2:]), "take fewer players"),
    "negative seed": ([*make(*SURVIVAL), "--seed", "-1"], "seed: expected an integer >= 0"),
    "fractional seed": ([*make(*SURVIVAL), "--seed", "0.5"], "expected an integer, got '0.5'"),
    "infinite seed": ([*make(*SURVIVAL), "--seed", "inf"], "expected an integer, got 'inf'"),
    "horizon of a family": ([*make(*SURVIVAL), "--horizon", "4"], "write --param horizon="),
    "unknown OpenSpiel game": (
        ["games", "make", "--openspiel", "goofspeil", "-o", "new.npz"],
        "did you mean 'goofspiel'?",
    ),
    "OpenSpiel with parameters": (
        ["games", "make", "--openspiel", "goofspiel", "--seed", "1", "-o", "new.npz"],
        "--param, --seed: go with FAMILY",
    ),
    "game missing": (["games", "show", "none.npz"], "none.npz: there is no such file"),
    "game without a name": (["games", "show", ""], "there is no such file"),
    "game a folder": (["games", "show", "."], "there is no such file"),
    "name too long": (["games", "show", "x" * 5000], "File name too long"),
    "game damaged": (["games", "show", "damaged.npz"], "not a usable game file"),
    "learning a damaged game": (
        ["learn", "damaged.npz", *learn("--rounds", "10")[2:]],
        "not a usable game file",
    ),
    "no budget": (learn(), "one of the arguments --rounds --episodes --samples is required"),
    "two budgets": (learn("--rounds", "5", "--samples", "9"), "not allowed with argument"),
    "no algorithm": (["learn", "game.npz", "--rounds", "9", "-o", "new.npz"], "--algorithm"),
    "unknown algorithm": (learn("--rounds", "5", algorithm="evb"), "did you mean 'evb-sim'"),
    "no rounds": (learn("--rounds", "0"), "rounds: expected an integer in 1..9007199254740992"),
    "too many rounds": (learn("--rounds", "1e30"), "rounds: expected an integer in 1.."),
    "too few rounds": (
        learn("--rounds", "1", algorithm="q-ftrl"),
        "rounds: expected an integer >= 2, got 1",
    ),
    "no samples": (learn("--samples", "0"), "samples: expected an integer >= 1"),
    "too few samples": (
        learn("--samples", "29", algorithm="q-ftrl"),  # 2 steps, 3 states, 2 + 3 actions
        "29 do not last for one round of q-ftrl on this game, which takes 30; take more",
    ),
    "no replicates": (learn("--rounds", "9", "--replicates", "0"), "replicates: expected"),
    "too many replicates": (
        learn("--rounds", "9", "--replicates", "1e9"),
        "replicates: the policies of 1000000000 runs need 268.2 GiB",
    ),
    "no threads": (learn("--rounds", "9", "--threads", "0"), "threads: expected an integer >= 1"),
    "unknown learner option": (
        learn("--rounds", "9", "--option", "constant=rigorous"),
        "options of evb-sim: unknown parameter 'constant'; did you mean 'constants'?",
    ),
    "option out of range": (
        learn("--rounds", "9", "--option", "failure=2"),
        "error: options of evb-sim: failure: expected a number > 0 and < 1, got 2",
    ),
    "option of the other learner": (
        learn("--rounds", "9", "--option", "constants=theory"),
        "constants: expected one of practical, rigorous, got 'theory'",
    ),
    "result missing": (["gap", "game.npz", "none.npz"], "none.npz"),
    "result damaged": (["gap", "game.npz", "damaged.npz"], "damaged.npz"),
    "game for a result": (["certify", "game.npz"], "game.npz"),
    "certify without a result": (["certify"], "the following arguments are required: RESULT"),
    "output exists": (
        [*learn("--rounds", "9")[:-1], "old.npz"],
        "old.npz: exists; name another file or add --force",
    ),
    "output is the input": (
        [*learn("--rounds", "9", "--force")[:-1], "./game.npz"],
        "./game.npz: is the input; name another file",
    ),
    "output is a folder": ([*make(*SURVIVAL)[:-1], "."], "is a folder; name a file"),
    "no folder for the output": (
        [*make(*SURVIVAL)[:-1], "none/new.npz"],
        "there is no folder none; make it first",
    ),
    "game to make exists": ([*make(*SURVIVAL)[:-1], "old.npz"], "old.npz: exists"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_takes_one_line(ccerates, game_file, case):
    Path("damaged.npz").write_bytes(Path(game_file).read_bytes()[:-100])
    Path("old.npz").write_text("precious")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    arguments, message = CASES[case]
    code, output, errors = ccerates(*arguments)
    assert (code, output) == (2, "")
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert message in errors
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_every_command_meets_bad_input_above():
    commands = {" ".join(arguments[:2]) for arguments, _ in CASES.values() if arguments}
    used = {"games make", "games show", "learn game.npz", "gap game.npz", "certify game.npz"}
    assert used <= commands  # rates has its own test; games list and doctor take no input


def test_folders_that_cannot_be_written(ccerates, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: (path, mode) != (Path(), os.W_OK))
    code, _, errors = ccerates(*make(*SURVIVAL))
    assert code == 2
    assert "new.npz: cannot write to folder .; name another" in errors


def test_force_replaces(ccerates):
    Path("new.npz").write_text("old")
    assert ccerates(*make(*SURVIVAL)).code == 2
    assert ccerates(*make(*SURVIVAL), "--force").code == 0
    assert ccerates("games", "show", "new.npz").code == 0


def test_values_that_settings_hold():
    written = ["a=3", "b=1e-3", "c=2,3", "d=[2, 3]", "e=true", "f=text", "g=x=y", "h="]
    expected = {"a": 3, "b": 1e-3, "c": [2, 3], "d": [2, 3], "e": True, "f": "text", "g": "x=y"}
    assert read_settings("--param", written) == expected | {"h": ""}
    assert isinstance(read_value("[" * 100_000), str)
    assert isinstance(read_value("1" * 10_000), str)  # beyond Python's limit for integers


TEXT = st.one_of(
    st.sampled_from(["1", "-1", "0", "2", "1e400", "[]", "{}", '{"a": 1}', "[[1]]", "1,", "null"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(TEXT, min_size=5, max_size=5), number=TEXT)
def test_any_text_for_a_value_is_refused_or_used(tmp_path, values, number):
    names = ("num_players", "num_actions", "alive_states", "horizon", "eps_game")
    written = [f"--param={name}={text}" for name, text in zip(names, values, strict=True)]
    output = str(tmp_path / "game.npz")
    arguments = ["games", "make", "survival", *written, f"--seed={number}", "--force"]
    assert main([*arguments, "--output", output]) in (0, 2)
