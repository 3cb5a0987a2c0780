"""The command line, run in this process and in a folder of its own."""

from typing import NamedTuple

import numpy as np
import pytest

from ccerates.cli.main import main
from ccerates.games.families import make_game
from ccerates.games.store import save_game


class Outcome(NamedTuple):
    code: int
    output: str
    errors: str


@pytest.fixture
def ccerates(tmp_path, monkeypatch, capsys):
    """Run ``ccerates`` with arguments, in a temporary folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture
def game():
    """A small game with unequal action counts."""
    parameters = {"num_players": 2, "num_actions": [2, 3], "num_states": 3, "horizon": 2}
    return make_game("dense-random", parameters, np.random.default_rng(5))


@pytest.fixture
def game_file(game, tmp_path):
    save_game(game, tmp_path / "game.npz")
    return "game.npz"
