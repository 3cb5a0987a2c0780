"""The two-state blocks of the lower bound: one hidden action of player 0 is slightly better.

Block b has a rich state 2b (everyone gets 1) and a poor state 2b+1 (absorbing, reward 0). In the
rich state at step h the game stays there with probability

    1 - c/H + c2 eps/H^2  if player 0 plays its hidden action a*(h, b),
    1 - c/H - c2 eps/H^2  otherwise;

the other players are dummies. Such blocks carry the lower bound of Li, Chi, Wei and Chen (2022,
arXiv 2208.10458, Theorem 4): no algorithm finds an eps-CCE of all of them with fewer than
const * H^4 S A/eps^2 samples.
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
class HiddenActionParameters:
    """Parameters of a hidden-action game.

    Attributes
    ----------
    num_players
        m >= 1; player 0 matters, the others are dummies.
    num_actions
        A_i >= 1: one integer for all players, or one for each.
    num_blocks
        Number of two-state blocks, >= 1; the game has twice as many states.
    horizon
        H >= 1.
    eps_game
        Accuracy eps the game makes hard, >= 0.
    leave_constant
        c >= 0 above.
    advantage_constant
        c2 >= 0 above.
    """

    num_players: int
    num_actions: int | Sequence[int]
    num_blocks: int
    horizon: int
    eps_game: float
    leave_constant: float = 1.0
    advantage_constant: float = 4.0

    def __post_init__(self) -> None:
        check_action_counts(self.num_players, self.num_actions)
        check_integer("num_blocks", self.num_blocks, 1)
        check_integer("horizon", self.horizon, 1)
        check_number("eps_game", self.eps_game, 0.0)
        check_number("leave_constant", self.leave_constant, 0.0)
        check_number("advantage_constant", self.advantage_constant, 0.0)
        stay_wrong, stay_right = self.stay
        if stay_wrong < -ROUNDING or stay_right > 1.0 + ROUNDING:
            leave = self.leave_constant / self.horizon
            room = min(leave, 1.0 - leave)
            largest = (
                f"eps_game <= {round_down(room * self.horizon**2 / self.advantage_constant):.8g}"
                if room >= 0.0 and self.advantage_constant > 0.0
                else f"leave_constant <= {self.horizon}"
            )
            raise InputError(
                f"eps_game={self.eps_game:g}, horizon={self.horizon}, "
                f"leave_constant={self.leave_constant:g}, "
                f"advantage_constant={self.advantage_constant:g}: the probability to stay would be "
                f"{stay_wrong:.6g} or {stay_right:.6g}, outside [0, 1]; take {largest}"
            )

    @property
    def stay(self) -> tuple[float, float]:
        """Probability to stay rich after a wrong and after the right action."""
        middle = 1.0 - self.leave_constant / self.horizon
        half = self.advantage_constant * self.eps_game / self.horizon**2
        return middle - half, middle + half


def make_hidden_action(
    parameters: HiddenActionParameters, generator: np.random.Generator
) -> MarkovGame:
    """Return a hidden-action game; the start is uniform over the rich states.

    Parameters
    ----------
    parameters
        Dimensions and difficulty.
    generator
        Draws the hidden actions uniformly.

    Returns
    -------
    MarkovGame
        Metadata holds ``keys`` (horizon, num_blocks), the hidden actions of player 0.
    """
    counts = action_counts(parameters.num_players, parameters.num_actions)
    horizon, blocks, joint = parameters.horizon, parameters.num_blocks, math.prod(counts)
    check_table_size(horizon, counts, 2 * blocks, 2)
    keys = generator.integers(counts[0], size=(horizon, blocks))
    action = np.unravel_index(np.arange(joint), counts)[0]
    stay_wrong, stay_right = np.clip(parameters.stay, 0.0, 1.0)  # rounding only
    stay = np.where(action == keys[:, :, None], stay_right, stay_wrong)

    probability = np.zeros((horizon, 2 * blocks, joint, 2))
    probability[:, 0::2, :, 0] = stay
    probability[:, 0::2, :, 1] = 1.0 - stay
    probability[:, 1::2, :, 1] = 1.0
    successors = np.repeat(np.arange(0, 2 * blocks, 2), 2)[:, None] + np.arange(2)  # (state, place)
    reward = np.zeros((horizon, len(counts), 2 * blocks, joint))
    reward[:, :, 0::2, :] = 1.0
    return MarkovGame(
        num_actions=counts,
        reward=reward,
        next_state=np.broadcast_to(successors[None, :, None, :], probability.shape),
        probability=probability,
        layer=np.arange(horizon),
        start=np.tile([1.0 / blocks, 0.0], blocks),
        name="hidden-action",
        metadata=describe("hidden-action", parameters, keys=keys.tolist()),
    )
