"""Tsallis-INF: follow the regularised leader with the Tsallis entropy of power 1/2.

Source: Zimmert and Seldin, "Tsallis-INF" (2021), Algorithm 1 with the reduced-variance estimator
and the learning rate of Theorem 1 for it. With losses l_k = 1 - x_k / B and L the sums of their
estimates, round k plays

    w_k(a) = 4 / (eta_k (L_{k-1}(a) - x))^2,    x such that they sum to one,    eta_k = 4 / sqrt(k),
    L_k(a) = L_{k-1}(a) + (l_k - c_k(a)) 1{a_k = a} / w_k(a) + c_k(a),
    c_k(a) = 1/2 if w_k(a) >= eta_k^2, else 0.

It does not use the number of rounds. The published bound is one on the expected regret,
B (2 sqrt(A K) + 10 A ln K + 16).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccerates.compilation import inline_kernel
from ccerates.lanes import any_lane, broadcast, load, select, store

NEWTON_TOLERANCE = 1e-12
NEWTON_LIMIT = 60


@dataclass(frozen=True)
class TsallisInfOptions:
    """Tsallis-INF has no options: its rate follows from the number of the round."""


class Parameters(NamedTuple):
    """B."""

    gain_bound: float


class State(NamedTuple):
    """State of the bandits in all lanes.

    Attributes
    ----------
    loss
        (actions, lanes): L.
    weight
        (actions, lanes): w of the current round.
    offset
        (1, lanes): eta (min L - x) / 2, from which the next round's search starts.
    """

    loss: np.ndarray
    weight: np.ndarray
    offset: np.ndarray


def choose_parameters(
    options: TsallisInfOptions,  # noqa: ARG001
    num_actions: int,  # noqa: ARG001
    rounds: int,  # noqa: ARG001
    gain_bound: float,
) -> Parameters:
    """Return the numbers of a run."""
    return Parameters(gain_bound)


def allocate(num_actions: int, lanes: int) -> State:
    """Return an uninitialised state."""
    shape = (num_actions, lanes)
    return State(np.empty(shape), np.empty(shape), np.empty((1, lanes)))


@inline_kernel
def reset(bandit, num_actions, parameters):  # noqa: ARG001
    """Forget everything: the state before the first round."""
    bandit.loss[:] = 0.0
    bandit.offset[:] = 1.0


@inline_kernel
def compute_weights(bandit, num_actions, lanes, parameters, played_rounds):  # noqa: ARG001
    """Set `weight` for this round.

    With y_a = eta (L_a - x) / 2 = offset + eta (L_a - min L) / 2, the root of sum_a y_a^-2 = 1 is
    found by Newton's method on the power -1/2 of the left side, which is concave in the offset.
    Lanes that have converged are frozen.
    """
    half_rate = 2.0 / math.sqrt(played_rounds + 1.0)
    smallest = load(bandit.loss, (0,), lanes)
    for action in range(1, num_actions):
        loss = load(bandit.loss, (action,), lanes)
        smallest = select(loss < smallest, loss, smallest)
    offset = load(bandit.offset, (0,), lanes)
    total = broadcast(0.0, lanes)
    for _ in range(NEWTON_LIMIT):
        total = broadcast(0.0, lanes)
        third = broadcast(0.0, lanes)
        for action in range(num_actions):
            distance = half_rate * (load(bandit.loss, (action,), lanes) - smallest)
            inverse = 1.0 / (offset + distance)
            weight = inverse * inverse
            store(bandit.weight, (action,), weight)
            total = total + weight
            third = third + weight * inverse
        moves = abs(total - 1.0) > NEWTON_TOLERANCE
        if not any_lane(moves):
            break
        moved = offset + total * (math.sqrt(total) - 1.0) / third
        # No weight exceeds one.
        moved = select(moved > 1.0, moved, 1.0)
        offset = select(moves, moved, offset)
    store(bandit.offset, (0,), offset)
    for action in range(num_actions):
        store(bandit.weight, (action,), load(bandit.weight, (action,), lanes) / total)


@inline_kernel
def update(bandit, num_actions, lanes, parameters, played_rounds, gains, actions):
    """Take in the gains of one round."""
    losses = 1.0 - gains / parameters.gain_bound
    rate_square = 16.0 / (played_rounds + 1.0)
    for action in range(num_actions):
        weight = load(bandit.weight, (action,), lanes)
        baseline = select(weight >= rate_square, broadcast(0.5, lanes), 0.0)
        estimate = select(actions == action, (losses - baseline) / weight, 0.0) + baseline
        store(bandit.loss, (action,), load(bandit.loss, (action,), lanes) + estimate)
