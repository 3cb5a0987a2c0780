"""One round of any bandit outside games, in lanes: draw, gain, and the sums that audits need.

A run is judged by sums over its rounds that need no other knowledge of the bandit than the weights
w_k it played: those of the deviation lemma and of the certificate that rests on it.
"""

from typing import NamedTuple

import numpy as np

from ccerates.bandits.evb import centred_gains
from ccerates.compilation import inline_kernel
from ccerates.lanes import broadcast, load, select, store, to_integer

# Which sum stands where in `Audit.sums`.
SUM_GAIN = 0
SUM_CENTRED = 1
SUM_VARIANCE = 2
NUM_SUMS = 3


class Audit(NamedTuple):
    """Sums over the rounds of the runs in all lanes.

    Attributes
    ----------
    sums
        (NUM_SUMS, lanes): x_k, x_k - m_k and (x_k - m_k)^2; the `SUM_*` constants name them.
    mean_sum
        (actions, lanes): mu_k(a) - m_k.
    estimate_sum
        (actions, lanes): Y_k(a) = (x_k - m_k) 1{a_k = a} / w_k(a).
    square
        (actions, lanes): Q, that is B^2 and the squares of Y_k(a).
    least_weight
        (actions, lanes): smallest of 1/A and all w_k(a).
    """

    sums: np.ndarray
    mean_sum: np.ndarray
    estimate_sum: np.ndarray
    square: np.ndarray
    least_weight: np.ndarray


def start_audit(num_actions: int, lanes: int, gain_bound: float) -> Audit:
    """Return the sums before the first round."""
    shape = (num_actions, lanes)
    return Audit(
        np.zeros((NUM_SUMS, lanes)),
        np.zeros(shape),
        np.zeros(shape),
        np.full(shape, gain_bound * gain_bound),
        np.full(shape, 1.0 / num_actions),
    )


@inline_kernel
def draw_actions(weight, num_actions, lanes, uniforms):
    """Return one action in each lane, drawn from ``weight[action]``."""
    cumulative = broadcast(0.0, lanes)
    actions = broadcast(0, lanes)
    # The last action takes what rounding leaves.
    for action in range(num_actions - 1):
        cumulative = cumulative + load(weight, (action,), lanes)
        actions = actions + to_integer(uniforms >= cumulative)
    return actions


@inline_kernel
def collect_gains(
    schedule, phase, weight, num_actions, lanes, played_rounds, gain_bound, actions, uniforms, audit
):
    """Return the gains of the actions and enter the round into the audit.

    Parameters
    ----------
    schedule, phase
        The adversary's `Schedule` and its current phase.
    weight
        (actions, lanes): what the bandit plays in this round.
    num_actions, lanes
        Numbers of actions and lanes.
    played_rounds
        Number of rounds before this one.
    gain_bound
        B.
    actions, uniforms
        Vectors: action played, and a uniform number that decides its gain.
    audit
        `Audit`, changed in place.
    """
    total = load(audit.sums, (SUM_GAIN,), lanes)
    gains = broadcast(0.0, lanes)
    played_weight = broadcast(1.0, lanes)
    for action in range(num_actions):
        low, high = schedule.low[phase, action], schedule.high[phase, action]
        here = load(weight, (action,), lanes)
        chance = (here - 1.0 / num_actions) * schedule.response
        chance = chance + schedule.probability[phase, action]
        chance = select(chance < 0.0, 0.0, chance)
        chance = select(chance > 1.0, 1.0, chance)
        means = centred_gains(total, chance * (high - low) + low, played_rounds, gain_bound)
        store(audit.mean_sum, (action,), load(audit.mean_sum, (action,), lanes) + means)
        least = load(audit.least_weight, (action,), lanes)
        store(audit.least_weight, (action,), select(here < least, here, least))
        played = actions == action
        gains = select(played, select(uniforms < chance, broadcast(high, lanes), low), gains)
        played_weight = select(played, here, played_weight)
    centred = centred_gains(total, gains, played_rounds, gain_bound)
    estimates = centred / played_weight
    for action in range(num_actions):
        estimate = select(actions == action, estimates, 0.0)
        store(audit.estimate_sum, (action,), load(audit.estimate_sum, (action,), lanes) + estimate)
        square = load(audit.square, (action,), lanes) + estimate * estimate
        store(audit.square, (action,), square)
    store(audit.sums, (SUM_GAIN,), total + gains)
    store(audit.sums, (SUM_CENTRED,), load(audit.sums, (SUM_CENTRED,), lanes) + centred)
    variance = load(audit.sums, (SUM_VARIANCE,), lanes) + centred * centred
    store(audit.sums, (SUM_VARIANCE,), variance)
    return gains
