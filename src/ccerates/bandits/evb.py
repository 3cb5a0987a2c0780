"""The empirical-variance bandit (EVB): log-barrier FTRL with a variance bias, in lanes.

Ours; the paper's section on the bandit derives it. Gains x_k lie in [0, B]. With the centre m_k
(mean of the earlier gains, B/2 at first), the played variance V_k = sum (x_j - m_j)^2 and gain
estimates G_k, round k plays

    w_k = argmax_w <G_{k-1}, w> + (1/eta_k) sum_a ln w_a,
    eta_k = min(eta_max, c_eta sqrt(A ln max(K, 3) / (B^2 + V_{k-1}))),
    G_k(a) = G_{k-1}(a) + (x_k - m_k) 1{a_k = a} / w_k(a) + b_k(a),
    b_k(a) = c_1 sqrt(iota) (sqrt(Q_k) - sqrt(Q_{k-1})) + c_2 iota B (rho_k - rho_{k-1}),

where Q_k(a) = B^2 + sum of the squared estimates of arm a and rho_k(a) = max(A, 1/w_j(a)).

The functions below are the two halves of a round, for one bandit in each lane. All state is held
as structures of arrays, (players, actions, lanes) or (players, lanes), so that a game's kernel
can run one bandit for each player and the arithmetic vectorises over the lanes.
"""

import math
from typing import NamedTuple

import numpy as np

from ccerates.compilation import inline_kernel
from ccerates.lanes import (
    any_lane,
    broadcast,
    gather,
    load,
    scatter,
    select,
    store,
    to_integer,
)

NEWTON_TOLERANCE = 1e-10
NEWTON_LIMIT = 60

# Which sum stands where in `EvbState.sums`.
SUM_GAIN = 0
SUM_CENTRED = 1
SUM_VARIANCE = 2
SUM_STABILITY = 3
SUM_BIAS = 4
NUM_SUMS = 5


class EvbState(NamedTuple):
    """Everything the bandits of all players and lanes remember.

    Attributes
    ----------
    estimate
        (players, actions, lanes): G.
    square
        (players, actions, lanes): Q.
    smallest
        (players, actions, lanes): smallest w of the rounds taken in, 1 at first; rho is
        max(A, 1/smallest).
    weight
        (players, actions, lanes): w of the current round.
    multiplier
        (players, lanes): lambda, where w_a = 1 / (eta (lambda - G_a)); after an update, a
        first-order guess of the next one.
    sensitivity
        (players, lanes): 1 / sum_a w_a^2, by which d lambda / d G_a = sensitivity * w_a^2.
    rate
        (players, lanes): eta of the current round.
    sums
        (players, NUM_SUMS, lanes): running sums; the `SUM_*` constants name them.
    """

    estimate: np.ndarray
    square: np.ndarray
    smallest: np.ndarray
    weight: np.ndarray
    multiplier: np.ndarray
    sensitivity: np.ndarray
    rate: np.ndarray
    sums: np.ndarray


@inline_kernel
def allocate(num_players, max_actions, lanes):
    """Return an uninitialised `EvbState`."""
    shape = (num_players, max_actions, lanes)
    return EvbState(
        np.empty(shape),
        np.empty(shape),
        np.empty(shape),
        np.empty(shape),
        np.empty((num_players, lanes)),
        np.empty((num_players, lanes)),
        np.empty((num_players, lanes)),
        np.empty((num_players, NUM_SUMS, lanes)),
    )


@inline_kernel
def reset(bandit, num_actions, gain_bound):
    """Forget everything: the state before the first round."""
    for player in range(num_actions.size):
        bandit.estimate[player] = 0.0
        bandit.square[player] = gain_bound * gain_bound
        bandit.smallest[player] = 1.0
        bandit.multiplier[player] = -np.inf
        bandit.sums[player] = 0.0


@inline_kernel
def stability_loss(c):
    """Return -c - ln(1 - c) for |c| <= 0.68, in lanes and without cancellation.

    With z = c / (2 - c), ln(1 - c) = -2 artanh z, hence c z + 2 z^3 (1/3 + z^2/5 + z^4/7 + ...).
    """
    z = c / (2.0 - c)
    y = z * z
    y2 = y * y
    # Twenty-four terms leave a relative error below 1e-14 at |c| = 0.68.
    series = y * (1.0 / 49.0) + 1.0 / 47.0
    for term in range(10, -1, -1):
        series = series * y2 + (y * (1.0 / (4 * term + 5)) + 1.0 / (4 * term + 3))
    return c * z + 2.0 * z * y * series


@inline_kernel
def compute_weights(bandit, player, num_actions, lanes, maximal_rate, rate_numerator, gain_square):
    """Set `rate` and `weight` of one player for this round.

    The root of sum_a 1/(lambda - G_a) = eta is found by Newton's method on the reciprocal of the
    left side. That is concave and almost linear in lambda, so that the iteration approaches from
    below after one step; from the guess that `update` leaves it needs one or two. Lanes that have
    converged are frozen: a lane's numbers do not depend on its companions.

    Parameters
    ----------
    bandit
        State, changed in place.
    player, num_actions, lanes
        Which player, its number of actions, number of lanes.
    maximal_rate
        eta_max; a number or one for each lane.
    rate_numerator
        c_eta sqrt(A ln max(K, 3)); a number or one for each lane.
    gain_square
        B^2.
    """
    variance = load(bandit.sums, (player, SUM_VARIANCE), lanes) + gain_square
    rate = rate_numerator / math.sqrt(variance)
    rate = select(rate > maximal_rate, maximal_rate, rate)
    store(bandit.rate, (player,), rate)
    largest = load(bandit.estimate, (player, 0), lanes)
    for action in range(1, num_actions):
        estimate = load(bandit.estimate, (player, action), lanes)
        largest = select(estimate > largest, estimate, largest)
    # No weight exceeds one, so that the root is at least max G + 1/eta.
    lowest = largest + 1.0 / rate
    multiplier = load(bandit.multiplier, (player,), lanes)
    multiplier = select(multiplier > lowest, multiplier, lowest)
    first = broadcast(0.0, lanes)
    second = broadcast(0.0, lanes)
    for _ in range(NEWTON_LIMIT):
        first = broadcast(0.0, lanes)
        second = broadcast(0.0, lanes)
        for action in range(num_actions):
            inverse = 1.0 / (multiplier - load(bandit.estimate, (player, action), lanes))
            store(bandit.weight, (player, action), inverse)
            first = first + inverse
            second = second + inverse * inverse
        residual = first / rate - 1.0
        moves = abs(residual) > NEWTON_TOLERANCE
        if not any_lane(moves):
            break
        moved = multiplier + residual * first / second
        moved = select(moved > lowest, moved, lowest)
        multiplier = select(moves, moved, multiplier)
    store(bandit.multiplier, (player,), multiplier)
    store(bandit.sensitivity, (player,), first * first / second)
    scale = 1.0 / first
    for action in range(num_actions):
        inverse = load(bandit.weight, (player, action), lanes)
        store(bandit.weight, (player, action), inverse * scale)


@inline_kernel
def draw_actions(bandit, player, num_actions, lanes, uniforms):
    """Return one action in each lane, drawn from this round's weights."""
    cumulative = broadcast(0.0, lanes)
    actions = broadcast(0, lanes)
    # The last action takes what rounding leaves.
    for action in range(num_actions - 1):
        cumulative = cumulative + load(bandit.weight, (player, action), lanes)
        actions = actions + to_integer(uniforms >= cumulative)
    return actions


@inline_kernel
def centred_gains(total, gains, played_rounds, gain_bound, centre=1.0):
    """Return x_k - m_k; m_k is `centre` times the mean of the earlier gains, B/2 at first.

    Parameters
    ----------
    total
        Vector: sum of the earlier gains.
    gains
        Vector: x_k.
    played_rounds
        k - 1, number of the earlier gains.
    gain_bound
        B.
    centre
        1, or 0 to see what the bandit is without the centre.
    """
    if played_rounds == 0:
        return gains - centre * 0.5 * gain_bound
    return gains - total * (centre / played_rounds)


@inline_kernel
def centred_gains_of_lanes(total, gains, played_rounds, gain_bound, centre):
    """Return `centred_gains` where each lane has a number of played rounds of its own."""
    first = played_rounds == 0.0
    mean = total * (centre / select(first, 1.0, played_rounds))
    return gains - select(first, centre * 0.5 * gain_bound, mean)


@inline_kernel
def update(
    bandit,
    player,
    num_actions,
    lanes,
    gain_bound,
    bias_deviation,
    bias_range,
    gains,
    centred,
    actions,
):
    """Take in the gains of one round.

    Parameters
    ----------
    bandit
        State, changed in place.
    player, num_actions, lanes
        Which player, its number of actions, number of lanes.
    gain_bound
        B.
    bias_deviation
        c_1 sqrt(iota); a number or one for each lane.
    bias_range
        Vector: c_2 iota.
    gains
        Vector: gain in [0, B] of the action played.
    centred
        Vector: x_k - m_k, see `centred_gains`.
    actions
        Vector: action played.
    """
    sums = bandit.sums
    rate = load(bandit.rate, (player,), lanes)
    weight = gather(bandit.weight, (player,), actions)
    estimate = centred / weight
    square_before = gather(bandit.square, (player,), actions)
    square = square_before + estimate * estimate
    bias = bias_deviation * (math.sqrt(square) - math.sqrt(square_before))
    if any_lane(bias_range > 0.0):
        scale = bias_range * gain_bound
        bias = bias + _add_range_bias(bandit, player, num_actions, lanes, scale, rate, actions)
    loss = stability_loss(rate * weight * (estimate + bias))
    _add(sums, player, SUM_GAIN, lanes, gains)
    _add(sums, player, SUM_CENTRED, lanes, centred)
    _add(sums, player, SUM_VARIANCE, lanes, centred * centred)
    _add(sums, player, SUM_STABILITY, lanes, loss / rate)
    _add(sums, player, SUM_BIAS, lanes, weight * bias)
    scatter(bandit.square, (player,), actions, square)
    increase = estimate + bias
    sum_ = gather(bandit.estimate, (player,), actions) + increase
    scatter(bandit.estimate, (player,), actions, sum_)
    guess = weight * weight * increase * load(bandit.sensitivity, (player,), lanes)
    store(bandit.multiplier, (player,), load(bandit.multiplier, (player,), lanes) + guess)
    for action in range(num_actions):
        smallest = load(bandit.smallest, (player, action), lanes)
        weight = load(bandit.weight, (player, action), lanes)
        store(bandit.smallest, (player, action), select(weight < smallest, weight, smallest))


@inline_kernel
def _add(sums, player, item, lanes, vector):
    store(sums, (player, item), load(sums, (player, item), lanes) + vector)


@inline_kernel
def _add_range_bias(bandit, player, num_actions, lanes, scale, rate, actions):
    """Apply c_2 iota B (rho_k - rho_{k-1}) to the arms not played; return that of the played."""
    played_bias = broadcast(0.0, lanes)
    for action in range(num_actions):
        weight = load(bandit.weight, (player, action), lanes)
        smallest = load(bandit.smallest, (player, action), lanes)
        if not any_lane(weight < smallest):  # almost always: records of 1/w become rare
            continue
        before = 1.0 / smallest
        before = select(before > num_actions, before, 1.0 * num_actions)
        inverse = 1.0 / weight
        bias = scale * select(inverse > before, inverse - before, 0.0)
        played = actions == action
        played_bias = select(played, bias, played_bias)
        others = select(played, 0.0, bias)
        loss = stability_loss(rate * weight * others)
        _add(bandit.sums, player, SUM_STABILITY, lanes, loss / rate)
        _add(bandit.sums, player, SUM_BIAS, lanes, weight * others)
        estimate = load(bandit.estimate, (player, action), lanes)
        store(bandit.estimate, (player, action), estimate + others)
    return played_bias
