"""The empirical-variance bandit in the form that all bandits share: see `registry`."""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ccerates.bandits import evb
from ccerates.checks import check_between, check_choice
from ccerates.compilation import inline_kernel
from ccerates.lanes import broadcast, load
from ccerates.theory.constants import bandit_constants


@dataclass(frozen=True)
class EvbOptions:
    """Options of the empirical-variance bandit.

    Attributes
    ----------
    constants
        ``"rigorous"`` (the regret bound holds with probability 1 - `failure`) or ``"practical"``
        (small bias, no claim of coverage).
    failure
        delta, the probability with which the regret bound may fail.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    constants: Literal["practical", "rigorous"] = "rigorous"
    failure: float = 0.05

    def __post_init__(self) -> None:
        check_choice("evb: constants", self.constants, ("practical", "rigorous"))
        check_between("evb: failure", self.failure, 0.0, 1.0)


class Parameters(NamedTuple):
    """Numbers that one run needs; see `evb.compute_weights` and `evb.update`."""

    gain_bound: float
    maximal_rate: float
    rate_numerator: float
    bias_deviation: float
    bias_range: float


class State(NamedTuple):
    """The state of `evb` for one player, and a view of its weights.

    Attributes
    ----------
    evb
        `evb.EvbState` with one player.
    weight
        (actions, lanes): w of the current round.
    """

    evb: evb.EvbState
    weight: np.ndarray


def choose_parameters(
    options: EvbOptions, num_actions: int, rounds: int, gain_bound: float
) -> Parameters:
    """Return the numbers of a run."""
    constants = bandit_constants(
        options.constants, num_actions, rounds, gain_bound, options.failure
    )
    return Parameters(
        gain_bound,
        constants.maximal_rate,
        math.sqrt(num_actions * math.log(max(rounds, 3))),
        constants.bias_deviation,
        constants.bias_range,
    )


def allocate(num_actions: int, lanes: int) -> State:
    """Return an uninitialised state."""
    state = evb.allocate.py_func(1, num_actions, lanes)  # type: ignore[attr-defined]
    return State(state, state.weight[0])


@inline_kernel
def reset(bandit, num_actions, parameters):
    """Forget everything: the state before the first round."""
    evb.reset(bandit.evb, np.array([num_actions]), parameters.gain_bound)


@inline_kernel
def compute_weights(bandit, num_actions, lanes, parameters, played_rounds):  # noqa: ARG001
    """Set `weight` for this round."""
    evb.compute_weights(
        bandit.evb,
        0,
        num_actions,
        lanes,
        parameters.maximal_rate,
        parameters.rate_numerator,
        parameters.gain_bound * parameters.gain_bound,
    )


@inline_kernel
def update(bandit, num_actions, lanes, parameters, played_rounds, gains, actions):
    """Take in the gains of one round."""
    total = load(bandit.evb.sums, (0, evb.SUM_GAIN), lanes)
    evb.update(
        bandit.evb,
        0,
        num_actions,
        lanes,
        parameters.gain_bound,
        parameters.bias_deviation,
        broadcast(parameters.bias_range, lanes),
        gains,
        evb.centred_gains(total, gains, played_rounds, parameters.gain_bound),
        actions,
    )
