"""Runs of bandits on disk."""

import numpy as np
import pytest

from ccerates.bandits import arena
from ccerates.bandits.store import load_bandit_runs, save_bandit_runs
from ccerates.errors import InputError

METADATA = {
    "label": "exp3-ix",
    "bandit": "exp3-ix",
    "constants": "published",
    "adversary": "switching",
    "rounds": 50,
    "num_actions": 3,
    "gain_bound": 1.0,
    "failure": 0.05,
    "adversary_options": {"noise": 0.01},
}


@pytest.fixture(scope="module")
def runs():
    shape = {name: METADATA[name] for name in ("num_actions", "rounds", "gain_bound")}
    seeds = [np.random.SeedSequence(run) for run in range(3)]
    return arena.play("exp3-ix", None, "switching", None, **shape, seeds=seeds)


def test_what_is_saved_comes_back(runs, tmp_path) -> None:
    path = tmp_path / "runs.npz"
    save_bandit_runs(runs, path, METADATA)
    again, metadata = load_bandit_runs(path)
    assert metadata == METADATA
    for field, values in runs._asdict().items():
        np.testing.assert_array_equal(values, getattr(again, field), err_msg=field)
    first = path.read_bytes()
    save_bandit_runs(runs, path, METADATA)
    assert path.read_bytes() == first
    assert [entry.name for entry in tmp_path.iterdir()] == ["runs.npz"]


def test_damaged_and_foreign_files_are_named(runs, tmp_path) -> None:
    path = tmp_path / "runs.npz"
    save_bandit_runs(runs, path, METADATA)
    whole = path.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"PK" + whole[5:], whole[:600] + whole[610:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"runs.npz: not a usable bandit runs file"):
            load_bandit_runs(path)
    np.savez(path, a=np.ones(3))
    with pytest.raises(InputError, match="not a usable bandit runs file"):
        load_bandit_runs(path)
    np.savez(path, metadata=np.array([{}], dtype=object), **runs._asdict())
    with pytest.raises(InputError, match="not a usable bandit runs file"):
        load_bandit_runs(path)
    with pytest.raises(InputError, match=r"other.npz: there is no such file"):
        load_bandit_runs(tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": None}, "metadata: rounds must be of type int, got None"),
        ({"rounds": True}, "metadata: rounds must be of type int, got True"),
        ({"gain_bound": 1}, "metadata: gain_bound must be of type float, got 1"),
        ({"num_actions": 4}, r"array mean_sum: expected shape \(3, 4\)"),
        ({"extra": float("nan")}, "not JSON compliant"),
        ({"extra": object()}, "not JSON serializable"),
    ],
)
def test_metadata_must_fit(runs, tmp_path, change, message) -> None:
    with pytest.raises(InputError, match=message):
        save_bandit_runs(runs, tmp_path / "runs.npz", METADATA | change)
    assert list(tmp_path.iterdir()) == []


def test_arrays_must_fit_each_other(runs, tmp_path) -> None:
    with pytest.raises(InputError, match=r"array bias: expected shape \(3,\) of float64"):
        save_bandit_runs(runs._replace(bias=runs.bias[:2]), tmp_path / "runs.npz", METADATA)
    with pytest.raises(InputError, match="array gain: expected shape"):
        save_bandit_runs(
            runs._replace(gain=runs.gain.astype(np.float32)), tmp_path / "a.npz", METADATA
        )


def test_folder_that_is_missing_is_named(runs, tmp_path) -> None:
    with pytest.raises(InputError, match="cannot write the bandit runs"):
        save_bandit_runs(runs, tmp_path / "none" / "runs.npz", METADATA)
