"""Exp3.P: exponential weights with explicit exploration and a bonus for every arm.

Source: Auer, Cesa-Bianchi, Freund and Schapire (2002), in the form of Bubeck and Cesa-Bianchi
(2012), Figure 3.1 and Theorem 3.2, Equation (3.10). With gains y_k = x_k / B, round k plays

    w_k(a) = (1 - gamma) exp(eta G_{k-1}(a)) / sum_b exp(eta G_{k-1}(b)) + gamma / A,
    G_k(a) = G_{k-1}(a) + (y_k 1{a_k = a} + beta) / w_k(a),
    beta = sqrt(ln(A/delta) / (A K)), eta = 0.95 sqrt(ln A / (A K)), gamma = 1.05 sqrt(A ln A / K).

Theorem 3.2: with probability 1 - delta the regret is at most 5.15 B sqrt(A K ln(A/delta)). Where
gamma would exceed 1/2, that is more than K B; gamma is 1/2 there (ours).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccerates.bandits.softmax import exponential_weights
from ccerates.checks import check_between
from ccerates.compilation import inline_kernel
from ccerates.lanes import load, select, store


@dataclass(frozen=True)
class Exp3POptions:
    """Options of Exp3.P.

    Attributes
    ----------
    failure
        delta, the probability with which the published bound may fail.

    Raises
    ------
    InputError
        If it is out of its range.
    """

    failure: float = 0.05

    def __post_init__(self) -> None:
        check_between("exp3-p: failure", self.failure, 0.0, 1.0)


class Parameters(NamedTuple):
    """B, eta, beta and gamma."""

    gain_bound: float
    rate: float
    bonus: float
    exploration: float


class State(NamedTuple):
    """State of the bandits in all lanes.

    Attributes
    ----------
    score
        (actions, lanes): eta G.
    weight
        (actions, lanes): w of the current round.
    """

    score: np.ndarray
    weight: np.ndarray


def choose_parameters(
    options: Exp3POptions, num_actions: int, rounds: int, gain_bound: float
) -> Parameters:
    """Return the numbers of a run."""
    log_actions, pulls = math.log(num_actions), num_actions * rounds
    return Parameters(
        gain_bound,
        0.95 * math.sqrt(log_actions / pulls),
        math.sqrt(math.log(num_actions / options.failure) / pulls),
        min(1.05 * math.sqrt(num_actions * log_actions / rounds), 0.5),
    )


def allocate(num_actions: int, lanes: int) -> State:
    """Return an uninitialised state."""
    return State(np.empty((num_actions, lanes)), np.empty((num_actions, lanes)))


@inline_kernel
def reset(bandit, num_actions, parameters):  # noqa: ARG001
    """Forget everything: the state before the first round."""
    bandit.score[:] = 0.0


@inline_kernel
def compute_weights(bandit, num_actions, lanes, parameters, played_rounds):  # noqa: ARG001
    """Set `weight` for this round."""
    total = exponential_weights(bandit.score, num_actions, lanes, bandit.weight)
    scale = (1.0 - parameters.exploration) / total
    uniform = parameters.exploration / num_actions
    for action in range(num_actions):
        weight = load(bandit.weight, (action,), lanes) * scale + uniform
        store(bandit.weight, (action,), weight)


@inline_kernel
def update(bandit, num_actions, lanes, parameters, played_rounds, gains, actions):  # noqa: ARG001
    """Take in the gains of one round."""
    gains = gains / parameters.gain_bound
    for action in range(num_actions):
        gained = select(actions == action, gains, 0.0) + parameters.bonus
        increase = parameters.rate * gained / load(bandit.weight, (action,), lanes)
        store(bandit.score, (action,), load(bandit.score, (action,), lanes) + increase)
