"""Learners in files, and small games for them."""

import numpy as np
import pytest

from ccerates.games.families import make_game

UNIFORM = """
class Learner:
    averaging = "alpha"

    def __init__(self, num_actions, num_states, horizon, episodes, bonus=1.0):
        self.num_actions = num_actions

    def act(self, step, state):
        return [[1 / count] * count for count in self.num_actions]

    def update(self, step, state, actions, rewards, next_state):
        pass
"""


@pytest.fixture
def template():
    """Text that `write` starts from; a module of tests may have its own."""
    return UNIFORM


@pytest.fixture
def write(tmp_path, template):
    """Write the template after replacements."""

    def written(*replacements, name="mine.py"):
        text = template
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


@pytest.fixture
def game():
    """A small game with unequal action counts."""
    parameters = {"num_players": 2, "num_actions": [2, 3], "num_states": 3, "horizon": 2}
    return make_game("dense-random", parameters, np.random.default_rng(5))
