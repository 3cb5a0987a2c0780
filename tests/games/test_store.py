"""Files of games: determinism, atomicity and every kind of damage."""

import io
import json
import os
import re
import struct
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccerates.errors import InputError
from ccerates.games.families import make_game
from ccerates.games.store import load_game, save_game


@pytest.fixture(scope="module")
def game():
    parameters = {"num_players": 2, "num_actions": [2, 3], "num_states": 3, "horizon": 2}
    return make_game("dense-random", parameters, np.random.default_rng(0))


@pytest.fixture
def path(game, tmp_path):
    path = tmp_path / "game.npz"
    save_game(game, path)
    return path


def test_bytes_do_not_depend_on_time_or_place(game, path, tmp_path, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 2e9)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    save_game(game, "other-name.npz")
    assert Path("other-name.npz").read_bytes() == path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert {info.date_time[0] for info in archive.infolist()} == {1980}


def test_a_failed_save_leaves_the_old_file_and_no_litter(game, path, monkeypatch):
    before = path.read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(np.lib.format, "write_array", lambda *_, **__: fail())
    with pytest.raises(InputError, match=rf"{re.escape(str(path))}: cannot write .*disk full"):
        save_game(game, path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["game.npz"]  # noqa: PTH208


def test_a_failed_replacement_leaves_no_litter(game, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot write the game"):
        save_game(game, tmp_path / "folder")
    assert os.listdir(tmp_path) == ["folder"]  # noqa: PTH208


def test_no_folder_to_write_to(game, tmp_path):
    with pytest.raises(InputError, match=r"cannot write the game .*check the folder"):
        save_game(game, tmp_path / "none" / "game.npz")


def read_arrays(path):
    with np.load(path) as arrays:
        return dict(arrays)


def rewrite(path, **changes):
    """Store the members of `path` anew, some replaced (None: left out)."""
    arrays = read_arrays(path) | changes
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


def rewrite_header(path, **changes):
    header = json.loads(read_arrays(path)["metadata"].tobytes()) | changes
    text = json.dumps({key: value for key, value in header.items() if value is not None})
    rewrite(path, metadata=np.frombuffer(text.encode(), dtype=np.uint8))


def rewrite_member(path, name, content):
    """Replace the bytes of one member."""
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for member, old in members.items():
            archive.writestr(member, content if member == name else old)


def npy_header(shape, dtype="<f8"):
    """Return the start of an .npy file that declares `shape` and holds almost nothing."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": dtype, "fortran_order": False, "shape": shape}
    )
    return stream.getvalue() + bytes(16)


def lie_about_size(path, size):
    """Let the zip directory declare `size` bytes for the first member."""
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02")
    content[entry + 24 : entry + 28] = struct.pack("<I", size)
    path.write_bytes(content)


def test_rewriting_alone_does_no_harm(game, path):
    rewrite(path)
    assert load_game(path).content_hash == game.content_hash
    np.savez_compressed(path, **read_arrays(path))
    assert load_game(path).content_hash == game.content_hash


OBJECTS = np.array([{"a": 1}], dtype=object)
DAMAGES = {
    "empty": (lambda path: path.write_bytes(b""), "File is not a zip file"),
    "text": (lambda path: path.write_text("horizon: 8"), "File is not a zip file"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-30]), "not a zip file"),
    "half": (
        lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        "not a zip file",
    ),
    "pickled objects": (
        lambda path: rewrite(path, reward=OBJECTS),
        "array reward: expected 4 axes of float64, got shape (1,) of object",
    ),
    "member missing": (lambda path: rewrite(path, start=None), "it lacks start.npy;"),
    "member too many": (
        lambda path: rewrite(path, extra=np.zeros(1)),
        "it holds an unexpected extra.npy;",
    ),
    "other type": (
        lambda path: rewrite(path, reward=np.zeros((2, 2, 3, 6), dtype=np.float32)),
        "array reward: expected 4 axes of float64, got shape (2, 2, 3, 6) of float32",
    ),
    "other axes": (
        lambda path: rewrite(path, start=np.ones((1, 3)) / 3),
        "array start: expected 1 axes of float64, got shape (1, 3)",
    ),
    "invalid game": (
        lambda path: rewrite(path, start=np.array([0.5, 0.5, 0.5])),
        "start sums to 1.5; expected 1",
    ),
    "another game": (
        lambda path: rewrite(path, start=np.array([0.5, 0.5, 0.0])),
        "the arrays do not match the content hash",
    ),
    "another version": (
        lambda path: rewrite_header(path, format=2),
        "format version 2; this program reads 1",
    ),
    "no version": (lambda path: rewrite_header(path, format=None), "format version None"),
    "no hash": (
        lambda path: rewrite_header(path, content_hash=None),
        "metadata: content_hash is missing or not a str",
    ),
    "name of another type": (
        lambda path: rewrite_header(path, name=3),
        "metadata: name is missing or not a str",
    ),
    "metadata that is no JSON": (
        lambda path: rewrite(path, metadata=np.frombuffer(b"{", dtype=np.uint8)),
        "not a usable game file: Expecting property name",
    ),
    "metadata that is no object": (
        lambda path: rewrite(path, metadata=np.frombuffer(b"[]", dtype=np.uint8)),
        "metadata: expected an object, got list",
    ),
    "no array at all": (
        lambda path: rewrite_member(path, "reward.npy", b"reward"),
        "not a usable game file",
    ),
    "absurd shape": (
        lambda path: rewrite_member(path, "reward.npy", npy_header((10**6,) * 4)),
        f"array reward: declares {8 * 10**24} bytes, but the file holds",
    ),
    "negative shape": (
        lambda path: rewrite_member(path, "reward.npy", npy_header((-1, 2, 3, 6))),
        "array reward: expected 4 axes of float64, got shape (-1, 2, 3, 6)",
    ),
    "absurd size in the directory": (
        lambda path: lie_about_size(path, 2**32 - 2),
        "more than the 2 GiB allowed",
    ),
    "data behind the array": (
        lambda path: rewrite_member(
            path, "start.npy", npy_header((2,)) + np.array([0.5, 0.5, 0.0]).tobytes()
        ),
        "array start: more data than its header declares",
    ),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES)
def test_damaged_file(damage, message, path):
    damage(path)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        load_game(path)
    assert str(caught.value).startswith(f"{path}: not a usable game file: ")
    assert str(caught.value).endswith("if this was one, delete it and make the game again")
    assert "\n" not in str(caught.value)


def test_missing_file(tmp_path):
    for place in (tmp_path / "none.npz", tmp_path):
        with pytest.raises(InputError, match=f"{re.escape(str(place))}: there is no such file"):
            load_game(place)


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_random_damage_is_noticed_or_harmless(data, game, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    save_game(game, path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.one_of(st.none(), st.integers(0, len(content))))
    path.write_bytes(content[:cut])
    try:
        read = load_game(path)
    except InputError as error:
        assert str(error).startswith(f"{path}: ")  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert read.content_hash == game.content_hash
        assert read.metadata == game.metadata
