"""Files that people bring: what they are is seen, and read with suspicion."""

import io
import zipfile

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.games import files
from ccerates.games.arrays import game_from_arrays
from ccerates.games.files import load_arrays, read_game
from ccerates.games.store import save_game

PAYOFFS = np.arange(12.0).reshape(2, 2, 3)
MARKOV = {
    "reward": np.linspace(0, 1, 24).reshape(2, 2, 2, 3),
    "transition": np.full((2, 2, 3, 2), 0.5),
}


def test_each_kind_of_file_is_seen(tmp_path):
    game = game_from_arrays(payoffs=PAYOFFS)
    save_game(game, tmp_path / "stored.npz")
    np.savez(tmp_path / "plain.npz", payoffs=PAYOFFS)
    np.savez_compressed(tmp_path / "packed.npz", payoffs=np.asfortranarray(PAYOFFS.astype(int)))
    (tmp_path / "file.nfg").write_text(
        'NFG 1 R "" { "a" "b" } { 2 3 } 0 6  3 9  1 7  4 10  2 8  5 11'
    )
    for name in ("stored.npz", "plain.npz", "packed.npz", "file.nfg"):
        read = read_game(tmp_path / name)
        np.testing.assert_allclose(read.reward, game.reward, rtol=1e-15)
        assert read.metadata["reward_scale"] == 11
    assert read_game(tmp_path / "plain.npz").name == "plain"


def test_arrays_of_a_markov_game(tmp_path):
    path = tmp_path / "markov.npz"
    np.savez(path, **MARKOV, horizon=4, start=1)
    expected = game_from_arrays(**MARKOV, horizon=4, start=1)
    assert load_arrays(path).content_hash == expected.content_hash
    np.savez(path, **MARKOV, horizon=4, start=np.array([0.25, 0.75]))
    assert load_arrays(path).start.tolist() == [0.25, 0.75]


WRONG = [
    ({}, "it holds nothing; expected payoffs, or reward and transition, and where needed horizon"),
    ({"payoff": PAYOFFS}, "it holds payoff; expected payoffs, or reward and transition"),
    ({**MARKOV, "horizon": np.array([4])}, "horizon: expected one number, got shape (1,)"),
    ({**MARKOV, "horizon": 4.0}, "horizon: expected an integer, got 4.0"),
    ({**MARKOV}, "horizon: is missing"),
    (
        {"payoffs": np.array(["a"])},
        "payoffs: expected axes of numbers, got shape (1,) of <U1",
    ),
    ({"payoffs": PAYOFFS > 1}, "payoffs: expected numbers, got bool"),
    ({"payoffs": PAYOFFS.astype(complex)}, "expected axes of numbers, got shape (2, 2, 3)"),
]


@pytest.mark.parametrize(("arrays", "message"), WRONG)
def test_faults(tmp_path, arrays, message):
    path = tmp_path / "game.npz"
    np.savez(path, **arrays)
    with pytest.raises(InputError) as caught:
        load_arrays(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


class Pickled:
    """Whoever unpickles one fails."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle was read",))


def test_nothing_is_unpickled(tmp_path):
    path = tmp_path / "game.npz"
    np.savez(path, payoffs=np.array([Pickled()], dtype=object))
    with pytest.raises(InputError, match="got shape \\(1,\\) of object"):
        load_arrays(path)


def test_sizes_are_checked_before_memory_is_taken(tmp_path, monkeypatch):
    path = tmp_path / "game.npz"
    np.savez_compressed(path, payoffs=np.zeros((2, 100, 100)))
    monkeypatch.setattr(files, "_KIND", files._KIND._replace(maximal_bytes=100_000))
    with pytest.raises(InputError, match="GiB allowed in one file"):
        read_game(path)
    member = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        member, {"descr": "<f8", "fortran_order": False, "shape": (2, 10**6, 10**6)}
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("payoffs.npy", member.getvalue())
    with pytest.raises(InputError, match="declares 16000000000000 bytes, but the file holds"):
        read_game(path)


def test_files_that_are_none(tmp_path):
    for name, message in {
        "game.efg": r"expected a name that ends in \.npz or \.nfg",
        "none.npz": "there is no such file; write one with numpy.savez",
        "none.nfg": "there is no such file; name a Gambit",
    }.items():
        with pytest.raises(InputError, match=message):
            read_game(tmp_path / name)
    (tmp_path / "text.npz").write_text("text")
    with pytest.raises(InputError, match="not a usable array file: File is not a zip file"):
        read_game(tmp_path / "text.npz")
    save_game(game_from_arrays(payoffs=PAYOFFS), tmp_path / "stored.npz")
    with pytest.raises(InputError, match="it is a stored game and needs no conversion"):
        load_arrays(tmp_path / "stored.npz")
