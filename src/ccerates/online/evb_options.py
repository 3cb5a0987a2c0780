"""Options of EVB-online, and the constants that its bandits run with in each stage."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, get_args

import numpy as np

from ccerates.checks import check_between, check_choice
from ccerates.errors import InputError
from ccerates.online.baseline import Shape
from ccerates.online.evb_stage import NUM_CONSTANTS
from ccerates.online.schedule import stage_lengths
from ccerates.theory.constants import bandit_constants

Ablation = Literal["none", "centre", "bias", "adaptive-rate", "bonus"]


@dataclass(frozen=True)
class EvbOnlineOptions:
    """Options of EVB-online.

    Attributes
    ----------
    constants
        ``"practical"`` (small bias, no claim of coverage) or ``"rigorous"`` (every bound holds
        with probability 1 - `failure`).
    rate_scale
        c_eta, multiplies the adaptive learning rate.
    bonus_scale
        Multiplies the regret bound R_n in the upper value; 1 with rigorous constants.
    failure
        delta, the probability with which any bound of the run may fail.
    ablation
        A part to be switched off, to see what it is good for; with practical constants only.
        ``"centre"``: m_k = 0. ``"bias"``: b_k = 0, with eta_max as before. ``"adaptive-rate"``: the
        constant learning rate for the largest variance, B^2 n in place of V_{k-1}. ``"bonus"``:
        the mean gain is the upper value, without R_n / n. The lower value keeps its formula.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    name: ClassVar[str] = "evb-online"

    constants: Literal["practical", "rigorous"] = "practical"
    rate_scale: float = 1.0
    bonus_scale: float = 1.0
    failure: float = 0.05
    ablation: Ablation = "none"

    def __post_init__(self) -> None:
        check_choice(f"{self.name}: constants", self.constants, ("practical", "rigorous"))
        check_between(f"{self.name}: rate_scale", self.rate_scale, 0.0)
        check_between(f"{self.name}: bonus_scale", self.bonus_scale, 0.0)
        check_between(f"{self.name}: failure", self.failure, 0.0, 1.0)
        check_choice(f"{self.name}: ablation", self.ablation, get_args(Ablation))
        if self.constants == "rigorous" and self.ablation != "none":
            raise InputError(
                f"{self.name}: ablation {self.ablation!r} takes constants: practical; the "
                "rigorous ones hold for the whole algorithm only"
            )
        if self.constants == "rigorous" and self.bonus_scale != 1.0:
            raise InputError(f"{self.name}: bonus_scale must be 1 with rigorous constants")


class Parameters(NamedTuple):
    """Numbers that a run needs.

    Attributes
    ----------
    length
        (stages,) int64: length of each stage of a (step, state).
    constants
        (horizon, stages, players, NUM_CONSTANTS): what the bandits of a stage run with, see
        `evb_stage`.
    centre
        1, or 0 to leave out the centre m_k.
    bonus_scale
        Multiplies R_n in the upper value.
    """

    length: np.ndarray
    constants: np.ndarray
    centre: float
    bonus_scale: float


def choose_parameters(options: EvbOnlineOptions, shape: Shape, episodes: int) -> Parameters:
    """Return the numbers of a run.

    The t-th stage of every (player, step, state) may fail with probability
    delta / (2 m H S t (t + 1)); that sums to delta / 2, whatever the number of stages. The other
    half is for those who do not know the start distribution and estimate it from first states.

    Parameters
    ----------
    options
        Options.
    shape
        (num_actions, num_states, horizon).
    episodes
        Planned number of episodes: no (step, state) has more visits.
    """
    num_actions, num_states, horizon = shape
    length = stage_lengths(horizon, episodes)
    constants = np.empty((horizon, len(length), len(num_actions), NUM_CONSTANTS))
    share = options.failure / (2 * len(num_actions) * horizon * num_states)
    for step, stage, player in np.ndindex(constants.shape[:-1]):
        rounds, count = int(length[stage]), num_actions[player]
        gain_bound, failure = float(horizon - step), share / ((stage + 1) * (stage + 2))
        each = bandit_constants(options.constants, count, rounds, gain_bound, failure)
        numerator = options.rate_scale * math.sqrt(count * math.log(max(rounds, 3)))
        if options.ablation == "bias":
            each = each._replace(bias_deviation=0.0, bias_range=0.0)
        elif options.ablation == "adaptive-rate":
            # V_{k-1} stays below B^2 n: the adaptive rate never falls below this one.
            lowest = numerator / (gain_bound * math.sqrt(1 + rounds))
            each = each._replace(maximal_rate=min(each.maximal_rate, lowest))
        constants[step, stage, player] = (
            numerator,
            each.maximal_rate,
            each.bias_deviation,
            each.bias_range,
            each.lower_deviation,
            each.lower_range,
        )
    return Parameters(
        length,
        constants,
        0.0 if options.ablation == "centre" else 1.0,
        0.0 if options.ablation == "bonus" else options.bonus_scale,
    )
