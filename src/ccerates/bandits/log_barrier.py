"""Online mirror descent with the log barrier and increasing learning rates.

Source: Lee, Luo, Wei and Zhang, "Bias no more" (2020), the algorithm of their section on
multi-armed bandits; the schedule of rates is that of Agarwal, Luo, Neyshabur and Schapire (2017).
With losses l_k = 1 - x_k / B, unbiased estimates l^_k(a) = l_k 1{a_k = a} / w_k(a) and the Bregman
divergence D of -ln, starting from uniform weights,

    w_{k+1} = argmin of <w, l^_k> + sum_a D(w_a, w_k(a)) / eta_a over the simplex with w_a >= 1/K;
    then, if 1/w_{k+1}(a) > rho_a: rho_a = 2 / w_{k+1}(a) and eta_a becomes kappa eta_a,

with kappa = exp(1/ln K) and rho_a = 2 A at first. The growing rates make up for the variance of
unbiased estimates with high probability, with no bias put in.

The paper tunes the first rate to the loss of the best arm, which nobody knows, and leaves constants
open; for the growing rates to outweigh deviations its proof needs eta small against
1 / (ln K ln(A/delta)). Ours: eta = sqrt(A ln K / K), which balances the leading terms A ln K / eta
and eta K of the worst case, but is as small as the proof needs for very large K only, so that no
published bound is claimed for it. Ours too: for K < 4 A weights stay above 1/(4 A) instead of 1/K,
and ln K counts as at least 1.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccerates.bandits.log_barrier_step import descend
from ccerates.compilation import inline_kernel
from ccerates.lanes import load, select, store


@dataclass(frozen=True)
class LogBarrierOptions:
    """The bandit has no options: its rates follow from A and K."""


class Parameters(NamedTuple):
    """B, the first eta, kappa and the largest 1/w."""

    gain_bound: float
    rate: float
    growth: float
    largest_inverse: float


class State(NamedTuple):
    """State of the bandits in all lanes.

    Attributes
    ----------
    target
        (actions, lanes): 1/w_k + eta l^_k of the last round.
    rate
        (actions, lanes): eta.
    threshold
        (actions, lanes): rho.
    weight
        (actions, lanes): w of the current round.
    """

    target: np.ndarray
    rate: np.ndarray
    threshold: np.ndarray
    weight: np.ndarray


def choose_parameters(
    options: LogBarrierOptions,  # noqa: ARG001
    num_actions: int,
    rounds: int,
    gain_bound: float,
) -> Parameters:
    """Return the numbers of a run."""
    log_rounds = max(math.log(rounds), 1.0)
    rate = math.sqrt(num_actions * log_rounds / rounds)
    return Parameters(
        gain_bound, rate, math.exp(1.0 / log_rounds), float(max(rounds, 4 * num_actions))
    )


def allocate(num_actions: int, lanes: int) -> State:
    """Return an uninitialised state."""
    return State(*(np.empty((num_actions, lanes)) for _ in State._fields))


@inline_kernel
def reset(bandit, num_actions, parameters):
    """Forget everything: the state before the first round."""
    bandit.target[:] = num_actions
    bandit.rate[:] = parameters.rate
    bandit.threshold[:] = 2.0 * num_actions


@inline_kernel
def compute_weights(bandit, num_actions, lanes, parameters, played_rounds):  # noqa: ARG001
    """Set `weight` for this round and raise the rates of arms that have become rare."""
    descend(
        bandit.target, bandit.rate, num_actions, lanes, parameters.largest_inverse, bandit.weight
    )
    for action in range(num_actions):
        inverse = 1.0 / load(bandit.weight, (action,), lanes)
        threshold = load(bandit.threshold, (action,), lanes)
        rate = load(bandit.rate, (action,), lanes)
        rare = inverse > threshold
        store(bandit.threshold, (action,), select(rare, 2.0 * inverse, threshold))
        store(bandit.rate, (action,), select(rare, parameters.growth * rate, rate))


@inline_kernel
def update(bandit, num_actions, lanes, parameters, played_rounds, gains, actions):  # noqa: ARG001
    """Take in the gains of one round."""
    losses = 1.0 - gains / parameters.gain_bound
    for action in range(num_actions):
        inverse = 1.0 / load(bandit.weight, (action,), lanes)
        estimate = select(actions == action, losses * inverse, 0.0)
        target = inverse + load(bandit.rate, (action,), lanes) * estimate
        store(bandit.target, (action,), target)
