"""The hard family: every player's hidden key must be right for all of them to stay alive.

One state is dead (absorbing, reward 0); in an alive state every player gets 1. In alive state s at
step h, player i has a hidden key a*_i(h, s), and

    P(alive next | h, s, a) = 1 - 1/H - D * #{i : a_i != a*_i(h, s)},

spread evenly over the alive states. With D = 8 eps/H^2 one wrong player costs about 2 eps, while
the variance of a step is of order H, so that learning needs about H^3 A/eps^2 samples for each
(h, s): the order of the lower bound of Li, Chi, Wei and Chen (2022, arXiv 2208.10458, Theorem 4).
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
    round_down,
)
from ccerates.games.model import MarkovGame

ROUNDING = 1e-12


@dataclass(frozen=True)
class SurvivalParameters:
    """Parameters of a survival game.

    Attributes
    ----------
    num_players
        m >= 1.
    num_actions
        A_i >= 1: one integer for all players, or one for each.
    alive_states
        Number of alive states, >= 1; the game has one state more.
    horizon
        H >= 2.
    eps_game
        Sets the cost of a wrong key, D = 8 eps_game / H^2.
    key_cost
        D itself. Exactly one of `eps_game` and `key_cost` is given.
    """

    num_players: int
    num_actions: int | Sequence[int]
    alive_states: int
    horizon: int
    eps_game: float | None = None
    key_cost: float | None = None

    def __post_init__(self) -> None:
        check_action_counts(self.num_players, self.num_actions)
        check_integer("alive_states", self.alive_states, 1)
        check_integer("horizon", self.horizon, 2)
        if (self.eps_game is None) == (self.key_cost is None):
            raise InputError(
                "eps_game, key_cost: give exactly one of them (key_cost is D itself, "
                "eps_game stands for D = 8 eps_game / horizon^2)"
            )
        if self.eps_game is not None:
            check_number("eps_game", self.eps_game, 0.0)
        if self.key_cost is not None:
            check_number("key_cost", self.key_cost, 0.0, 1.0)
        if 1.0 - 1.0 / self.horizon - self.most_wrong * self.cost < -ROUNDING:
            raise InputError(self._negative_probability())

    @property
    def cost(self) -> float:
        """D, what one wrong key takes off the probability to stay alive."""
        if self.key_cost is not None:
            return float(self.key_cost)
        assert self.eps_game is not None
        return 8.0 * self.eps_game / self.horizon**2

    @property
    def most_wrong(self) -> int:
        """Number of players who can be wrong (who have more than one action)."""
        return sum(count > 1 for count in action_counts(self.num_players, self.num_actions))

    @property
    def asymptotic(self) -> bool:
        """Whether m D <= 1/H, so that being wrong does not outweigh the death rate 1/H."""
        return self.most_wrong * self.cost <= 1.0 / self.horizon + ROUNDING

    def _negative_probability(self) -> str:
        """Say what makes the probability negative, and the nearest values that do not."""
        players, horizon = self.most_wrong, self.horizon
        if self.key_cost is not None:
            given = f"key_cost={self.key_cost:g}"
            largest = f"key_cost <= {round_down((1 - 1 / horizon) / players):.8g}"
            rest = 1.0 - players * self.cost
            smallest = math.ceil(1.0 / rest - ROUNDING) if rest > ROUNDING else None
        else:
            assert self.eps_game is not None
            given = f"eps_game={self.eps_game:g}"
            largest = f"eps_game <= {round_down((horizon**2 - horizon) / (8 * players)):.8g}"
            root = (1.0 + math.sqrt(1.0 + 32.0 * players * self.eps_game)) / 2.0
            smallest = math.ceil(root - ROUNDING)
        longer = "" if smallest is None else f"horizon >= {smallest} or "
        return (
            f"{given}, horizon={horizon}, num_players={self.num_players}: the probability to stay "
            f"alive would be negative when all players are wrong; take {longer}{largest}"
        )


def make_survival(parameters: SurvivalParameters, generator: np.random.Generator) -> MarkovGame:
    """Return a survival game with keys drawn uniformly.

    Parameters
    ----------
    parameters
        Dimensions and difficulty.
    generator
        Draws the keys.

    Returns
    -------
    MarkovGame
        The dead state is the last one; the start is uniform over the alive states. Metadata
        holds ``D``, ``keys`` (players, horizon, alive_states) and ``asymptotic``: whether the
        cell belongs into a fit of exponents (m D <= 1/H; m D <= 1/(2H) is safer).
    """
    counts = action_counts(parameters.num_players, parameters.num_actions)
    horizon, alive = parameters.horizon, parameters.alive_states
    check_table_size(horizon, counts, alive + 1, alive + 1)
    keys = np.stack([generator.integers(count, size=(horizon, alive)) for count in counts])
    actions = np.stack(np.unravel_index(np.arange(math.prod(counts)), counts))
    wrong = (actions[:, None, None, :] != keys[:, :, :, None]).sum(axis=0)
    survives = np.maximum(1.0 - 1.0 / horizon - parameters.cost * wrong, 0.0)  # rounding only

    shape = (horizon, alive + 1, math.prod(counts), alive + 1)
    probability = np.zeros(shape)
    probability[:, :alive, :, :alive] = survives[..., None] / alive
    probability[:, :alive, :, alive] = 1.0 - survives
    probability[:, alive, :, alive] = 1.0
    reward = np.zeros((horizon, len(counts), *shape[1:3]))
    reward[:, :, :alive, :] = 1.0
    return MarkovGame(
        num_actions=counts,
        reward=reward,
        next_state=np.broadcast_to(np.arange(alive + 1), shape),
        probability=probability,
        layer=np.arange(horizon),
        start=np.append(np.full(alive, 1.0 / alive), 0.0),
        name="survival",
        metadata=describe(
            "survival",
            parameters,
            D=parameters.cost,
            keys=keys.tolist(),
            asymptotic=parameters.asymptotic,
        ),
    )
