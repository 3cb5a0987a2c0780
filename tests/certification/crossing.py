"""The game of examples/crossing.py: its simulator, the same game as a table, and two policies."""

from pathlib import Path

import numpy as np

from ccerates.games.model import MarkovGame
from ccerates.protocol import load_simulator

PATH = Path(__file__).parents[2] / "examples/crossing.py"


def crossing():
    """Return the example's own object."""
    return load_simulator(PATH)


def crossing_table():
    """Return the same game as a table, from its description; waiting counts by its mean, 0.3."""
    reward, probability = np.zeros((1, 2, 3, 4)), np.zeros((1, 3, 4, 3))
    for state, worth in enumerate((1.0, 0.9, 0.4)):
        reward[0, :, state, 1] = worth, 0.3 * worth  # driver 0 goes, driver 1 waits
        reward[0, :, state, 2] = 0.3 * worth, worth
        reward[0, :, state, 3] = 0.2 * worth
        probability[0, state, 0, 2] = 1.0
        probability[0, state, 1:, :2] = 0.5
    probability[0, 2, 1:3] = [0.5, 0.0, 0.5]
    successors = np.broadcast_to(np.arange(3), (1, 3, 4, 3))
    return MarkovGame((2, 2), reward, successors, probability, [0, 0, 0], [1.0, 0, 0], "crossing")


def policies():
    """Return a traffic light, and a rush in which everybody goes."""
    light, rush = np.zeros((2, 3, 3, 2, 2))
    light[..., 0, 1] = light[..., 1, 0] = 0.5
    rush[..., 0, 0] = 1.0
    return light, rush
