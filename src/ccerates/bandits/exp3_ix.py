"""Exp3-IX: exponential weights with implicit exploration.

Source: Neu, "Explore no more" (2015), Algorithm 1 with the rates of Theorem 1. With losses
l_k = 1 - x_k / B and L the sums of their estimates, round k plays

    w_k(a) prop. to exp(-eta L_{k-1}(a)),    eta = 2 gamma = sqrt(2 ln A / (A K)),
    L_k(a) = L_{k-1}(a) + l_k 1{a_k = a} / (w_k(a) + gamma).

Theorem 1: with probability 1 - delta the regret is at most
B (2 sqrt(2 A K ln A) + (sqrt(2 A K / ln A) + 1) ln(2/delta)).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccerates.bandits.softmax import exponential_weights
from ccerates.compilation import inline_kernel
from ccerates.lanes import gather, load, scatter, store


@dataclass(frozen=True)
class Exp3IxOptions:
    """Exp3-IX has no options: its rates follow from A and K."""


class Parameters(NamedTuple):
    """B, eta and gamma."""

    gain_bound: float
    rate: float
    exploration: float


class State(NamedTuple):
    """State of the bandits in all lanes.

    Attributes
    ----------
    score
        (actions, lanes): -eta L.
    weight
        (actions, lanes): w of the current round.
    """

    score: np.ndarray
    weight: np.ndarray


def choose_parameters(
    options: Exp3IxOptions,  # noqa: ARG001
    num_actions: int,
    rounds: int,
    gain_bound: float,
) -> Parameters:
    """Return the numbers of a run."""
    rate = math.sqrt(2.0 * math.log(num_actions) / (num_actions * rounds))
    return Parameters(gain_bound, rate, rate / 2.0)


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
    for action in range(num_actions):
        store(bandit.weight, (action,), load(bandit.weight, (action,), lanes) / total)


@inline_kernel
def update(bandit, num_actions, lanes, parameters, played_rounds, gains, actions):  # noqa: ARG001
    """Take in the gains of one round."""
    losses = 1.0 - gains / parameters.gain_bound
    estimates = losses / (gather(bandit.weight, (), actions) + parameters.exploration)
    scores = gather(bandit.score, (), actions) - parameters.rate * estimates
    scatter(bandit.score, (), actions, scores)
