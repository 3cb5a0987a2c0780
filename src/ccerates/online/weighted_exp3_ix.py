"""Weighted Exp3-IX for every (step, state, player): the bandit of V-learning, in lanes.

Source: Jin, Liu, Wang and Yu, "V-learning" (arXiv 2110.14555), the algorithm FTRL for weighted
external regret. With step sizes a_t = (H + 1) / (H + t), weights
w_t = a_t / prod_{2<=i<=t} (1 - a_i) and losses in [0, 1], the visit after t others plays

    theta prop. to exp(-(eta_t / w_t) sum_{i<=t} w_i l_i),
    l_t(b) = loss 1{b = b_t} / (theta(b) + gamma_t),    eta_t = gamma_t = sqrt(H ln A / (A t)).

The weights grow like t^H and would overflow. As w_{t-1} / w_t = (t - 1) / (H + t - 1), the same
theta is prop. to exp(-eta_t L_t) with

    L_t = ((t - 1) / (H + t - 1)) L_{t-1} + l_t.

Both rates may be multiplied by constants, see `choose_rates`.
"""

import math
from typing import NamedTuple

import numpy as np

from ccerates.bandits.softmax import exponential_weights
from ccerates.compilation import inline_kernel
from ccerates.lanes import gather, load, scatter, select, store, to_float
from ccerates.online.baseline import Shape


class Rates(NamedTuple):
    """What eta_t and gamma_t are after multiplication by sqrt(t), (players,) each."""

    learning: np.ndarray
    exploration: np.ndarray


class Work(NamedTuple):
    """What lives within one visit.

    Attributes
    ----------
    loss, score, weight
        (players, max_actions, lanes): L of the visited state, -eta L, and theta.
    """

    loss: np.ndarray
    score: np.ndarray
    weight: np.ndarray


def choose_rates(shape: Shape, rate_scale: float, exploration: float) -> Rates:
    """Return the rates of every player, as multiples of the published ones."""
    num_actions, _, horizon = shape
    published = np.array([math.sqrt(horizon * math.log(count) / count) for count in num_actions])
    return Rates(rate_scale * published, exploration * published)


def allocate_losses(shape: Shape, lanes: int) -> np.ndarray:
    """Return (horizon, players, max_actions * states, lanes): L before the first visit."""
    num_actions, num_states, horizon = shape
    return np.zeros((horizon, len(num_actions), max(num_actions) * num_states, lanes))


def allocate_work(shape: Shape, lanes: int) -> Work:
    """Return working space."""
    num_actions = shape[0]
    size = (len(num_actions), max(num_actions), lanes)
    return Work(np.zeros(size), np.zeros(size), np.zeros(size))


@inline_kernel
def compute_weights(losses, visits, work, rates, step, states, num_actions, lanes):
    """Set `weight` and `loss` of all players for a visit.

    Parameters
    ----------
    losses
        See `allocate_losses`.
    visits
        (horizon, states, lanes) int64: numbers of earlier visits.
    work, rates
        `Work`, changed in place, and `Rates`.
    step, states
        Where the lanes are: a number and a vector.
    num_actions, lanes
        (players,) numbers of actions; number of lanes.
    """
    num_states = visits.shape[1]
    visit = to_float(gather(visits, (step,), states))
    # Before the first visit L is 0 and the rate makes no difference.
    scale = 1.0 / math.sqrt(select(visit < 1.0, 1.0, visit))
    for player in range(num_actions.size):
        count = num_actions[player]
        rate = scale * rates.learning[player]
        for action in range(count):
            loss = gather(losses, (step, player), states + action * num_states)
            store(work.loss, (player, action), loss)
            store(work.score, (player, action), 0.0 - rate * loss)
        weight = work.weight[player]
        total = exponential_weights(work.score[player], count, lanes, weight)
        scale_to_one = 1.0 / total
        for action in range(count):
            store(weight, (action,), load(weight, (action,), lanes) * scale_to_one)


@inline_kernel
def take_in(
    losses, work, exploration, step, player, states, num_states, keep, loss, actions, count, lanes
):
    """Take in the losses of one player's actions.

    Parameters
    ----------
    losses, work
        See `compute_weights`; `losses` is changed in place.
    exploration
        gamma_t, a vector.
    step, player, states, num_states
        Where.
    keep
        (t - 1) / (H + t - 1), a vector.
    loss, actions
        Vectors: loss in [0, 1] of the action played; the action.
    count, lanes
        Number of the player's actions; number of lanes.
    """
    estimate = loss / (gather(work.weight, (player,), actions) + exploration)
    for action in range(count):
        before = keep * load(work.loss, (player, action), lanes)
        after = before + select(actions == action, estimate, 0.0)
        scatter(losses, (step, player), states + action * num_states, after)
