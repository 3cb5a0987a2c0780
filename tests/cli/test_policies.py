"""``ccerates policies export``: what is written is read again bit by bit."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ccerates import api
from ccerates.errors import InputError

EXPORT = ("policies", "export", "result.npz", "game.npz", "--output", "policy.parquet")


@pytest.fixture
def results(game):
    api.save_game(game, "game.npz")
    results = api.learn(game, "evb-sim", rounds=20, replicates=2, seed=3)
    api.save_results(results, "result.npz")
    return results


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_round_trip(ccerates, results):
    outcome = ccerates(*EXPORT)
    assert outcome.code == 0, outcome.errors
    rows = sum(np.count_nonzero(result.policy) for result in results)
    assert outcome.output.splitlines() == [
        f"2 runs of evb-sim on dense-random, {rows} rows", "wrote policy.parquet",
    ]  # fmt: skip
    for run, result in enumerate(results):
        np.testing.assert_array_equal(api.load_policy("policy.parquet", run), result.policy)
    again = ccerates(*EXPORT, "--force", "--json")
    assert json.loads(again.output) == {"file": "policy.parquet", "runs": 2, "rows": rows}
    assert ccerates(*EXPORT).errors.startswith("error: policy.parquet: exists")


def test_other_programs_can_read_it(ccerates, game, results):
    """A row is looked up with pandas alone; action_1 changes fastest in a joint action."""
    ccerates(*EXPORT)
    table = pd.read_parquet("policy.parquet")
    assert list(table) == ["run", "step", "state", "action_0", "action_1", "probability"]
    assert (table["probability"] > 0).all()
    place = {"run": 1, "step": 1, "state": 2, "action_0": 1, "action_1": 2}
    (found,) = table.loc[(table[list(place)] == list(place.values())).all(axis=1), "probability"]
    assert found == results[1].policy[1, 2, 1 * 3 + 2]
    text = pq.read_schema("policy.parquet").metadata[b"ccerates"]
    assert json.loads(text) == {
        "format": 1, "algorithm": "evb-sim", "constants": "practical", "game_name": "dense-random",
        "game_hash": game.content_hash, "num_runs": 2, "horizon": 2, "num_states": 3,
        "num_actions": [2, 3],
    }  # fmt: skip


def test_states_are_named_where_the_game_names_them():
    game = api.import_openspiel("goofspiel(num_cards=3,points_order=descending)")
    (result,) = api.learn(game, "evb-sim", rounds=5)
    api.save_policies([result], game, "named.parquet")
    table = pd.read_parquet("named.parquet")
    labels = game.metadata["states"]
    assert table["state_label"].tolist() == [labels[state] for state in table["state"]]
    np.testing.assert_array_equal(api.load_policy("named.parquet"), result.policy)


@pytest.mark.usefixtures("results")
def test_certify_reads_it(ccerates):
    ccerates(*EXPORT)
    question = ("--simulator", "game.npz", "--epsilon", 1.9, "--replicate", 1, "--samples", 30_000)
    answers = [ccerates("certify", file, *question) for file in ("policy.parquet", "result.npz")]
    assert answers[0].code == answers[1].code == 0
    assert answers[0].output.splitlines()[0] == answers[1].output.splitlines()[0]


def rewrite(change):
    table = pq.read_table("policy.parquet")
    pq.write_table(change(table), "policy.parquet")


def set_metadata(**changes):
    def change(table):
        header = json.loads(table.schema.metadata[b"ccerates"]) | changes
        return table.replace_schema_metadata({b"ccerates": json.dumps(header)})

    return change


def set_column(name, values):
    return lambda table: table.set_column(
        table.column_names.index(name), name, pa.array(values(table[name].to_numpy()))
    )


DAMAGE = {
    "no metadata": (lambda table: table.replace_schema_metadata(), "does not say whose policy"),
    "version": (set_metadata(format=2), "format version 2; this program reads 1"),
    "huge": (set_metadata(horizon=10**9), "takes .* GiB, more than 2 GiB"),
    "dimension": (set_metadata(num_states=0), "num_states: expected an integer >= 1, got 0"),
    "missing field": (set_metadata(unknown=1), "not a usable policy file"),
    "range": (set_column("action_1", lambda old: old + 1), r"column action_1: .* 0\.\.2"),
    "type": (
        set_column("state", lambda old: old + 0.5),
        r"column state: expected integers in 0\.\.2",
    ),
    "text": (
        set_column("probability", lambda old: old.astype(str)),
        "probability: expected float64",
    ),
    "twice": (lambda table: pa.concat_tables([table, table.slice(0, 1)]), "two rows|more rows"),
    "missing column": (lambda table: table.drop_columns("step"), "lacks column step"),
}


@pytest.mark.parametrize(("change", "message"), DAMAGE.values(), ids=DAMAGE)
@pytest.mark.usefixtures("results")
def test_damaged_files(ccerates, change, message):
    ccerates(*EXPORT)
    rewrite(change)
    with pytest.raises(InputError, match=message) as caught:
        api.load_policy("policy.parquet", 0)
    assert str(caught.value).startswith("policy.parquet: ")


@pytest.mark.usefixtures("results")
def test_refusals(ccerates, tmp_path):
    for arguments, message in (
        ((*EXPORT[:-1], "policy.csv"), "--output policy.csv: the name must end in .parquet"),
        (("certify", "policy.parquet"), "policy.parquet: is a policy; --simulator says of which"),
    ):
        code, _, errors = ccerates(*arguments)
        assert code == 2
        assert message in errors
    ccerates(*EXPORT)
    fresh = ("--simulator", "game.npz", "--epsilon", 0.5)
    assert (
        "holds 2 runs; say which, --replicate 0"
        in ccerates("certify", "policy.parquet", *fresh).errors
    )
    (tmp_path / "torn.parquet").write_bytes((tmp_path / "policy.parquet").read_bytes()[:200])
    assert "not a usable policy file" in ccerates("certify", "torn.parquet", *fresh).errors


def test_policies_of_online_learners_are_no_tables(ccerates, game):
    api.save_game(game, "game.npz")
    (last,) = api.learn_online(game, "evb-online", episodes=20, evaluate=False)
    api.save_results(last.results, "result.npz")
    code, _, errors = ccerates(*EXPORT)
    assert code == 2
    assert "its policy depends on all 20 episodes" in errors
    assert "learn again with" in errors
