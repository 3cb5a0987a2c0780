"""How many samples no algorithm can do without on the hidden-action family, with its constant.

Ours; the paper's section on the lower bound states and proves it. Notation: H steps, B blocks (so
S = 2 B states), A actions of player 0, the leave constant c and D = c2 eps/H^2, so that a rich
state is kept with probability q = 1 - c/H - D after a wrong and p = 1 - c/H + D after the right
action. A *place* is a step h < H and a block; what is played at the last step has no consequence.

If player 0 plays the hidden action of place (h, b) with probability x(h, b), its gap is at least

    (2 D/B) sum_(h, b) w_h (1 - x(h, b)),    w_h = q^(h-1) (1 + p + ... + p^(H-h-1)).

If hidden actions are independent and uniform, every algorithm that draws at most `failing_samples`
samples in a run returns a policy with a gap above eps with probability at least 1/4, over hidden
actions, samples and its own randomness.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ccerates.checks import check_between, check_integer
from ccerates.errors import InputError

FAILURE = 0.25
"""Least probability of failure below `HiddenActionBound.failing_samples`."""

CONSTANT = 2e-6
"""With c = 1 and c2 = 8, `failing_samples` is at least this times H^4 S A/eps^2 for every H >= 6,
A >= 4 and eps <= H/24; the paper derives it by hand."""


@dataclass(frozen=True)
class HiddenActionBound:
    """The lower bound for one game of the family; the dummies are of no importance.

    Attributes
    ----------
    horizon
        H >= 2.
    num_actions
        A >= 2, actions of player 0.
    num_blocks
        B >= 1.
    epsilon
        eps > 0.
    stay_wrong, stay_right
        q and p, with 0 < q < p < 1.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    horizon: int
    num_actions: int
    num_blocks: int
    epsilon: float
    stay_wrong: float
    stay_right: float

    def __post_init__(self) -> None:
        check_integer("lower bound: horizon", self.horizon, 2)
        check_integer("lower bound: num_actions", self.num_actions, 2)
        check_integer("lower bound: num_blocks", self.num_blocks, 1)
        check_between("lower bound: epsilon", self.epsilon, 0.0)
        check_between("lower bound: stay_wrong", self.stay_wrong, 0.0, 1.0)
        check_between("lower bound: stay_right", self.stay_right, 0.0, 1.0)
        if not self.stay_wrong < self.stay_right:
            raise InputError(
                f"lower bound: stay_wrong ({self.stay_wrong:g}) must be less than stay_right "
                f"({self.stay_right:g}); take a positive advantage_constant and eps_game"
            )

    @cached_property
    def weights(self) -> np.ndarray:
        """(H - 1,) float64: w_h, decreasing."""
        step = np.arange(1, self.horizon)
        later = (1.0 - self.stay_right ** (self.horizon - step)) / (1.0 - self.stay_right)
        weights: np.ndarray = self.stay_wrong ** (step - 1) * later
        return weights

    @property
    def largest_gap_bound(self) -> float:
        """2 D sum_h w_h: what the gap is at least if all actions are wrong."""
        return float((self.stay_right - self.stay_wrong) * self.weights.sum())

    @property
    def tolerated_share(self) -> float:
        """Theta: more than this share of the weight on wrong actions makes a gap above eps."""
        return self.epsilon / self.largest_gap_bound

    @property
    def divergence(self) -> float:
        """KL(Bernoulli(q) || Bernoulli(p)), what a sample of one action can tell, in nats."""
        wrong, right = self.stay_wrong, self.stay_right
        stays = wrong * math.log(wrong / right)
        return stays + (1.0 - wrong) * math.log((1.0 - wrong) / (1.0 - right))

    @property
    def room(self) -> float:
        """(1 - FAILURE)(1 - theta) - 1/A; nothing is proved unless it is positive."""
        return (1.0 - FAILURE) * (1.0 - self.tolerated_share) - 1.0 / self.num_actions

    @property
    def failing_samples(self) -> float:
        """Largest number of samples with which failure is proved; 0 if there is no `room`."""
        if self.room <= 0.0:
            return 0.0
        total = self.weights.sum()
        spread = (self.weights**1.5).sum() / total  # kappa
        signal = self.divergence * spread**2
        share = self.room**3 * self.num_actions * self.num_blocks
        return float(32.0 / 81.0 * share * total / signal)
