"""Evaluation beside learners whose visits have the weights of a_t, compiled."""

import math
from collections.abc import Callable
from functools import cache

from ccerates.compilation import allocation_free_kernel, inline_kernel
from ccerates.evaluation.certified_blocks import back_up, copy_policy, enter_start
from ccerates.evaluation.certified_tables import row_width
from ccerates.lanes import load, store
from ccerates.online.schedule import step_size


@inline_kernel
def _average_player(counts, player, rest, rows, chosen, suffix, response, mean, width):
    """Average rows over the actions of a player, and over those of later players for each.

    `rows` depend on the actions of this player and of later ones, of which there are `rest` joint
    actions. Averages over the player go to `mean`, which may be `rows` itself; those over the
    others for each own action to `response[player, action]`.
    """
    own = counts[player]
    suffix[0] = 1.0
    count = 1
    for later in range(player + 1, len(counts)):
        for place in range(count - 1, -1, -1):
            before = suffix[place]
            for action in range(counts[later]):
                suffix[place * counts[later] + action] = before * chosen[later, action]
        count *= counts[later]
    for action in range(own):
        total = load(rows, (action * rest,), width) * suffix[0]
        for place in range(1, rest):
            total = total + load(rows, (action * rest + place,), width) * suffix[place]
        store(response, (player, action), total)
    for place in range(rest):
        total = load(rows, (place,), width) * chosen[player, 0]
        for action in range(1, own):
            total = total + load(rows, (action * rest + place,), width) * chosen[player, action]
        store(mean, (place,), total)


@inline_kernel
def _average_out(counts, rows, work, width):
    """Set mean[0] = E_{a~pi} rows(a) and response[i, a_i] = E_{a_-i~pi_-i} rows(a)."""
    rest = rows.shape[0] // counts[0]
    _average_player(
        counts, 0, rest, rows, work.chosen, work.product, work.response, work.mean, width
    )
    for player in range(1, len(counts)):
        rest //= counts[player]
        _average_player(
            counts, player, rest, work.mean, work.chosen, work.product, work.response, work.mean,
            width,
        )  # fmt: skip


@inline_kernel
def _spread(counts, row, work):
    """Set all averages to one row, which all joint actions share."""
    store(work.mean, (0,), row)
    for player in range(len(counts)):
        for action in range(counts[player]):
            store(work.response, (player, action), row)


@inline_kernel
def _worth_of(row, following, successor, player, place, num_players, distinct):
    """Return what a row of averages is worth to a player, in a place of the tables."""
    if distinct == 0:
        return row[place]
    total = row[player]
    for each in range(distinct):
        total += row[num_players + each] * following[successor[each], place]
    return total


@cache
def build_alpha_kernel(
    counts: tuple[int, ...], successors: int, distinct: int
) -> Callable[..., None]:
    """Return the kernel that follows a learner whose visits have the weights of a_t.

    Where all joint actions of a place lead to few states, rewards and probabilities are averaged
    and then multiplied by what those states are worth; otherwise what joint actions are worth is.

    Parameters
    ----------
    counts
        Number of actions of each player; constants to the compiler, which halves the time.
    successors
        Length of the game's successor lists.
    distinct
        Number of places of `GameTables.successor`.

    Returns
    -------
    callable
        ``follow(games, memory, work, state, policy, lane)``.
    """
    num_players, joint_actions = len(counts), math.prod(counts)
    size = 2 * num_players
    width = row_width(num_players, distinct)

    @allocation_free_kernel
    def follow(games, memory, work, state, policy, lane):
        horizon = memory.visits.shape[0]
        for episode in range(state.shape[0]):
            for step in range(horizon):
                here = state[episode, step, lane]
                memory.visits[step, here] += 1
                rate = step_size(horizon, memory.visits[step, here])
                layer = games.layer[step]
                matters = games.matters[layer, here]
                if matters:
                    copy_policy(counts, policy, episode, step, lane, work.chosen)
                if distinct == 0:
                    needed = joint_actions if matters else 1
                    back_up(games, memory.table, step, here, work.worth, size, needed, successors)
                    if matters:
                        _average_out(counts, work.worth, work, width)
                    else:
                        _spread(counts, load(work.worth, (0,), width), work)
                else:
                    if matters:
                        _average_out(counts, games.effect[layer, here], work, width)
                    else:
                        _spread(counts, load(games.effect, (layer, here, 0), width), work)
                if step == 0:
                    enter_start(memory, here, size)
                following, successor = memory.table[step + 1], games.successor[layer, here]
                table, response = memory.table[step, here], memory.response[step, here]
                for player in range(num_players):
                    value = _worth_of(
                        work.mean[0], following, successor, player, player, num_players, distinct
                    )
                    table[player] = table[player] * (1.0 - rate) + value * rate
                    own = num_players + player
                    largest = -math.inf
                    for action in range(counts[player]):
                        row = work.response[player, action]
                        bound = _worth_of(
                            row, following, successor, player, own, num_players, distinct
                        )
                        bound = response[player, action] * (1.0 - rate) + bound * rate
                        response[player, action] = bound
                        largest = max(largest, bound)
                    table[own] = largest
            memory.episodes[0] += 1

    return follow
