"""Files of unfinished runs that are damaged, or of another state of the program, are refused."""

import io
import json
import zipfile

import numpy as np
import pytest

from ccerates.compilation import SOURCE_KEY
from ccerates.errors import InputError
from ccerates.online.run import OnlineBatch


class Silent:
    """An observer with a state."""

    needs_values = False
    needs_samples = False

    def observe(self, chunk, lane) -> None:
        pass

    def state(self):
        return {"nothing": np.zeros(1)}

    def restore(self, state) -> None:
        pass


def read_members(path):
    with np.load(path) as archive:
        members = dict(archive)
    header = json.loads(members.pop("metadata").tobytes())
    return header, members


def write_members(path, header, members) -> None:
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    with zipfile.ZipFile(path, "w") as archive:
        for name, values in {**members, "metadata": text}.items():
            member = io.BytesIO()
            np.save(member, values)
            archive.writestr(f"{name}.npy", member.getvalue())


@pytest.fixture
def saved(make_sources, make_seeds, tmp_path):
    """Return a function that changes a file of two recorded runs, 20 of 50 episodes, and loads."""
    path, sources = tmp_path / "state.npz", make_sources(2)
    observers = [Silent(), None]
    batch = OnlineBatch(
        "v-learning", sources, make_seeds(2), episodes=50, observers=observers, record=True
    )
    batch.advance(20)
    batch.save(path)

    def load(change):
        header, members = read_members(path)
        change(header, members)
        write_members(path, header, members)
        return OnlineBatch.load(path, sources, observers)

    return load


def test_an_unchanged_file_is_read(saved) -> None:
    batch = saved(lambda header, members: None)
    assert batch.episode == 20


def test_a_file_of_another_state_of_the_program_is_refused(saved) -> None:
    def change(header, members) -> None:  # noqa: ARG001
        assert header["code"] == SOURCE_KEY
        header["code"] = "0123456789abcdef"

    with pytest.raises(
        InputError, match=r"saved by another state of the program .* start the runs"
    ):
        saved(change)


HEADERS = {
    "unknown learner": ({"algorithm": "v-learnig"}, "did you mean 'v-learning'"),
    "learner": ({"algorithm": "cce-v-learning"}, "expected arrays loss, upper"),
    "unknown option": ({"options": {"rate": 1.0}}, "unknown parameter 'rate'"),
    "text for a number": ({"options": {"rate_scale": "fast"}}, "rate_scale: expected a number"),
    "range of an option": ({"options": {"failure": 2.0}}, "failure: expected a number"),
    "list for a word": ({"options": {"constants": ["theory"]}}, "constants: expected one of"),
    "no games": ({"game_hashes": [], "seeds": []}, "0 game_hashes and 0 seeds"),
    "games that are no text": ({"game_hashes": [1, 2]}, "game_hashes must be text"),
    "one seed": ({"seeds": [{"entropy": 7, "spawn_key": [0]}]}, "2 game_hashes and 1 seeds"),
    "no entropy": ({"seeds": [{}, {}]}, "entropy"),
    "seed of text": ({"seeds": [3, "x"]}, "not a usable"),
    "entropy of text": ({"seeds": [{"entropy": "x", "spawn_key": []}] * 2}, "not a usable"),
    "planned episodes": ({"episodes": 0, "episode": 0}, "episodes: expected an integer in 1"),
    "truth value": ({"episode": True}, "episode: expected an integer, got True"),
    "too many planned": ({"episodes": 10**30}, "episodes: expected an integer in 1"),
    "beyond the plan": ({"episode": 51}, r"episode: expected an integer in 0\.\.50"),
    "negative episode": ({"episode": -1}, r"episode: expected an integer in 0\.\.50"),
    "another episode": ({"episode": 19}, "visits are not those of 19 episodes"),
    "no record": ({"record": False}, "2 observers and 2 histories of 2 runs"),
    "no members": ({"members": {}}, "not a usable"),
    "members of numbers": ({"members": {"learner": 3, "history": [], "observer": []}}, "not a us"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_damaged_headers_are_refused(saved, name) -> None:
    fields, message = HEADERS[name]
    with pytest.raises(InputError, match=r"state\.npz: .*" + message):
        saved(lambda header, members: header.update(fields))


def _drop_observer(header, members) -> None:
    del header["members"]["observer"][0]
    del members["observer.0.nothing"]


def _drop_generator(header, members) -> None:
    header["members"]["learner"].remove("generator")
    del members["learner.generator"]


def _rename_history(header, members) -> None:
    header["members"]["history"][1] = ["states", "actions"]
    members["history.1.actions"] = members.pop("history.1.joint_actions")


def _set(name, change):
    def apply(header, members) -> None:  # noqa: ARG001
        members[name] = change(members[name])

    return apply


def _silence(generators):
    generators[1] = 0
    return generators


ARRAYS = {
    "one observer": (_drop_observer, "1 observers and 2 histories of 2 runs"),
    "no generator": (_drop_generator, "generator of zeros"),
    "names of a history": (_rename_history, "a history holds states, actions"),
    "one run": (_set("learner.loss", lambda values: values[:1]), "1 entries for 2 runs"),
    "other shape": (_set("learner.loss", lambda values: values[:, :1]), "array loss: expected sh"),
    "other type": (_set("learner.visits", lambda values: values * 1.0), "visits: expected shape"),
    "generator of zeros": (_set("learner.generator", _silence), "generator of zeros"),
    "shorter record": (_set("history.0.states", lambda values: values[:9]), "record of states is"),
    "narrow record": (_set("history.0.states", lambda values: values[:, :1]), "record of states"),
    "type of record": (_set("history.1.joint_actions", np.float64), "record of joint_actions is"),
    "strange states": (_set("history.1.states", lambda values: values + 1), "that of its visits"),
    "strange actions": (_set("history.0.joint_actions", lambda v: v + 6), "that of its visits"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_damaged_arrays_are_refused(saved, name) -> None:
    change, message = ARRAYS[name]
    with pytest.raises(InputError, match=r"state\.npz: .*" + message):
        saved(change)
