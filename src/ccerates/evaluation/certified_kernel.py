"""The recursions behind `ccerates.evaluation.certified`, compiled.

Vectors hold 2m numbers: for each player the value W of the certified policy, then for each player
the largest of the bounds U on what an action is worth to a deviator. One visit adds to both the
same sum over joint actions, with other weights: pi(a) for W, pi_{-i}(a_{-i}) for player i's U.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ccerates.compilation import inline_kernel, kernel
from ccerates.lanes import broadcast, load, store
from ccerates.online.schedule import step_size


class GameTables(NamedTuple):
    """The model of a game as the kernel reads it.

    Attributes
    ----------
    num_actions
        (players,) int64.
    own_action
        (joint_actions, players) int64: each player's part of a joint action.
    layer
        (horizon,) int32.
    reward
        (layers, states, joint_actions, 2 * players): the rewards, twice.
    next_state, probability
        (layers, states, joint_actions, successors), as in `MarkovGame`.
    left_out
        (players, 2 * players): 1 at the place of the player's U, 0 elsewhere.
    """

    num_actions: np.ndarray
    own_action: np.ndarray
    layer: np.ndarray
    reward: np.ndarray
    next_state: np.ndarray
    probability: np.ndarray
    left_out: np.ndarray


class Memory(NamedTuple):
    """What the evaluator keeps between visits; changed in place.

    Attributes
    ----------
    table
        (horizon + 1, states, 2 * players): W and max U; zeros after the last step.
    visits
        (horizon, states) int64; with stage averaging those of the current stage.
    response
        (horizon, states, players, max_actions): U; with stage averaging the sum of the current
        stage as far as it has been evaluated.
    value_sum
        (horizon, states, 2 * players): likewise of W, in the first half.
    length
        (horizon, states) int64: length of the current stage.
    product
        (horizon, states, joint_actions): sum of the product policies that were used since the
        stage was last evaluated.
    waiting
        (horizon, states) int64: the states of a step that were visited since then, in any order.
    num_waiting
        (horizon,) int64: how many they are.
    waiting_place
        (horizon, states) int64: place of a state among them; -1 if it is not.
    start_sum
        (states, 2 * players): sum of the first step's table over the episodes before `start_since`.
    start_since
        (states,) int64.
    episodes
        (1,) int64.
    """

    table: np.ndarray
    visits: np.ndarray
    response: np.ndarray
    value_sum: np.ndarray
    length: np.ndarray
    product: np.ndarray
    waiting: np.ndarray
    num_waiting: np.ndarray
    waiting_place: np.ndarray
    start_sum: np.ndarray
    start_since: np.ndarray
    episodes: np.ndarray


class AuditMemory(NamedTuple):
    """What an audit keeps; changed in place.

    Attributes
    ----------
    width
        (horizon + 1, states, players): D, what upper minus lower value must be.
    width_sum
        (horizon, states, players): sum of the next step's D over the visits of the stage.
    upper_sides, lower_sides
        (horizon, players, 2): max U and upper value, lower value and W, where the second exceeds
        the first by least; 0 and inf before the first commit.
    chain_error
        (horizon, players): largest distance of D from upper minus lower value.
    commits
        (horizon,) int64: number of stages completed.
    """

    width: np.ndarray
    width_sum: np.ndarray
    upper_sides: np.ndarray
    lower_sides: np.ndarray
    chain_error: np.ndarray
    commits: np.ndarray


@inline_kernel
def _expand_weights(games, policy, episode, step, lane, weight, factor, size):
    """Set weight[a] = (pi(a) for each player, pi_{-i}(a_{-i}) for each player i)."""
    store(weight, (0,), broadcast(1.0, size))
    count = 1
    for player in range(games.num_actions.size):
        own = games.num_actions[player]
        left_out = load(games.left_out, (player,), size)
        for action in range(own):
            chance = policy[episode, step, player, action, lane]
            store(factor, (action,), left_out + (1.0 - left_out) * chance)
        for place in range(count - 1, -1, -1):  # downwards: each row is read before it is set
            before = load(weight, (place,), size)
            for action in range(own):
                store(weight, (place * own + action,), before * load(factor, (action,), size))
        count *= own


@inline_kernel
def _add_product(games, policy, episode, step, lane, product, prefix):
    """Add the product policy of a visit to `product`."""
    last = games.num_actions.size - 1
    prefix[0] = 1.0
    count = 1
    for player in range(last):
        own = games.num_actions[player]
        for place in range(count - 1, -1, -1):
            before = prefix[place]
            for action in range(own):
                chance = policy[episode, step, player, action, lane]
                prefix[place * own + action] = before * chance
        count *= own
    own = games.num_actions[last]
    for action in range(own):
        chance = policy[episode, step, last, action, lane]
        for place in range(count):
            product[place * own + action] += prefix[place] * chance


@inline_kernel
def _marginal_weights(games, product, weight):
    """Set the weights that `_expand_weights` would give, summed over several visits."""
    num_players = games.num_actions.size
    for joint in range(product.size):
        for player in range(num_players):
            weight[joint, player] = product[joint]
    after = product.size
    for player in range(num_players):
        own = games.num_actions[player]
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
def _back_up(games, table, step, state, weight, part, fresh, size):
    """Return the weighted sum of r + P (table of the next step); set `fresh` to that of U."""
    num_players = games.num_actions.size
    layer = games.layer[step]
    total = broadcast(0.0, size)
    for joint in range(weight.shape[0]):
        worth = load(games.reward, (layer, state, joint), size)
        for place in range(games.probability.shape[3]):
            following = load(table, (step + 1, games.next_state[layer, state, joint, place]), size)
            worth = worth + following * games.probability[layer, state, joint, place]
        worth = worth * load(weight, (joint,), size)
        store(part, (joint,), worth)
        total = total + worth
    for player in range(num_players):
        for action in range(games.num_actions[player]):
            fresh[player, action] = 0.0
    for joint in range(weight.shape[0]):
        for player in range(num_players):
            fresh[player, games.own_action[joint, player]] += part[joint, num_players + player]
    return total


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
def build_alpha_kernel(num_players: int) -> Callable[..., None]:
    """Return the kernel that follows a learner whose visits have the weights of a_t."""
    size = 2 * num_players

    @kernel
    def follow(games, memory, state, policy, lane):
        horizon = memory.visits.shape[0]
        max_actions = memory.response.shape[3]
        weight = np.empty((games.own_action.shape[0], size))
        part = np.empty((games.own_action.shape[0], size))
        factor = np.empty((max_actions, size))
        fresh = np.empty((num_players, max_actions))
        for episode in range(state.shape[0]):
            for step in range(horizon):
                here = state[episode, step, lane]
                memory.visits[step, here] += 1
                rate = step_size(horizon, memory.visits[step, here])
                _expand_weights(games, policy, episode, step, lane, weight, factor, size)
                total = _back_up(games, memory.table, step, here, weight, part, fresh, size)
                if step == 0:
                    _enter_start(memory, here, size)
                before = load(memory.table, (step, here), size)
                store(memory.table, (step, here), before * (1.0 - rate) + total * rate)
                response = memory.response[step, here]
                for player in range(num_players):
                    for action in range(games.num_actions[player]):
                        old = response[player, action]
                        response[player, action] = old * (1.0 - rate) + fresh[player, action] * rate
                    memory.table[step, here, num_players + player] = _largest(
                        response, player, games.num_actions[player]
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
def _evaluate_waiting(games, memory, step, here, weight, part, fresh, size):
    """Evaluate a waiting place's visits: the next step's table has been the same for all."""
    product = memory.product[step, here]
    _marginal_weights(games, product, weight)
    total = _back_up(games, memory.table, step, here, weight, part, fresh, size)
    store(memory.value_sum, (step, here), load(memory.value_sum, (step, here), size) + total)
    for player in range(games.num_actions.size):
        for action in range(games.num_actions[player]):
            memory.response[step, here, player, action] += fresh[player, action]
    product[:] = 0.0
    last = memory.num_waiting[step] - 1
    moved = memory.waiting[step, last]
    place = memory.waiting_place[step, here]
    memory.waiting[step, place] = moved
    memory.waiting_place[step, moved] = place
    memory.waiting_place[step, here] = -1
    memory.num_waiting[step] = last


@inline_kernel
def _commit(games, memory, step, here):
    """Replace W and max U by the averages over the stage, and start the next stage."""
    num_players = games.num_actions.size
    length = memory.length[step, here]
    response = memory.response[step, here]
    for player in range(num_players):
        memory.table[step, here, player] = memory.value_sum[step, here, player] / length
        largest = _largest(response, player, games.num_actions[player])
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
def build_stage_kernel(num_players: int, audits: bool) -> Callable[..., None]:
    """Return the kernel that follows a learner whose visits are averaged over stages.

    Both recursions are linear in the product policies. These are summed up for as long as the next
    step's table stays the same, that is until one of its states completes a stage.
    """
    size = 2 * num_players

    @kernel
    def follow(games, memory, audit, state, policy, upper, lower, surplus, lane):
        horizon = memory.visits.shape[0]
        joint_actions = games.own_action.shape[0]
        weight = np.empty((joint_actions, size))
        part = np.empty((joint_actions, size))
        prefix = np.empty(joint_actions)
        fresh = np.empty((num_players, memory.response.shape[3]))
        for episode in range(state.shape[0]):
            for step in range(horizon):
                here = state[episode, step, lane]
                _wait(memory, step, here)
                product = memory.product[step, here]
                _add_product(games, policy, episode, step, lane, product, prefix)
                if audits and step + 1 < horizon:
                    there = state[episode, step + 1, lane]
                    for player in range(num_players):
                        width = audit.width[step + 1, there, player]
                        audit.width_sum[step, here, player] += width
                memory.visits[step, here] += 1
                length = memory.length[step, here]
                if memory.visits[step, here] == length:
                    _evaluate_waiting(games, memory, step, here, weight, part, fresh, size)
                    if step == 0:
                        _enter_start(memory, here, size)
                    else:
                        for place in range(memory.num_waiting[step - 1] - 1, -1, -1):
                            behind = memory.waiting[step - 1, place]
                            _evaluate_waiting(
                                games, memory, step - 1, behind, weight, part, fresh, size
                            )
                    _commit(games, memory, step, here)
                    if audits:
                        _audit_commit(
                            audit, memory, step, here, length,
                            upper, lower, surplus, episode, lane,
                        )  # fmt: skip
            memory.episodes[0] += 1

    return follow
