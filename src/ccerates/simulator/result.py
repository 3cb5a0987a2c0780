"""What a simulator learner returns."""

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccerates.errors import TrivialBoundWarning


@dataclass(frozen=True)
class LearningResult:
    """The outcome of one run of a simulator learner.

    Attributes
    ----------
    algorithm
        Name of the algorithm, for example ``"evb-sim"``.
    game_hash
        Content hash of the game that was learnt.
    constants
        Which constants it ran with, for example ``"practical"``.
    certified
        Whether the bounds below hold, all at once, with probability 1 - `failure`.
    failure
        delta, the probability with which any of them may fail.
    rounds
        K, rounds of play at each step.
    samples
        Number of calls of the simulator.
    policy
        (horizon, states, joint_actions) float64: the correlated Markov policy; rows sum to one.
    upper_value, lower_value
        (horizon, states, players) float64: sample-only bounds on the best-response value and on
        the value of `policy`; estimates without a promise if not `certified`.
    certificate
        Max over players of the expected difference of the two bounds at the start: a sample-only
        bound on the CCE gap if `certified`.
    trace
        What the bandits saw, arrays over (horizon, states, players, ...).
    """

    algorithm: str
    game_hash: str
    constants: str
    certified: bool
    failure: float
    rounds: int
    samples: int
    policy: np.ndarray
    upper_value: np.ndarray
    lower_value: np.ndarray
    certificate: float
    trace: NamedTuple


def start_certificate(start: np.ndarray, upper_value: np.ndarray, lower_value: np.ndarray) -> float:
    """Return max over players of the expected difference of the value bounds at the start.

    Parameters
    ----------
    start
        (states,) distribution of the first state.
    upper_value, lower_value
        (horizon, states, players).

    Returns
    -------
    float
        In [0, horizon].
    """
    return float(np.max(start @ (upper_value[0] - lower_value[0])))


def warn_if_trivial(algorithm: str, bound: str, rounds: int, trivial: np.ndarray) -> None:
    """Issue one `TrivialBoundWarning` for a batch in which a bound reaches its trivial value.

    Parameters
    ----------
    algorithm, bound
        Names for the message.
    rounds
        K.
    trivial
        (replicates, horizon, states, players) bool: where it does.
    """
    if trivial.any():
        warnings.warn(
            f"{algorithm}: with {rounds} rounds the {bound} is trivial at {trivial.sum()} of "
            f"{trivial.size} (replicate, step, state, player); take more rounds",
            TrivialBoundWarning,
            stacklevel=3,  # where learn_batch was called
        )
