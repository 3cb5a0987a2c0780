"""Evaluation beside learners whose visits are averaged over stages, compiled."""

import math
from collections.abc import Callable
from functools import cache

from ccerates.compilation import allocation_free_kernel, inline_kernel
from ccerates.evaluation.certified_blocks import back_up, copy_policy, enter_start
from ccerates.lanes import broadcast, load, store


@inline_kernel
def _add_product(counts, chosen, product, prefix):
    """Add the product of the players' policies to `product`."""
    last = len(counts) - 1
    prefix[0] = 1.0
    count = 1
    for player in range(last):
        own = counts[player]
        for place in range(count - 1, -1, -1):  # downwards: each entry is read before it is set
            before = prefix[place]
            for action in range(own):
                prefix[place * own + action] = before * chosen[player, action]
        count *= own
    own = counts[last]
    for place in range(count):
        before = prefix[place]
        for action in range(own):
            product[place * own + action] += before * chosen[last, action]


@inline_kernel
def _marginal_weights(counts, product, weight):
    """Set weight[a] from sums P of product policies over several visits.

    P(a) for every player's W, and for player i's U its sum over the own action: for each visit
    pi_-i(a_-i), which does not depend on it.
    """
    num_players = len(counts)
    for joint in range(product.size):
        for player in range(num_players):
            weight[joint, player] = product[joint]
    after = product.size
    for player in range(num_players):
        own = counts[player]
        block = after
        after //= own
        for first in range(0, product.size, block):
            for place in range(first, first + after):
                total = 0.0
                for action in range(own):
                    total += product[place + action * after]
                for action in range(own):
                    weight[place + action * after, num_players + player] = total


@inline_kernel
def _sum_up(own_action, weight, worth, fresh, size):
    """Return the sum of weight * worth, and set fresh[i, a_i] to its part of player i's U."""
    num_players = size // 2
    sums = broadcast(0.0, size)
    fresh[:] = 0.0
    for joint in range(worth.shape[0]):
        part = load(weight, (joint,), size) * load(worth, (joint,), size)
        sums = sums + part
        store(worth, (joint,), part)
        for player in range(num_players):
            own = own_action[joint, player]
            fresh[player, own] += worth[joint, num_players + player]
    return sums


@inline_kernel
def _largest(response, player, count):
    largest = response[player, 0]
    for action in range(1, count):
        largest = max(largest, response[player, action])
    return largest


@inline_kernel
def _wait(memory, step, here):
    """Note that a place has visits to evaluate."""
    if memory.waiting_place[step, here] < 0:
        last = memory.num_waiting[step]
        memory.waiting[step, last] = here
        memory.waiting_place[step, here] = last
        memory.num_waiting[step] = last + 1


@inline_kernel
def _evaluate_waiting(games, memory, work, step, here, counts, joint_actions, successors, size):
    """Evaluate a waiting place's visits: the next step's table has been the same for all."""
    product = memory.product[step, here]
    _marginal_weights(counts, product, work.weight)
    back_up(games, memory.table, step, here, work.worth, size, joint_actions, successors)
    total = _sum_up(games.own_action, work.weight, work.worth, work.fresh, size)
    store(memory.value_sum, (step, here), load(memory.value_sum, (step, here), size) + total)
    for player in range(len(counts)):
        for action in range(counts[player]):
            memory.response[step, here, player, action] += work.fresh[player, action]
    product[:] = 0.0
    last = memory.num_waiting[step] - 1
    moved = memory.waiting[step, last]
    place = memory.waiting_place[step, here]
    memory.waiting[step, place] = moved
    memory.waiting_place[step, moved] = place
    memory.waiting_place[step, here] = -1
    memory.num_waiting[step] = last


@inline_kernel
def _commit(memory, step, here, counts):
    """Replace W and max U by the averages over the stage, and start the next stage."""
    num_players = len(counts)
    length = memory.length[step, here]
    response = memory.response[step, here]
    for player in range(num_players):
        memory.table[step, here, player] = memory.value_sum[step, here, player] / length
        largest = _largest(response, player, counts[player])
        memory.table[step, here, num_players + player] = largest / length
    memory.value_sum[step, here] = 0.0
    response[:] = 0.0
    memory.visits[step, here] = 0
    memory.length[step, here] = length + length // memory.visits.shape[0]


@inline_kernel
def _keep_least(sides, smaller, larger):
    """Keep the two sides with the least difference; NaN counts as the least."""
    least = sides[1] - sides[0]
    if least == least and not larger - smaller >= least:
        sides[0] = smaller
        sides[1] = larger


@inline_kernel
def _audit_commit(audit, memory, step, here, length, upper, lower, surplus, episode, lane):
    """Compare the learner's values of a place with max U, W and D after a commit."""
    num_players = audit.width.shape[2]
    for player in range(num_players):
        above = upper[episode, step, player, lane]
        below = lower[episode, step, player, lane]
        width = audit.width_sum[step, here, player] / length + surplus[episode, step, player, lane]
        audit.width[step, here, player] = width
        audit.width_sum[step, here, player] = 0.0
        bound = memory.table[step, here, num_players + player]
        _keep_least(audit.upper_sides[step, player], bound, above)
        _keep_least(audit.lower_sides[step, player], below, memory.table[step, here, player])
        error = abs(width - (above - below))
        worst = audit.chain_error[step, player]
        if worst == worst and not error <= worst:  # NaN counts as the largest
            audit.chain_error[step, player] = error
    audit.commits[step] += 1


@cache
def build_stage_kernel(
    counts: tuple[int, ...], successors: int, audits: bool
) -> Callable[..., None]:
    """Return the kernel that follows a learner whose visits are averaged over stages.

    Both recursions are linear in the product policies. These are summed up for as long as the next
    step's table stays the same, that is until one of its states completes a stage.

    Parameters
    ----------
    counts, successors
        As for `build_alpha_kernel`.
    audits
        Whether the learner's values are audited.

    Returns
    -------
    callable
        ``follow(games, memory, work, audit, state, policy, upper, lower, surplus, lane)``; without
        an audit the learner's values are not read.
    """
    num_players, joint_actions = len(counts), math.prod(counts)
    size = 2 * num_players

    @allocation_free_kernel
    def follow(games, memory, work, audit, state, policy, upper, lower, surplus, lane):
        horizon = memory.visits.shape[0]
        for episode in range(state.shape[0]):
            for step in range(horizon):
                here = state[episode, step, lane]
                _wait(memory, step, here)
                if games.matters[games.layer[step], here]:
                    copy_policy(counts, policy, episode, step, lane, work.chosen)
                    _add_product(counts, work.chosen, memory.product[step, here], work.product)
                else:
                    memory.product[step, here, 0] += 1.0
                if audits and step + 1 < horizon:
                    there = state[episode, step + 1, lane]
                    for player in range(num_players):
                        width = audit.width[step + 1, there, player]
                        audit.width_sum[step, here, player] += width
                memory.visits[step, here] += 1
                length = memory.length[step, here]
                if memory.visits[step, here] < length:
                    continue
                # First those whose sums rest on the table that is about to change. One call site
                # for both steps: it is inlined.
                for back in range(2):
                    behind = step - back
                    places = 1 if back == 0 else memory.num_waiting[behind]
                    for place in range(places - 1, -1, -1):
                        waiter = here if back == 0 else memory.waiting[behind, place]
                        _evaluate_waiting(
                            games, memory, work, behind, waiter,
                            counts, joint_actions, successors, size,
                        )  # fmt: skip
                    if behind == 0:
                        break
                if step == 0:
                    enter_start(memory, here, size)
                _commit(memory, step, here, counts)
                if audits:
                    _audit_commit(
                        audit, memory, step, here, length, upper, lower, surplus, episode, lane
                    )
            memory.episodes[0] += 1

    return follow
