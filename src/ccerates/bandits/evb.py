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

NEWTON_TOLERANCE = 1e-10
NEWTON_LIMIT = 60

# Which sum stands where in `EvbState.sums`.
SUM_GAIN = 0
SUM_CENTRED = 1
SUM_VARIANCE = 2
SUM_STABILITY = 3
SUM_BIAS = 4
NUM_SUMS = 5

# Rows of `EvbState.scratch`.
PLAYED_WEIGHT = 0
PLAYED_SQUARE = 1
PLAYED_ROOT = 2
PLAYED_RANGE_BIAS = 3
INCREASE = 4
NUM_SCRATCH = 5


class EvbState(NamedTuple):
    """Everything the bandits of all players and lanes remember.

    Attributes
    ----------
    estimate
        (players, actions, lanes): G.
    square, root
        (players, actions, lanes): Q and its square root.
    range_
        (players, actions, lanes): rho.
    weight
        (players, actions, lanes): w of the current round.
    multiplier
        (players, lanes): lambda, where w_a = 1 / (eta (lambda - G_a)).
    rate
        (players, lanes): eta of the current round.
    sums
        (players, NUM_SUMS, lanes): running sums; the `SUM_*` constants name them.
    scratch
        (NUM_SCRATCH, lanes): space for intermediate results.
    """

    estimate: np.ndarray
    square: np.ndarray
    root: np.ndarray
    range_: np.ndarray
    weight: np.ndarray
    multiplier: np.ndarray
    rate: np.ndarray
    sums: np.ndarray
    scratch: np.ndarray


@inline_kernel
def allocate(num_players, max_actions, lanes):
    """Return an uninitialised `EvbState`."""
    shape = (num_players, max_actions, lanes)
    return EvbState(
        np.empty(shape),
        np.empty(shape),
        np.empty(shape),
        np.empty(shape),
        np.empty(shape),
        np.empty((num_players, lanes)),
        np.empty((num_players, lanes)),
        np.empty((num_players, NUM_SUMS, lanes)),
        np.empty((NUM_SCRATCH, lanes)),
    )


@inline_kernel
def reset(bandit, num_actions, gain_bound):
    """Forget everything: the state before the first round."""
    for player in range(num_actions.size):
        bandit.estimate[player] = 0.0
        bandit.square[player] = gain_bound * gain_bound
        bandit.root[player] = gain_bound
        bandit.range_[player] = num_actions[player]
        bandit.multiplier[player] = -np.inf
        bandit.sums[player] = 0.0


@inline_kernel
def stability_loss(c):
    """Return -c - ln(1 - c) for |c| <= 0.68, without cancellation and without a library call.

    With z = c / (2 - c), ln(1 - c) = -2 artanh z and the result is c z + 2 z^3 (1/3 + z^2/5 + ..).
    """
    z = c / (2.0 - c)
    y = z * z
    y2 = y * y
    series = 0.0
    # Twenty-four terms leave a relative error below 1e-14 at |c| = 0.68.
    for term in range(11, -1, -1):
        low = 1.0 / (4 * term + 3) + y * (1.0 / (4 * term + 5))
        series = series * y2 + low
    return c * z + 2.0 * z * y * series


@inline_kernel
def compute_weights(bandit, player, num_actions, lanes, maximal_rate, rate_numerator, gain_square):
    """Set `rate` and `weight` of one player for this round.

    The root of sum_a 1/(lambda - G_a) = eta is found by Newton's method on the reciprocal of the
    left side. That is concave and almost linear in lambda, so that the iteration approaches from
    below after one step and needs two or three from the last round's root. Lanes that have
    converged are frozen: a lane's numbers do not depend on its companions.

    Parameters
    ----------
    bandit
        State, changed in place.
    player, num_actions, lanes
        Which player, its number of actions, number of lanes.
    maximal_rate
        eta_max.
    rate_numerator
        c_eta sqrt(A ln max(K, 3)).
    gain_square
        B^2.
    """
    estimate, weight = bandit.estimate, bandit.weight
    multiplier, rate, sums = bandit.multiplier, bandit.rate, bandit.sums
    lowest, first, second = bandit.scratch[0], bandit.scratch[1], bandit.scratch[2]
    for lane in range(lanes):
        lowest[lane] = estimate[player, 0, lane]
    for action in range(1, num_actions):
        for lane in range(lanes):
            lowest[lane] = max(lowest[lane], estimate[player, action, lane])
    for lane in range(lanes):
        variance = gain_square + sums[player, SUM_VARIANCE, lane]
        eta = min(maximal_rate, rate_numerator / math.sqrt(variance))
        rate[player, lane] = eta
        # No weight exceeds one, so that the root is at least max G + 1/eta.
        lowest[lane] += 1.0 / eta
        multiplier[player, lane] = max(multiplier[player, lane], lowest[lane])
    for _ in range(NEWTON_LIMIT):
        for lane in range(lanes):
            first[lane] = 0.0
            second[lane] = 0.0
        for action in range(num_actions):
            for lane in range(lanes):
                inverse = 1.0 / (multiplier[player, lane] - estimate[player, action, lane])
                weight[player, action, lane] = inverse
                first[lane] += inverse
                second[lane] += inverse * inverse
        worst = 0.0
        for lane in range(lanes):
            residual = first[lane] / rate[player, lane] - 1.0
            step = residual * first[lane] / second[lane]
            error = abs(residual)
            moved = max(multiplier[player, lane] + step, lowest[lane])
            multiplier[player, lane] = moved if error > NEWTON_TOLERANCE else multiplier[player, lane]
            worst = max(worst, error)
        if worst <= NEWTON_TOLERANCE:
            break
    for lane in range(lanes):
        first[lane] = 1.0 / first[lane]
    for action in range(num_actions):
        for lane in range(lanes):
            weight[player, action, lane] *= first[lane]


@inline_kernel
def draw_actions(bandit, player, num_actions, lanes, uniforms, actions):
    """Draw one action in each lane from this round's weights."""
    cumulative = bandit.scratch[0]
    for lane in range(lanes):
        cumulative[lane] = 0.0
        actions[player, lane] = 0
    # The last action takes what rounding leaves.
    for action in range(num_actions - 1):
        for lane in range(lanes):
            cumulative[lane] += bandit.weight[player, action, lane]
            actions[player, lane] += 1 if uniforms[lane] >= cumulative[lane] else 0


@inline_kernel
def update(
    bandit,
    player,
    num_actions,
    lanes,
    played_rounds,
    gain_bound,
    bias_deviation,
    bias_range,
    gains,
    actions,
):
    """Take in the gains of one round.

    Parameters
    ----------
    bandit
        State, changed in place.
    player, num_actions, lanes
        Which player, its number of actions, number of lanes.
    played_rounds
        Number of rounds before this one.
    gain_bound
        B.
    bias_deviation, bias_range
        c_1 sqrt(iota) and c_2 iota.
    gains
        (players, lanes) gains of the actions played, in [0, B].
    actions
        (players, lanes) actions played.
    """
    sums, scratch = bandit.sums, bandit.scratch
    for lane in range(lanes):
        scratch[PLAYED_RANGE_BIAS, lane] = 0.0
    if bias_range > 0.0:
        _add_range_bias(bandit, player, num_actions, lanes, bias_range * gain_bound, actions)
    for lane in range(lanes):
        action = actions[player, lane]
        scratch[PLAYED_WEIGHT, lane] = bandit.weight[player, action, lane]
        scratch[PLAYED_SQUARE, lane] = bandit.square[player, action, lane]
        scratch[PLAYED_ROOT, lane] = bandit.root[player, action, lane]
    per_round = 1.0 / played_rounds if played_rounds > 0 else 0.0
    first_centre = 0.5 * gain_bound if played_rounds == 0 else 0.0
    for lane in range(lanes):
        gain = gains[player, lane]
        weight = scratch[PLAYED_WEIGHT, lane]
        rate = bandit.rate[player, lane]
        centred = gain - (sums[player, SUM_GAIN, lane] * per_round + first_centre)
        estimate = centred / weight
        square = scratch[PLAYED_SQUARE, lane] + estimate * estimate
        root = math.sqrt(square)
        deviation_bias = bias_deviation * (root - scratch[PLAYED_ROOT, lane])
        bias = deviation_bias + scratch[PLAYED_RANGE_BIAS, lane]
        loss = stability_loss(rate * weight * (estimate + bias))
        sums[player, SUM_GAIN, lane] += gain
        sums[player, SUM_CENTRED, lane] += centred
        sums[player, SUM_VARIANCE, lane] += centred * centred
        sums[player, SUM_STABILITY, lane] += loss / rate
        sums[player, SUM_BIAS, lane] += weight * bias
        scratch[PLAYED_SQUARE, lane] = square
        scratch[PLAYED_ROOT, lane] = root
        scratch[PLAYED_WEIGHT, lane] = estimate + bias  # now the increase of G
    for lane in range(lanes):
        action = actions[player, lane]
        bandit.square[player, action, lane] = scratch[PLAYED_SQUARE, lane]
        bandit.root[player, action, lane] = scratch[PLAYED_ROOT, lane]
        bandit.estimate[player, action, lane] += scratch[PLAYED_WEIGHT, lane]


@inline_kernel
def _add_range_bias(bandit, player, num_actions, lanes, scale, actions):
    """Apply c_2 iota B (rho_k - rho_{k-1}) to the arms not played; hand on that of the played."""
    weight, range_, sums = bandit.weight, bandit.range_, bandit.sums
    for action in range(num_actions):
        largest = 0.0
        for lane in range(lanes):
            increase = max(1.0 / weight[player, action, lane] - range_[player, action, lane], 0.0)
            bandit.scratch[INCREASE, lane] = increase
            largest = max(largest, increase)
        if largest == 0.0:  # almost always: records of 1/w become rare
            continue
        for lane in range(lanes):
            bias = scale * bandit.scratch[INCREASE, lane]
            range_[player, action, lane] += bandit.scratch[INCREASE, lane]
            if actions[player, lane] == action:
                bandit.scratch[PLAYED_RANGE_BIAS, lane] = bias
            else:
                rate = bandit.rate[player, lane]
                cost = weight[player, action, lane] * bias
                sums[player, SUM_STABILITY, lane] += stability_loss(rate * cost) / rate
                sums[player, SUM_BIAS, lane] += cost
                bandit.estimate[player, action, lane] += bias
