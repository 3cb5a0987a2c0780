"""A combination lock that all players open together, with a small reward for giving up.

State 0 is the path, state 1 is off the path (absorbing, reward 0). At step h on the path, player i
has one right digit. If all are right the game stays on the path, otherwise it leaves it; whoever
plays a wrong digit on the path gets `temptation`. The last step pays 1 to all if all are right
there. Random play finds the end with probability (prod_i 1/A_i)^H.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ccerates.checks import check_integer, check_number
from ccerates.games.families.parameters import (
    action_counts,
    check_action_counts,
    check_table_size,
    describe,
)
from ccerates.games.model import MarkovGame


@dataclass(frozen=True)
class CombinationLockParameters:
    """Parameters of a combination lock.

    Attributes
    ----------
    num_players
        m >= 1.
    num_actions
        A_i >= 1: one integer for all players, or one for each.
    horizon
        H >= 1, the length of the combination.
    temptation
        In [0, 1], paid once to a player who plays a wrong digit on the path.
    """

    num_players: int
    num_actions: int | Sequence[int]
    horizon: int
    temptation: float = 0.1

    def __post_init__(self) -> None:
        check_action_counts(self.num_players, self.num_actions)
        check_integer("horizon", self.horizon, 1)
        check_number("temptation", self.temptation, 0.0, 1.0)


def make_combination_lock(
    parameters: CombinationLockParameters, generator: np.random.Generator
) -> MarkovGame:
    """Return a lock with a combination drawn uniformly; the start is on the path.

    Parameters
    ----------
    parameters
        Dimensions and temptation.
    generator
        Draws the combination.

    Returns
    -------
    MarkovGame
        Metadata holds ``combination`` (players, horizon).
    """
    counts = action_counts(parameters.num_players, parameters.num_actions)
    horizon, joint = parameters.horizon, math.prod(counts)
    check_table_size(horizon, counts, 2, 1)
    combination = np.stack([generator.integers(count, size=horizon) for count in counts])
    actions = np.stack(np.unravel_index(np.arange(joint), counts))
    wrong = actions[:, None, :] != combination[:, :, None]  # (player, step, joint action)
    opened = ~wrong.any(axis=0)

    reward = np.zeros((horizon, len(counts), 2, joint))
    reward[:, :, 0, :] = parameters.temptation * np.swapaxes(wrong, 0, 1)
    reward[-1, :, 0, opened[-1]] = 1.0
    next_state = np.ones((horizon, 2, joint, 1), dtype=int)
    next_state[:, 0, :, 0] = np.where(opened, 0, 1)
    return MarkovGame(
        num_actions=counts,
        reward=reward,
        next_state=next_state,
        probability=np.ones(next_state.shape),
        layer=np.arange(horizon),
        start=np.array([1.0, 0.0]),
        name="combination-lock",
        metadata=describe("combination-lock", parameters, combination=combination.tolist()),
    )
