"""Files of results: what comes back, and what is refused."""

import dataclasses
import io
import json
import re
import sys
import types
import zipfile
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccerates.errors import InputError
from ccerates.games.store import save_game
from ccerates.simulator import registry
from ccerates.simulator.result import LearningResult
from ccerates.simulator.results_store import load_results, save_results
from ccerates.simulator.source import Simulator


def run(algorithm, games, rounds=20, **options):
    learner = registry.simulator_learner(algorithm)
    seeds = [np.random.SeedSequence(place) for place in range(len(games))]
    simulators = [Simulator(game) for game in games]
    return learner.learn_batch(simulators, rounds, seeds, learner.options_type(**options))


@pytest.fixture(scope="module")
def results(random_game):
    """Return two runs with unequal numbers of actions, so that the trace holds NaN."""
    return run("evb-sim", [random_game(seed, (2, 3)) for seed in range(2)])


@pytest.fixture
def path(results, tmp_path):
    path = tmp_path / "results.npz"
    save_results(results, path)
    return path


def assert_equal(actual, expected) -> None:
    assert [type(each) for each in actual] == [LearningResult] * len(expected)
    for result, saved in zip(actual, expected, strict=True):
        for field in dataclasses.fields(LearningResult):
            value, wanted = getattr(result, field.name), getattr(saved, field.name)
            assert type(value) is type(wanted), field.name
            if field.name == "trace":
                assert value._fields == wanted._fields
                for name in wanted._fields:
                    array = getattr(value, name)
                    assert array.dtype == getattr(wanted, name).dtype, name
                    np.testing.assert_array_equal(array, getattr(wanted, name), err_msg=name)
            else:
                np.testing.assert_array_equal(value, wanted, err_msg=field.name)


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [
        ("evb-sim", {}),
        ("evb-sim", {"record": True, "failure": 0.1}),
        ("evb-sim", {"constants": "rigorous"}),
        ("q-ftrl", {"failure": 0.2}),
    ],
)
def test_results_come_back(algorithm, options, random_game, tmp_path) -> None:
    saved = run(algorithm, [random_game(seed, (2, 3)) for seed in range(3)], **options)
    save_results(saved, tmp_path / "results.npz")
    assert_equal(load_results(tmp_path / "results.npz"), saved)


def test_runs_may_differ_in_game_rounds_and_options(random_game, tmp_path) -> None:
    saved = [
        *run("evb-sim", [random_game(1, (2, 2))], rounds=10),
        *run("evb-sim", [random_game(2, (2, 2))], rounds=30, constants="rigorous", failure=0.2),
    ]
    save_results(saved, tmp_path / "results.npz")
    loaded = load_results(tmp_path / "results.npz")
    assert_equal(loaded, saved)
    assert [each.rounds for each in loaded] == [10, 30]
    assert [each.certified for each in loaded] == [False, True]
    assert loaded[0].game_hash != loaded[1].game_hash


def test_equal_results_give_equal_bytes(path, tmp_path) -> None:
    save_results(load_results(path), tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()


class CountTrace(NamedTuple):
    visits: np.ndarray
    draws: int


class NoTrace(NamedTuple):
    pass


@dataclasses.dataclass(frozen=True)
class NoOptions:
    pass


@pytest.fixture
def own_learner(monkeypatch):
    """Return a function that puts a researcher's own module into the registry."""

    def register(trace):
        def learn_batch(simulators, rounds, *_, **__):
            results = []
            for simulator in simulators:
                (first, second), states, horizon = simulator.shape
                values = np.full((horizon, states, 2), np.nan)
                policy = np.full((horizon, states, first * second), 1.0 / (first * second))
                results.append(
                    LearningResult(
                        algorithm="mine",
                        game_hash=simulator.content_hash,
                        constants="none",
                        certified=False,
                        failure=0.05,
                        rounds=rounds,
                        samples=rounds,
                        policy=policy,
                        upper_value=values,
                        lower_value=values,
                        certificate=float("nan"),
                        trace=trace,
                    )
                )
            return results

        module = types.ModuleType("own_learner")
        module.Options, module.Trace = NoOptions, type(trace)
        module.learn_batch, module.samples = learn_batch, lambda simulator, rounds: rounds
        monkeypatch.setitem(sys.modules, "own_learner", module)
        monkeypatch.setitem(registry.MODULES, "mine", ("own_learner", "Options", "Trace"))

    return register


@pytest.mark.parametrize("trace", [NoTrace(), CountTrace(np.arange(6).reshape(3, 2), np.int64(7))])
def test_results_of_a_learner_of_ones_own(trace, own_learner, random_game, tmp_path) -> None:
    own_learner(trace)
    saved = run("mine", [random_game(seed, (2, 3)) for seed in range(2)])
    save_results(saved, tmp_path / "results.npz")
    assert_equal(load_results(tmp_path / "results.npz"), saved)


def test_a_learner_that_is_not_registered_any_more(own_learner, random_game, tmp_path) -> None:
    own_learner(NoTrace())
    path = tmp_path / "results.npz"
    saved = run("mine", [random_game(0, (2, 3))])
    save_results(saved, path)
    del registry.MODULES["mine"]
    message = "unknown simulator learner 'mine'; known: evb-sim, q-ftrl"
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: {message}; its results need"):
        load_results(path)
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: {message}$"):
        save_results(saved, path)


def changed_trace(result, **changes):
    return dataclasses.replace(result, trace=result.trace._replace(**changes))


def refused(results, random_game):
    """Return results that cannot be saved, by what the message says."""
    first = results[0]
    other = run("q-ftrl", [random_game(0, (2, 3))])
    shape = (3, 3, 6)
    return {
        "there are no results to save; give at least one": [],
        "run 1 is of q-ftrl, the first of evb-sim; save each algorithm": [first, *other],
        "policy of run 1 has shape (3, 3, 4), that of the first run (3, 3, 6); save runs of": [
            first,
            *run("evb-sim", [random_game(0, (2, 2))]),
        ],
        "trace.transitions of run 1 has shape (3, 3, 3), that of the first run (0, 0, 0)": [
            first,
            *run("evb-sim", [random_game(0, (2, 3))], record=True),
        ],
        "the trace of run 0 is a QFtrlTrace, but the registry names EvbSimTrace for evb-sim": [
            dataclasses.replace(first, trace=other[0].trace)
        ],
        "policy of all runs: expected 4 axes of float64, got shape (1, 3, 3, 6) of float32": [
            dataclasses.replace(first, policy=np.ones(shape, dtype=np.float32))
        ],
        "rounds of all runs: expected 1 axes of int64, got shape (1,) of float64": [
            dataclasses.replace(first, rounds=20.0)
        ],
        "trace.bias of all runs: expected axes of numbers, got shape (1,) of object": [
            changed_trace(first, bias=None)
        ],
        "array lower_value: expected shape (1, 3, 3, 2), got (1, 3, 3, 3)": [
            dataclasses.replace(first, lower_value=np.zeros((3, 3, 3)))
        ],
        "array upper_value: expected shape (1, 3, 3, 2), got (1, 2, 3, 2)": [
            dataclasses.replace(first, upper_value=np.zeros((2, 3, 2)))
        ],
    }


def test_what_does_not_fit_together_is_not_saved(results, random_game, tmp_path) -> None:
    path = tmp_path / "none.npz"
    for message, unfit in refused(results, random_game).items():
        with pytest.raises(InputError, match=f"^{re.escape(f'{path}: {message}')}"):
            save_results(unfit, path)
    assert not list(tmp_path.iterdir())


def test_a_failed_save_leaves_the_old_file(results, path, monkeypatch) -> None:
    before = path.read_bytes()

    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    with pytest.raises(InputError, match=r"cannot write the results \(disk full\); check"):
        save_results(results, path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def read_arrays(path):
    with np.load(path) as arrays:
        return dict(arrays)


def rewrite(path, **changes):
    """Store the members of `path` anew, some replaced (None: left out)."""
    arrays = read_arrays(path) | {name.replace("__", "."): each for name, each in changes.items()}
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


def rewrite_header(path, **changes):
    header = json.loads(read_arrays(path)["metadata"].tobytes()) | changes
    rewrite(path, metadata=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8))


def flip_a_bit_of(path, name):
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(name)
    content = bytearray(path.read_bytes())
    content[info.header_offset + info.file_size] ^= 1
    path.write_bytes(content)


def huge(path):
    """Let the policy declare far more than there is."""
    stream = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**5,) * 4}
    np.lib.format.write_array_header_1_0(stream, header)
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (members | {"policy.npy": stream.getvalue()}).items():
            archive.writestr(name, content)


OBJECTS = np.array([{"a": 1}], dtype=object)
DAMAGES = {
    "empty": (lambda path: path.write_bytes(b""), "File is not a zip file"),
    "text": (lambda path: path.write_text("policy,1"), "File is not a zip file"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-30]), "not a zip file"),
    "a bit flipped": (
        lambda path: flip_a_bit_of(path, "trace.stability.npy"),
        "Bad CRC-32 for file 'trace.stability.npy'",
    ),
    "another program's file": (
        lambda path: np.savez(path, x=np.zeros(2), y=np.zeros(3)),
        "it lacks metadata.npy and holds x.npy, y.npy",
    ),
    "another version": (
        lambda path: rewrite_header(path, format=2),
        "format version 2; this program reads 1",
    ),
    "other content": (
        lambda path: rewrite_header(path, content="games"),
        "it holds no learning results",
    ),
    "no algorithm": (
        lambda path: rewrite_header(path, algorithm=None),
        "metadata: algorithm is missing or not a str",
    ),
    "another algorithm": (
        lambda path: rewrite_header(path, algorithm="q-ftrl"),
        "it lacks trace.value.npy, trace.bonus.npy, trace.arm_mean.npy and 3 more and it holds an",
    ),
    "too few texts": (
        lambda path: rewrite_header(path, game_hash=["a"]),
        "metadata: game_hash: expected 2 texts, got 1 items",
    ),
    "texts that are none": (
        lambda path: rewrite_header(path, constants=[1, 2]),
        "metadata: constants: expected 2 texts, got 2 items",
    ),
    "metadata that is no object": (
        lambda path: rewrite(path, metadata=np.frombuffer(b"[]", dtype=np.uint8)),
        "metadata: expected an object, got list",
    ),
    "no policy": (lambda path: rewrite(path, policy=None), "it lacks policy.npy;"),
    "no field of the trace": (
        lambda path: rewrite(path, trace__square=None),
        "it lacks trace.square.npy;",
    ),
    "a member too many": (lambda path: rewrite(path, extra=np.zeros(2)), "extra.npy"),
    "another type": (
        lambda path: rewrite(path, policy=np.zeros((2, 3, 3, 6), dtype=np.float32)),
        "array policy: expected 4 axes of float64, got shape (2, 3, 3, 6) of float32",
    ),
    "pickled objects": (
        lambda path: rewrite(path, trace__bias=OBJECTS),
        "array trace.bias: expected axes of numbers, got shape (1,) of object",
    ),
    "a number without runs": (
        lambda path: rewrite(path, trace__bias=np.zeros(())),
        "array trace.bias: expected axes of numbers, got shape () of float64",
    ),
    "fewer runs in one array": (
        lambda path: rewrite(path, certificate=np.zeros(1)),
        "array certificate: expected 2 runs, got 1",
    ),
    "other players": (
        lambda path: rewrite(path, lower_value=np.zeros((2, 3, 3, 3))),
        "array lower_value: expected shape (2, 3, 3, 2), got (2, 3, 3, 3)",
    ),
    "absurd shape": (huge, f"array policy: declares {8 * 10**20} bytes, but the file holds"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES)
def test_damaged_file(damage, message, path) -> None:
    damage(path)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        load_results(path)
    assert str(caught.value).startswith(f"{path}: not a usable results file: ")
    assert str(caught.value).endswith(
        "; name another file, or, if this was one, delete it and run the learner again"
    )
    assert "\n" not in str(caught.value)


@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_random_damage_is_noticed_or_harmless(data, results, tmp_path_factory) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    save_results(results, path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(len(content) // 2, len(content)))])
    try:
        read = load_results(path)
    except InputError as error:
        assert str(error).startswith(f"{path}: not a usable results file: ")  # noqa: PT017
    else:
        assert_equal(read, results)


def test_a_file_of_a_game(random_game, tmp_path) -> None:
    save_game(random_game(0, (2,)), tmp_path / "game.npz")
    with pytest.raises(InputError, match="not a usable results file: it holds no learning results"):
        load_results(tmp_path / "game.npz")


def test_rewriting_alone_does_no_harm(results, path) -> None:
    np.savez_compressed(path, **read_arrays(path))
    assert_equal(load_results(path), results)


def test_missing_file(tmp_path) -> None:
    for place in (tmp_path / "none.npz", tmp_path):
        message = f"^{re.escape(str(place))}: there is no such file; run a learner first"
        with pytest.raises(InputError, match=message):
            load_results(place)
