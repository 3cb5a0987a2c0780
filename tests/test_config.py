"""Configs agree with the schema; one line for each fault in a config leads to the fix."""

import copy
import math
import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ccerates.config import check_config, read_config, read_yaml
from ccerates.errors import InputError
from ccerates.experiments.bandits import check_bandits
from ccerates.experiments.plan import plan_cells
from ccerates.games.families import FAMILIES

ROOT = Path(__file__).parents[1]
SCHEMA = read_yaml(ROOT / "workflow/schemas/config.schema.yaml")
SMOKE = read_yaml(ROOT / "config/smoke.yaml")
CONFIGS = sorted(path for path in (ROOT / "config").glob("*.yaml") if path.stem != "claims")
SWEEP = ("sweeps", "sim-horizon")


def changed(path, value):
    """Return the smoke config with one value set, or one key removed if `value` is `...`."""
    config = copy.deepcopy(SMOKE)
    *parents, last = path
    place = config
    for key in parents:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return config


def faults(config):
    with pytest.raises(InputError) as caught:
        check_config(config, SCHEMA)
    return str(caught.value).splitlines()


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_config_is_valid(path):
    config = read_config(path)
    check_config(config, SCHEMA)
    assert config["name"] == path.stem
    assert len(plan_cells(config)) >= 15
    check_bandits(config["bandits"])


# Agreement of the schema with configs and code


def resolved(schema):
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return SCHEMA["$defs"][name] if name else schema


def properties(schema, value=None):
    """Yield (name, subschema, whether required, whether `value` has it) for all below a schema."""
    schema = resolved(schema)
    present = value if isinstance(value, dict) else {}
    for name, below in schema.get("properties", {}).items():
        yield name, resolved(below), name in schema.get("required", []), name in present
        yield from properties(below, present.get(name))
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        for name in present.keys() - schema.get("properties", {}).keys():
            yield from properties(others, present[name])


def test_every_key_is_in_the_smoke_config_or_explained():
    seen = list(properties(SCHEMA, SMOKE))
    assert len(seen) > 25
    shown = {name for name, _, _, present in seen if present}
    explained = {name for name, below, _, _ in seen if "description" in below}
    assert {name for name, *_ in seen} <= shown | explained
    assert {name for name, _, required, _ in seen if required} <= shown


def test_every_mapping_is_closed_or_says_what_its_values_are():
    def mappings(schema):
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                yield schema
            for below in schema.values():
                yield from mappings(below)

    found = list(mappings(SCHEMA))
    assert len(found) > 8
    assert all("additionalProperties" in each or each == {"type": "object"} for each in found)


def test_parameters_of_games_are_those_of_the_families():
    schema = SCHEMA["$defs"]["sweep"]["properties"]["game"]["properties"]
    for family in schema["family"]["enum"]:
        known = {field.name for field in fields(FAMILIES[family].parameters_type)}
        assert set(schema) - {"family"} <= known


# Wrong keys


def closed_keys(schema, value, path=()):
    """Yield the path of every key of a config that stands in a mapping without free names."""
    schema = resolved(schema)
    if isinstance(value, dict):
        for key, below in value.items():
            if key in schema.get("properties", {}):
                if schema.get("additionalProperties") is False:
                    yield (*path, key)
                yield from closed_keys(schema["properties"][key], below, (*path, key))
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from closed_keys(schema["additionalProperties"], below, (*path, key))


KEYS = list(closed_keys(SCHEMA, SMOKE))


@given(st.sampled_from(KEYS), st.data())
def test_mistyped_keys_get_a_hint(path, data):
    *parents, key = path
    position = data.draw(st.integers(0, len(key) - 1))
    typo = key[:position] + key[position] + key[position:]
    lines = faults(changed((*parents, typo), 1))
    place = ".".join(parents) or "top level"
    assert lines == [f"{place}: unknown key {typo!r}; did you mean {key!r}?"]


def test_hints_cover_every_level():
    assert {len(path) for path in KEYS} == {1, 2, 3, 4}


def test_strange_keys_get_the_known_ones():
    (line,) = faults(changed((*SWEEP, "colour"), "red"))
    assert line.startswith(
        "sweeps.sim-horizon: unknown key 'colour'; known: axis, budget_scales, fit, "
    )
    (line,) = faults(changed((7,), "seven"))
    assert line.startswith(
        "top level: unknown key 7; known: bandits, curves, learners, lower-bound, "
    )


REQUIRED = [
    *[(key,) for key in SCHEMA["required"]],
    *[(*SWEEP, key) for key in SCHEMA["$defs"]["sweep"]["required"]],
    SWEEP,
    ("curves", "real-games", "rounds"),
]


@pytest.mark.parametrize("path", REQUIRED, ids=".".join)
def test_missing_keys_are_named(path):
    place = ".".join(path[:-1]) or "top level"
    assert faults(changed(path, ...)) == [f"{place}: {path[-1]!r} is missing; add it"]


# Wrong values

TARGET = (*SWEEP, "target_fraction")
ROUNDS = ("curves", "real-games", "rounds", "q-ftrl")
PATHFINDING = ("curves", "real-games", "games", "pathfinding")
WRONG = [
    (TARGET, 0, "expected a number > 0, got 0 (Target gap as a fraction of eps_game.)"),
    (TARGET, -0.25, "expected a number > 0, got -0.25"),
    (TARGET, math.nan, "expected a number > 0, got nan"),
    (TARGET, math.inf, "expected a number > 0, got inf"),
    (TARGET, True, "expected a number > 0, got True"),
    (TARGET, "1e-1", "expected a number > 0, got '1e-1'"),
    (TARGET, "a quarter", "expected a number > 0, got 'a quarter'"),
    (("replicates",), 1, "expected an integer >= 2, got 1"),
    (("replicates",), 2.0, "expected an integer >= 2, got 2.0"),
    (("replicates",), None, "expected an integer >= 2, got None"),
    (("resamples",), 98, "expected an integer >= 99, got 98"),
    (("root_seed",), -1, "expected an integer >= 0, got -1"),
    (("name",), "../paper", "expected text that matches ^[a-z][a-z0-9-]*$, got '../paper'"),
    (("sweeps",), [], "expected keys with values, got []"),
    (("learners", "q-ftrl"), None, "expected keys with values, got None"),
    (("bandits", "failure"), 1, "expected a number > 0 and < 1, got 1"),
    (("bandits", "runs"), 1, "expected an integer >= 2, got 1"),
    (
        ("tuning", "held-out", "rate_scales"),
        [],
        "expected a list of 1 or more, all different, got []",
    ),
    (
        (*SWEEP, "axis"),
        "time",
        "expected one of horizon, players, actions, action-sum, states, ",
    ),
    ((*SWEEP, "values"), [4], "expected a list of 2 or more, all different, got [4]"),
    ((*SWEEP, "values"), [4, 6, 4], "expected a list of 2 or more, all different, got [4, 6, 4]"),
    ((*SWEEP, "values", 1), "6", "expected a number > 0, got '6'"),
    ((*SWEEP, "fit"), [4, 6, 8], "expected a list of 2 or more and at most 2, got [4, 6, 8]"),
    ((*SWEEP, "fit"), [5, 9], "[5, 9] holds 1 of the values; an exponent needs two or more"),
    ((*SWEEP, "fit"), [8, 4], "[8, 4] holds 0 of the values; an exponent needs two or more"),
    ((*SWEEP, "game", "num_players"), 2.5, "expected an integer >= 1, got 2.5"),
    ((*SWEEP, "budget_scales"), {}, "expected keys with values of 1 or more, got {}"),
    ((*SWEEP, "budget_scales", "evb-sim", 0), -1, "expected a number > 0, got -1"),
    (
        ("curves", "real-games", "rounds", "q-ftrl"),
        [],
        "expected a list of 1 or more, all different, got []",
    ),
    ((*ROUNDS, 0), 1, "expected an integer >= 2, got 1"),
    ((*PATHFINDING, "horizon"), 8.5, "expected an integer >= 1, got 8.5"),
    (PATHFINDING, {"game": "a", "file": "b"}, "give one of 'family' with its parameters, 'game',"),
    (PATHFINDING, {"family": "survival", "file": "b"}, "give one of 'family' with its parameters"),
    (PATHFINDING, {}, "give one of 'family' with its parameters, 'game', an OpenSpiel string, and"),
    (PATHFINDING, {"file": "a.npz", "horizon": 3}, "remove 'horizon', a stored game has its own"),
    ((*SWEEP, "setting"), "online", "expected simulator, got online"),
    (("sweeps", "online-epsilon", "setting"), "simulator", "expected online, got simulator"),
    (("tuning", "held-out", "setting"), "online", "expected simulator, got online"),
    (("tuning", "held-out-online", "setting"), "simulator", "expected online, got simulator"),
    ((*SWEEP, "setting"), "offline", "expected one of simulator, online, got 'offline'"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG)
def test_wrong_values_are_named_with_what_to_write(path, value, message):
    place = re.sub(r"\.(\d+)", r"[\1]", ".".join(map(str, path)))
    (line,) = faults(changed(path, value))
    assert line.startswith(f"{place}: {message}")


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("a.efg", "expected a name that ends in .npz or .nfg (a stored game or plain arrays, or a"),
        ("a.nfg", "there is no file 'a.nfg', seen from /"),
    ],
)
def test_files_of_games_must_be_there_and_say_what_they_are(file, message):
    (line,) = faults(changed(PATHFINDING, {"file": file}))
    assert line.startswith(f"{'.'.join(PATHFINDING)}.file: {message}")


def test_gambit_files_are_games_of_a_config():
    check_config(changed(PATHFINDING, {"file": str(ROOT / "config/games/volunteer.nfg")}), SCHEMA)


def test_number_that_yaml_takes_for_text_gets_a_hint():
    assert yaml.safe_load("1e-1") == "1e-1"
    (line,) = faults(changed(TARGET, "1e-1"))
    assert line.endswith("YAML takes this for text: write 0.1")


def test_axis_is_not_a_parameter_of_the_game():
    (line,) = faults(changed((*SWEEP, "game", "horizon"), 8))
    assert line == ("sweeps.sim-horizon.game: remove 'horizon', which the axis of the sweep varies")


def test_axis_is_that_of_the_experiment():
    config = changed((*SWEEP, "axis"), "epsilon")
    config["sweeps"]["sim-horizon"]["game"] |= {"horizon": 8}
    del config["sweeps"]["sim-horizon"]["game"]["eps_game"]
    assert faults(config) == ["sweeps.sim-horizon.axis: expected horizon, got epsilon"]
    config = copy.deepcopy(SMOKE)
    sweeps = config["sweeps"]
    sweeps["online-states"] = sweeps["online-actions"]
    assert faults(config) == ["sweeps.online-states.axis: expected states, got actions"]


def test_sweeps_of_one_figure_share_a_target():
    fraction = SMOKE["sweeps"]["sim-players"]["target_fraction"]
    (line,) = faults(changed(("sweeps", "sim-action-sum", "target_fraction"), fraction / 2))
    assert line.startswith(
        f"sweeps.sim-action-sum.target_fraction: expected {fraction:g} as in sim-"
    )


def test_names_of_learners_become_names_of_files():
    (line,) = faults(changed(("learners", "evb/sim"), {}))
    assert line.startswith("learners: expected text that matches ^[a-z0-9][a-z0-9-]*$, got")


def test_names_of_games_become_names_of_folders():
    (line,) = faults(changed(("curves", "real-games", "games", "a/b"), {"game": "tic_tac_toe"}))
    assert line.startswith(
        "curves.real-games.games: expected text that matches ^[a-z0-9][a-z0-9-]*$, got"
    )


def test_all_faults_are_reported_at_once():
    config = changed(("replicates",), 1) | {"resample": 5}
    config["sweeps"]["sim-horizon"]["target_fraction"] = 0
    assert [line.split(":")[0] for line in faults(config)] == [
        "replicates",
        "sweeps.sim-horizon.target_fraction",
        "top level",
    ]


# What only the plan of the cells shows

UNPLANNED = [
    (
        (*SWEEP, "values"),
        [4, 4.5, 8],
        "sweeps.sim-horizon: horizon 4.5: survival: horizon: expected an",
    ),
    ((*SWEEP, "game", "eps_game"), 0.9, "sweeps.sim-horizon: horizon 4: survival: eps_game=0.9, "),
    ((*SWEEP, "game", "num_actions"), ..., "sweeps.sim-horizon: horizon 4: game: 'num_actions' is"),
    ((*SWEEP, "game", "num_players"), ..., "sweeps.sim-horizon: horizon 4: survival: parameter 'n"),
    (
        ("sweeps", "sim-action-sum", "values"),
        [4, 6, 8],
        "sweeps.sim-action-sum: action-sum 4: survival: num_actions[1]: expected an integer >= 1",
    ),
    (
        (*SWEEP, "budget_scales", "q-ftrl"),
        [1e-9, 2e-9],
        "sweeps.sim-horizon: horizon 4: the budgets of q-ftrl come to 1, 1 rounds; take ",
    ),
    (
        ("learners", "evb-sim-no-bias"),
        ...,
        "curves.ablation.rounds: no options for 'evb-sim-no-bias'; did you mean ",
    ),
    (("learners", "q-ftr"), {}, "learners.q-ftr: unknown algorithm 'q-ftr'; did you mean 'q-ftrl"),
    (("learners", "q-ftrl"), {"rate": 1}, "learners.q-ftrl: unknown parameter 'rate'; "),
    (
        ("curves", "real-games", "rounds", "evb_sim"),
        [8],
        "curves.real-games.rounds: no options for 'evb_sim'; did you mean 'evb-sim'?",
    ),
    (
        ("curves", "ablation", "games", "survival", "horizon"),
        0,
        "curves.ablation.games.survival: survival: horizon: expected an integer >= 2, got 0",
    ),
    (
        ("tuning", "held-out", "game", "family"),
        "life",
        "tuning.held-out: family: unknown family 'life'; known: ",
    ),
]


@pytest.mark.parametrize(("path", "value", "message"), UNPLANNED)
def test_impossible_plans_are_named(path, value, message):
    config = changed(path, value)
    check_config(config, SCHEMA)
    with pytest.raises(InputError) as caught:
        plan_cells(config)
    (line,) = str(caught.value).splitlines()
    assert line.startswith(message)


@pytest.mark.parametrize("key", ["algorithm", "file"])
def test_learners_that_the_paper_quotes_are_what_their_names_say(key):
    (line,) = faults(changed(("learners", "v-learning"), {key: "evb-online"}))
    assert line.startswith(f"learners.v-learning: remove {key!r}")


def test_learners_that_the_paper_quotes_are_there():
    (line,) = faults(changed(("learners", "stage-v-learning"), ...))
    assert line == "learners: 'stage-v-learning' is missing; add it"


def test_ablations_differ_in_what_they_leave_out_alone():
    lines = faults(changed(("learners", "evb-online", "rate_scale"), 2))
    assert len(lines) == 4
    assert lines[0].startswith(
        "learners.evb-online-no-centre.rate_scale: must equal that of evb-online (2), from which"
    )
