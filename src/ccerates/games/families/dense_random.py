"""Random games without structure: every state follows every state, rewards from rivalry to unison.

Each row of the kernel is Dirichlet(concentration, .., concentration). Rewards blend independent
uniform ones with a common one (alignment > 0) or with rewards of constant sum (alignment < 0), so
that one knob moves from zero-sum (-1; up to a constant) through independent (0) to common (+1).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ccerates.checks import check_integer, check_number
from ccerates.errors import InputError
from ccerates.games.families.parameters import (
    action_counts,
    check_action_counts,
    check_table_size,
    describe,
)
from ccerates.games.model import MarkovGame


@dataclass(frozen=True)
class DenseRandomParameters:
    """Parameters of a dense random game.

    Attributes
    ----------
    num_players
        m >= 1 (>= 2 if `alignment` is negative).
    num_actions
        A_i >= 1: one integer for all players, or one for each.
    num_states
        S >= 1.
    horizon
        H >= 1; every step has its own rewards and kernel.
    alignment
        In [-1, 1]: -1 rewards of constant sum, 0 independent, 1 common.
    concentration
        Of the Dirichlet distribution, in [0.01, 1000]; small values make sparse rows.
    """

    num_players: int
    num_actions: int | Sequence[int]
    num_states: int
    horizon: int
    alignment: float = 0.0
    concentration: float = 1.0

    def __post_init__(self) -> None:
        check_action_counts(self.num_players, self.num_actions)
        check_integer("num_states", self.num_states, 1)
        check_integer("horizon", self.horizon, 1)
        check_number("alignment", self.alignment, -1.0, 1.0)
        check_number("concentration", self.concentration, 0.01, 1000.0)
        if self.alignment < 0 and self.num_players < 2:
            raise InputError(
                f"alignment: {self.alignment:g} needs opponents; take num_players >= 2 "
                "or alignment >= 0"
            )


def make_dense_random(
    parameters: DenseRandomParameters, generator: np.random.Generator
) -> MarkovGame:
    """Return a dense random game; the start is uniform over all states.

    Parameters
    ----------
    parameters
        Dimensions and alignment of interests.
    generator
        Draws rewards and kernel.

    Returns
    -------
    MarkovGame
    """
    counts = action_counts(parameters.num_players, parameters.num_actions)
    horizon, states, players = parameters.horizon, parameters.num_states, parameters.num_players
    check_table_size(horizon, counts, states, states)
    shape = (horizon, states, math.prod(counts))
    independent = generator.random((horizon, players, *shape[1:]))
    if parameters.alignment >= 0:
        blend = generator.random((horizon, 1, *shape[1:]))
    else:
        # Deviations from the players' mean sum to zero and reach at most 1 - 1/m.
        draws = generator.random(independent.shape)
        deviation = draws - draws.mean(axis=1, keepdims=True)
        blend = 0.5 + deviation * players / (2.0 * (players - 1))
    weight = abs(parameters.alignment)
    return MarkovGame(
        num_actions=counts,
        reward=np.clip((1.0 - weight) * independent + weight * blend, 0.0, 1.0),  # rounding only
        next_state=np.broadcast_to(np.arange(states), (*shape, states)),
        probability=generator.dirichlet(np.full(states, parameters.concentration), size=shape),
        layer=np.arange(horizon),
        start=np.full(states, 1.0 / states),
        name="dense-random",
        metadata=describe("dense-random", parameters),
    )
