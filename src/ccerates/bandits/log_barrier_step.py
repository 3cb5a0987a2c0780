"""One step of online mirror descent with the log barrier, in lanes."""

from ccerates.compilation import inline_kernel
from ccerates.lanes import any_lane, broadcast, load, select, store

NEWTON_TOLERANCE = 1e-12
NEWTON_LIMIT = 60


@inline_kernel
def descend(target, rate, num_actions, lanes, largest_inverse, weight):
    """Set the weights to argmin <w, l> + sum_a D_a(w_a, v_a) / rate_a over a truncated simplex.

    D_a is the Bregman divergence of -ln, v the weights before and ``target[a]`` stands for
    1/v_a + rate_a l_a. With a multiplier m for the sum of the weights,
    1/w_a = min(target_a - rate_a m, largest_inverse). The reciprocal of the sum of the weights is
    concave in m: Newton's method on it, from anywhere, comes down on the root from above after one
    step. Lanes that have converged are frozen.

    Parameters
    ----------
    target, rate
        (actions, lanes): 1/v + rate l, and the learning rates.
    num_actions, lanes
        Numbers of actions and lanes.
    largest_inverse
        Largest 1/w that is allowed, more than the number of actions.
    weight
        (actions, lanes), changed in place.
    """
    multiplier = broadcast(0.0, lanes)
    highest = (load(target, (0,), lanes) - 1.0) / load(rate, (0,), lanes)
    for action in range(1, num_actions):
        # No weight exceeds one.
        limit = (load(target, (action,), lanes) - 1.0) / load(rate, (action,), lanes)
        highest = select(limit < highest, limit, highest)
    multiplier = select(multiplier > highest, highest, multiplier)
    total = broadcast(0.0, lanes)
    for _ in range(NEWTON_LIMIT):
        total = broadcast(0.0, lanes)
        slope = broadcast(0.0, lanes)
        for action in range(num_actions):
            step = load(rate, (action,), lanes)
            inverse = load(target, (action,), lanes) - step * multiplier
            free = inverse < largest_inverse
            here = 1.0 / select(free, inverse, largest_inverse)
            store(weight, (action,), here)
            total = total + here
            slope = slope + select(free, step * here * here, 0.0)
        moves = abs(total - 1.0) > NEWTON_TOLERANCE
        if not any_lane(moves):
            break
        moved = multiplier + (1.0 - total) * total / slope
        moved = select(moved > highest, highest, moved)
        multiplier = select(moves, moved, multiplier)
    for action in range(num_actions):
        store(weight, (action,), load(weight, (action,), lanes) / total)
