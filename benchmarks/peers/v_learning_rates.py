"""What V-learning's peers share: the numbers that its formulas need; practical constants."""

import math
from typing import NamedTuple

import numpy as np

from ccerates.games.model import MarkovGame

BONUS, EXPLORATION, FAILURE = 0.15, 0.1, 0.05


class Rates(NamedTuple):
    """(players,) each, times sqrt(t): learning rate, exploration, bonus."""

    learning: np.ndarray
    exploration: np.ndarray
    bonus: np.ndarray


class Learnt(NamedTuple):
    """What a peer returns: upper values of the players, and visits, at each step and state."""

    upper: np.ndarray
    visits: np.ndarray


def choose_rates(game: MarkovGame, episodes: int) -> Rates:
    """Return the rates of a run."""
    counts, horizon = np.array(game.num_actions), game.horizon
    places = game.num_players * horizon * game.num_states * counts.max()
    iota = math.log(places * episodes / FAILURE)
    rate = np.sqrt(horizon * np.log(counts) / counts)
    return Rates(rate, EXPLORATION * rate, BONUS * np.sqrt(horizon**3 * counts * iota))


def steps_left(game: MarkovGame) -> np.ndarray:
    """Return the upper values before the first episode, (horizon + 1, states, players)."""
    left = np.arange(game.horizon, -1.0, -1.0)
    return np.broadcast_to(
        left[:, None, None], (game.horizon + 1, game.num_states, game.num_players)
    ).copy()
