"""Exponential weights in lanes."""

import math

from ccerates.compilation import inline_kernel
from ccerates.lanes import broadcast, load, select, store

# exp is defined down to -708; smaller weights make no difference to what is played.
LOWEST_EXPONENT = -700.0


@inline_kernel
def exponential_weights(score, num_actions, lanes, weight):
    """Set ``weight[a] = exp(max(score[a] - max score, -700))`` and return their sum.

    Parameters
    ----------
    score
        (actions, lanes).
    num_actions, lanes
        Numbers of actions and lanes.
    weight
        (actions, lanes), changed in place.
    """
    largest = load(score, (0,), lanes)
    for action in range(1, num_actions):
        here = load(score, (action,), lanes)
        largest = select(here > largest, here, largest)
    total = broadcast(0.0, lanes)
    for action in range(num_actions):
        exponent = load(score, (action,), lanes) - largest
        power = math.exp(select(exponent < LOWEST_EXPONENT, LOWEST_EXPONENT, exponent))
        store(weight, (action,), power)
        total = total + power
    return total
