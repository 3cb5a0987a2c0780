"""Sums over rounds of the product of all players' policies, for kernels."""

from ccerates.compilation import inline_kernel
from ccerates.lanes import broadcast, load, store


@inline_kernel
def accumulate_product(policy, num_actions, lanes, keep, weight, product, total):
    """Set `total` to keep times itself plus weight times the product of the policies.

    With keep = weight = 1 it becomes a sum over rounds, with keep = 1 - weight a weighted average.

    Parameters
    ----------
    policy
        (players, actions, lanes): one distribution for each player.
    num_actions
        (players,) number of actions of each player.
    lanes
        Number of lanes.
    keep, weight
        Numbers, the same in all lanes.
    product
        (joint_actions, lanes) room to work in.
    total
        (joint_actions, lanes) changed in place; joint actions are row-major.
    """
    size = 1
    store(product, (0,), broadcast(weight, lanes))
    for player in range(num_actions.size - 1):
        count = num_actions[player]
        # From the end backwards, so that the product can grow in place.
        for index in range(size - 1, -1, -1):
            prefix = load(product, (index,), lanes)
            for action in range(count - 1, -1, -1):
                grown = prefix * load(policy, (player, action), lanes)
                store(product, (index * count + action,), grown)
        size *= count
    last = num_actions.size - 1
    count = num_actions[last]
    for index in range(size):
        prefix = load(product, (index,), lanes)
        for action in range(count):
            place = index * count + action
            kept = keep * load(total, (place,), lanes)
            store(total, (place,), kept + prefix * load(policy, (last, action), lanes))
