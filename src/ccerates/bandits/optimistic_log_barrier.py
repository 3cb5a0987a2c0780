"""Optimistic online mirror descent with the log barrier (BROAD-OMD).

Source: Wei and Luo, "More adaptive algorithms for adversarial bandits" (2018), Algorithm 1 with
Option II (no correction term) and, as in their bound on the path length, the loss of an arm when it
was last played as its prediction. With losses l_k = 1 - x_k / B, predictions m_k(a) (0 before arm a
was played) and the Bregman divergence D of -ln, starting from uniform v_1,

    w_k     = argmin over the simplex of <w, m_k>  + sum_a D(w_a, v_k(a)) / eta,
    v_{k+1} = argmin over the simplex of <v, l^_k> + sum_a D(v_a, v_k(a)) / eta,
    l^_k(a) = (l_k - m_k(a)) 1{a_k = a} / w_k(a) + m_k(a).

Their analysis of Option II needs eta <= 1/162. Ours, with K known and instead of their doubling
trick: eta = min(1/162, sqrt(A ln K / K)), ln K counting as at least 1. The published bound is one
on the expected regret, of the order of A ln K / eta + eta times the path length of all arms for a
fixed eta; that it needs no tuning is due to the doubling trick, and not claimed for this eta.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccerates.bandits.log_barrier_step import descend
from ccerates.compilation import inline_kernel
from ccerates.lanes import load, select, store

LARGEST_RATE = 1.0 / 162.0


@dataclass(frozen=True)
class OptimisticLogBarrierOptions:
    """The bandit has no options: its rate follows from A and K."""


class Parameters(NamedTuple):
    """B and eta."""

    gain_bound: float
    rate: float


class State(NamedTuple):
    """State of the bandits in all lanes.

    Attributes
    ----------
    target
        (actions, lanes): what `descend` needs for v, then for w.
    rate
        (actions, lanes): eta.
    prediction
        (actions, lanes): m.
    anchor
        (actions, lanes): v.
    weight
        (actions, lanes): w of the current round.
    """

    target: np.ndarray
    rate: np.ndarray
    prediction: np.ndarray
    anchor: np.ndarray
    weight: np.ndarray


def choose_parameters(
    options: OptimisticLogBarrierOptions,  # noqa: ARG001
    num_actions: int,
    rounds: int,
    gain_bound: float,
) -> Parameters:
    """Return the numbers of a run."""
    log_rounds = max(math.log(rounds), 1.0)
    return Parameters(gain_bound, min(LARGEST_RATE, math.sqrt(num_actions * log_rounds / rounds)))


def allocate(num_actions: int, lanes: int) -> State:
    """Return an uninitialised state."""
    return State(*(np.empty((num_actions, lanes)) for _ in State._fields))


@inline_kernel
def reset(bandit, num_actions, parameters):
    """Forget everything: the state before the first round."""
    bandit.target[:] = num_actions
    bandit.rate[:] = parameters.rate
    bandit.prediction[:] = 0.0


@inline_kernel
def compute_weights(bandit, num_actions, lanes, parameters, played_rounds):  # noqa: ARG001
    """Set `anchor` and `weight` for this round."""
    descend(bandit.target, bandit.rate, num_actions, lanes, np.inf, bandit.anchor)
    for action in range(num_actions):
        predicted = parameters.rate * load(bandit.prediction, (action,), lanes)
        target = 1.0 / load(bandit.anchor, (action,), lanes) + predicted
        store(bandit.target, (action,), target)
    descend(bandit.target, bandit.rate, num_actions, lanes, np.inf, bandit.weight)


@inline_kernel
def update(bandit, num_actions, lanes, parameters, played_rounds, gains, actions):  # noqa: ARG001
    """Take in the gains of one round."""
    losses = 1.0 - gains / parameters.gain_bound
    for action in range(num_actions):
        prediction = load(bandit.prediction, (action,), lanes)
        played = actions == action
        surprise = (losses - prediction) / load(bandit.weight, (action,), lanes)
        # The target for w holds 1/v + eta m already.
        target = load(bandit.target, (action,), lanes)
        target = target + select(played, parameters.rate * surprise, 0.0)
        store(bandit.target, (action,), target)
        store(bandit.prediction, (action,), select(played, losses, prediction))
