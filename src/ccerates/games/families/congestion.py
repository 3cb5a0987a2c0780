"""A Markov congestion game: crowded facilities pay less, and the facility used most wears out.

Every player chooses one of F facilities. With load n_f (players who chose f) facility f pays
w_f/n_f to each of them. State s says which facility is worn: it pays (1 - wear) times as much. The
next worn facility is f with probability n_f/m, so crowding also costs later. Congestion games go
back to Rosenthal (1973, Int. J. Game Theory 2); with states that move with the loads they are not
potential games in general.
"""

import math
from dataclasses import dataclass

import numpy as np

from ccerates.checks import check_integer, check_number
from ccerates.games.families.parameters import (
    check_table_size,
    describe,
)
from ccerates.games.model import MarkovGame


@dataclass(frozen=True)
class CongestionParameters:
    """Parameters of a congestion game.

    Attributes
    ----------
    num_players
        m >= 1.
    num_facilities
        F >= 1, the number of actions of every player and of states.
    horizon
        H >= 1; all steps are alike.
    wear
        In [0, 1], the share of its pay that a worn facility loses.
    """

    num_players: int
    num_facilities: int
    horizon: int
    wear: float = 0.5

    def __post_init__(self) -> None:
        check_integer("num_players", self.num_players, 1)
        check_integer("num_facilities", self.num_facilities, 1)
        check_integer("horizon", self.horizon, 1)
        check_number("wear", self.wear, 0.0, 1.0)


def make_congestion(parameters: CongestionParameters, generator: np.random.Generator) -> MarkovGame:
    """Return a congestion game with facility weights drawn uniformly from [0.5, 1].

    Parameters
    ----------
    parameters
        Dimensions and wear.
    generator
        Draws the weights.

    Returns
    -------
    MarkovGame
        The start is uniform over the states; metadata holds ``weights`` (facilities).
    """
    players, facilities = parameters.num_players, parameters.num_facilities
    counts = (facilities,) * players
    check_table_size(1, counts, facilities, facilities)
    weights = generator.uniform(0.5, 1.0, size=facilities)
    actions = np.stack(np.unravel_index(np.arange(math.prod(counts)), counts))
    load = (actions[:, None, :] == np.arange(facilities)[None, :, None]).sum(axis=0)

    pay = np.tile(weights, (facilities, 1))  # (worn, facility)
    np.fill_diagonal(pay, weights * (1.0 - parameters.wear))
    crowd = np.take_along_axis(load, actions, axis=0)  # (player, joint action): load they meet
    reward = np.moveaxis(pay[:, actions], 1, 0) / crowd[:, None, :]
    shape = (1, facilities, math.prod(counts), facilities)
    return MarkovGame(
        num_actions=counts,
        reward=reward[None],
        next_state=np.broadcast_to(np.arange(facilities), shape),
        probability=np.broadcast_to(load.T / players, shape),
        layer=np.zeros(parameters.horizon, dtype=int),
        start=np.full(facilities, 1.0 / facilities),
        name="congestion",
        metadata=describe("congestion", parameters, weights=weights.tolist()),
    )
