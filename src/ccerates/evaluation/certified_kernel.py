"""The recursions behind `ccerates.evaluation.certified`, compiled.

Vectors hold 2m numbers: for each player the value W of the certified policy, then for each player
the largest of the bounds U on what an action is worth to a deviator. One visit adds to both the
same sum over joint actions, with other weights: pi(a) for W, pi_{-i}(a_{-i}) for player i's U.
"""

import math
from collections.abc import Callable
from functools import cache

from ccerates.compilation import allocation_free_kernel, inline_kernel
from ccerates.lanes import broadcast, load, store
from ccerates.online.schedule import step_size


@inline_kernel
def _copy_policy(counts, policy, episode, step, lane, chosen):
    """Set chosen[player, action] to the policy of a visit; one lane's numbers lie far apart."""
    for player in range(len(counts)):
        for action in range(counts[player]):
            chosen[player, action] = policy[episode, step, player, action, lane]


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
def _back_up(games, table, step, state, worth, size, joint_actions, successors):
    """Set worth[a] = r + P (table of the next step) for every joint action a."""
    layer = games.layer[step]
    following = table[step + 1]
    reward = games.reward[layer, state]
    next_state = games.next_state[layer, state]
    probability = games.probability[layer, state]
    for joint in range(joint_actions):
        total = load(reward, (joint,), size)
        for place in range(successors):
            there = load(following, (next_state[joint, place],), size)
            total = total + there * probability[joint, place]
        store(worth, (joint,), total)


@inline_kernel
def _average_out(counts, joint_actions, chosen, worth, suffix, fresh, size):
    """Return E_{a~pi} worth(a) and set fresh[i, a_i] = E_{a_-i} of player i's U; spoils `worth`.

    Players are averaged out from the first on: when player i's turn comes, `worth` depends on the
    actions of i and later players only. The later ones are weighted by the product of theirs.
    """
    num_players = len(counts)
    rest = joint_actions
    for player in range(num_players):
        own = counts[player]
        rest //= own
        suffix[0] = 1.0
        count = 1
        for later in range(player + 1, num_players):
            for place in range(count - 1, -1, -1):
                before = suffix[place]
                for action in range(counts[later]):
                    chance = chosen[later, action]
                    suffix[place * counts[later] + action] = before * chance
            count *= counts[later]
        for action in range(own):
            total = 0.0
            for place in range(rest):
                total += suffix[place] * worth[action * rest + place, num_players + player]
            fresh[player, action] = total
        for place in range(rest):
            mean = load(worth, (place,), size) * chosen[player, 0]
            for action in range(1, own):
                here = load(worth, (action * rest + place,), size)
                mean = mean + here * chosen[player, action]
            store(worth, (place,), mean)
    return load(worth, (0,), size)


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
def _enter_start(memory, state, size):
    """Add the first step's table of a state to its sum, before it changes in this episode."""
    now = memory.episodes[0] + 1
    unchanged = float(now - memory.start_since[state])
    table = load(memory.table, (0, state), size)
    store(memory.start_sum, (state,), load(memory.start_sum, (state,), size) + table * unchanged)
    memory.start_since[state] = now


@inline_kernel
def _largest(response, player, count):
    largest = response[player, 0]
    for action in range(1, count):
        largest = max(largest, response[player, action])
    return largest


@cache
def build_alpha_kernel(counts: tuple[int, ...], successors: int) -> Callable[..., None]:
    """Return the kernel that follows a learner whose visits have the weights of a_t.

    Parameters
    ----------
    counts
        Number of actions of each player; constants to the compiler, which halves the time.
    successors
        Length of the game's successor lists.

    Returns
    -------
    callable
        ``follow(games, memory, work, state, policy, lane)``.
    """
    num_players, joint_actions = len(counts), math.prod(counts)
    size = 2 * num_players

    @allocation_free_kernel
    def follow(games, memory, work, state, policy, lane):
        horizon = memory.visits.shape[0]
        for episode in range(state.shape[0]):
            for step in range(horizon):
                here = state[episode, step, lane]
                memory.visits[step, here] += 1
                rate = step_size(horizon, memory.visits[step, here])
                _copy_policy(counts, policy, episode, step, lane, work.chosen)
                _back_up(
                    games, memory.table, step, here, work.worth, size, joint_actions, successors
                )
                total = _average_out(
                    counts, joint_actions, work.chosen, work.worth, work.product, work.fresh, size
                )
                if step == 0:
                    _enter_start(memory, here, size)
                before = load(memory.table, (step, here), size)
                store(memory.table, (step, here), before * (1.0 - rate) + total * rate)
                response = memory.response[step, here]
                for player in range(num_players):
                    for action in range(counts[player]):
                        old = response[player, action]
                        new = old * (1.0 - rate) + work.fresh[player, action] * rate
                        response[player, action] = new
                    memory.table[step, here, num_players + player] = _largest(
                        response, player, counts[player]
                    )
            memory.episodes[0] += 1

    return follow


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
    _back_up(games, memory.table, step, here, work.worth, size, joint_actions, successors)
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
                _copy_policy(counts, policy, episode, step, lane, work.chosen)
                _add_product(counts, work.chosen, memory.product[step, here], work.product)
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
                    _enter_start(memory, here, size)
                _commit(memory, step, here, counts)
                if audits:
                    _audit_commit(
                        audit, memory, step, here, length, upper, lower, surplus, episode, lane
                    )
            memory.episodes[0] += 1

    return follow
