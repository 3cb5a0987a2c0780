"""Files of online results: what comes back, and what is refused."""

import dataclasses
import json
import re

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.online.audit import BoundsAudit
from ccerates.online.registry import online_learner
from ccerates.online.result import OnlineResult
from ccerates.online.results_store import load_online_results, save_online_results
from ccerates.online.run import learn_online
from ccerates.results_archive import NoTrace
from ccerates.simulator.results_store import load_results

AUDIT = BoundsAudit(np.arange(3), *(np.full((3, 2), float(each)) for each in range(5)))


@pytest.fixture(scope="module")
def learn(make_sources, make_seeds):
    def run(algorithm, count=2, record=False, episodes=30, **options):
        return next(
            learn_online(
                algorithm,
                make_sources(count),
                [episodes],
                make_seeds(count),
                online_learner(algorithm).options_type(**options),
                record=record,
            )
        )

    return run


def assert_equal(actual, expected) -> None:
    assert [type(each) for each in actual] == [OnlineResult] * len(expected)
    for result, saved in zip(actual, expected, strict=True):
        for field in dataclasses.fields(OnlineResult):
            value, wanted = getattr(result, field.name), getattr(saved, field.name)
            assert type(value) is type(wanted), field.name
            if isinstance(wanted, tuple):
                for name in wanted._fields:
                    array = getattr(value, name)
                    assert array.dtype == getattr(wanted, name).dtype, name
                    np.testing.assert_array_equal(array, getattr(wanted, name), err_msg=name)
            else:
                np.testing.assert_array_equal(value, wanted, err_msg=field.name)


@pytest.mark.parametrize(
    ("algorithm", "arguments"),
    [
        ("v-learning", {}),
        ("v-learning", {"record": True, "failure": 0.2}),
        ("evb-online", {"constants": "rigorous"}),
    ],
)
def test_results_come_back(algorithm, arguments, learn, tmp_path) -> None:
    saved = learn(algorithm, **arguments)
    save_online_results(saved, tmp_path / "results.npz")
    assert_equal(load_online_results(tmp_path / "results.npz"), saved)


def test_audits_come_back(learn, tmp_path) -> None:
    saved = [dataclasses.replace(each, audit=AUDIT) for each in learn("v-learning")]
    save_online_results(saved, tmp_path / "results.npz")
    assert_equal(load_online_results(tmp_path / "results.npz"), saved)


def test_checkpoints_of_runs_share_a_file(learn, tmp_path) -> None:
    saved = [*learn("v-learning", episodes=5), *learn("v-learning", episodes=50)]
    save_online_results(saved, tmp_path / "results.npz")
    loaded = load_online_results(tmp_path / "results.npz")
    assert_equal(loaded, saved)
    assert [each.episodes for each in loaded] == [5, 5, 50, 50]


def test_results_of_a_file_of_ones_own(learn, tmp_path) -> None:
    saved = [
        dataclasses.replace(each, algorithm="mine.py", constants="own", failure=np.nan)
        for each in learn("v-learning")
    ]
    assert saved[0].trace == NoTrace()
    save_online_results(saved, tmp_path / "results.npz")
    assert_equal(load_online_results(tmp_path / "results.npz"), saved)


def test_what_does_not_fit_together_is_not_saved(learn, tmp_path) -> None:
    first, second = learn("v-learning")
    path = tmp_path / "results.npz"
    recorded = learn("v-learning", record=True)
    cases = {
        "there are no results to save": [],
        "run 1 is of cce-v-learning, the first of v-learning": [first, *learn("cce-v-learning")],
        "run 1 has no history, run 0 has one; save them to different": [recorded[0], second],
        "run 0 has no audit, run 1 has one": [first, dataclasses.replace(second, audit=AUDIT)],
        "history.states of run 1 has shape (9, 3), that of the first run (30, 3)": [
            recorded[0],
            *learn("v-learning", record=True, episodes=9),
        ],
        "array visits: expected shape (1, 3, 3), got (1, 2, 3)": [
            dataclasses.replace(first, visits=first.visits[:2])
        ],
        "array lower_value: expected shape (1, 3, 3, 2), got (1, 3, 3, 1)": [
            dataclasses.replace(first, lower_value=first.lower_value[..., :1])
        ],
    }
    for message, unfit in cases.items():
        with pytest.raises(InputError, match=f"^{re.escape(f'{path}: {message}')}"):
            save_online_results(unfit, path)
    assert not list(tmp_path.iterdir())


def test_files_of_the_other_setting_are_refused(learn, tmp_path) -> None:
    path = tmp_path / "results.npz"
    save_online_results(learn("v-learning"), path)
    with pytest.raises(InputError, match="not a usable results file: it holds no learning results"):
        load_results(path)


def test_damaged_files_are_refused(learn, tmp_path) -> None:
    path = tmp_path / "results.npz"
    save_online_results(learn("v-learning", record=True), path)
    with np.load(path) as archive:
        arrays = dict(archive)
    header = json.loads(arrays["metadata"].tobytes())

    def rewrite(changes, metadata):
        text = json.dumps(header | metadata).encode()
        members = arrays | changes | {"metadata": np.frombuffer(text, dtype=np.uint8)}
        np.savez(path, **members)

    cases = [
        ({"visits": np.zeros((2, 3, 3))}, {}, "array visits: expected 3 axes of int64, got shape"),
        ({"visits": np.zeros((1, 3, 3), dtype=int)}, {}, "array visits: expected 2 runs, got 1"),
        ({}, {"averaging": ["alpha"]}, "metadata: averaging: expected 2 texts, got 1 items"),
        ({}, {"parts": None}, "metadata: parts is missing or not a list"),
        ({}, {"parts": []}, "it holds an unexpected history.states.npy, history.joint_actions.npy"),
        ({}, {"parts": ["history", "audit"]}, "it lacks audit.commits.npy"),
    ]
    for changes, metadata, message in cases:
        rewrite(changes, metadata)
        with pytest.raises(
            InputError, match=re.escape(f"{path}: not a usable results file: {message}")
        ):
            load_online_results(path)
