"""The recursions behind `ccerates.certification.visits`, compiled.

Both averagings are decayed sums, M <- (1-a) M + a m: with a = a_t, or with a = 1/j at visit j of a
stage, which makes plain averages. The largest weight is that of the last visit, a, in both.
"""

import math
from collections.abc import Callable
from functools import cache

from ccerates.compilation import allocation_free_kernel, inline_kernel
from ccerates.online.schedule import step_size
from ccerates.theory.constants import (
    DIRECT_DEVIATION,
    DIRECT_RANGE,
    PLAYED_DEVIATION,
    PLAYED_RANGE,
)

# Columns of `mean` (per player) and `arm` (per player and action).
UPPER_MEAN, LOWER_MEAN, LOWER_SQUARE, CENTRE = range(4)
DEVIATION, SQUARE, LARGEST = range(3)


@inline_kernel
def _iota(count, rounds, failure):
    """Return iota of `ccerates.theory.constants.bandit_constants`."""
    levels = 2.0 * math.log2(rounds / failure) + math.log2(count) + 8.0
    return math.log(count * levels * (math.log2(rounds) + 7.0) / failure)


@inline_kernel
def _add_visit(mean, arm, policy, place, counts, own, upper, lower, rate, bound):
    """Add a visit of one player; place = (episode, step, player, lane)."""
    episode, step, player, lane = place
    keep = 1.0 - rate
    first = rate == 1.0
    # Centres are known before the visit: what was averaged so far, at first half the bound.
    centre = 0.5 * bound if first else mean[UPPER_MEAN]
    lower_centre = 0.5 * bound if first else mean[LOWER_MEAN]
    deviation = rate * (lower - lower_centre)
    if first:  # sums of the stage before may be infinite, and 0 inf is no number
        mean[:] = 0.0
        arm[:] = 0.0
    mean[CENTRE] = keep * mean[CENTRE] + rate * centre
    mean[UPPER_MEAN] = keep * mean[UPPER_MEAN] + rate * upper
    mean[LOWER_MEAN] = keep * mean[LOWER_MEAN] + rate * lower
    mean[LOWER_SQUARE] = keep * keep * mean[LOWER_SQUARE] + deviation * deviation
    for action in range(counts[player]):
        scale = rate / policy[episode, step, player, action, lane]
        arm[action, LARGEST] = max(keep * arm[action, LARGEST], scale)
        arm[action, DEVIATION] *= keep
        arm[action, SQUARE] *= keep * keep
        if action == own:
            term = (upper - centre) * scale
            arm[action, DEVIATION] += term
            arm[action, SQUARE] += term * term


@inline_kernel
def _upper(mean, arm, count, rate, iota, bound):
    largest = 0.0
    for action in range(count):
        scale = max(count * rate, arm[action, LARGEST])
        value = (
            mean[CENTRE]
            + arm[action, DEVIATION]
            + PLAYED_DEVIATION * math.sqrt(iota * arm[action, SQUARE])
            + PLAYED_RANGE * iota * bound * scale
        )
        # Arms that are hardly ever played overflow: the comparison fails for inf and NaN.
        largest = max(largest, value if value < bound else bound)
    return largest


@cache
def build_kernel(counts: tuple[int, ...], stages: bool) -> Callable[..., None]:
    """Return the kernel that follows one replicate.

    Parameters
    ----------
    counts
        Number of actions of each player.
    stages
        Whether values are averages over stages.

    Returns
    -------
    callable
        ``follow(memory, share, state, policy, joint_action, reward, lane)``; `share` is
        delta / (m H S).
    """
    num_players = len(counts)

    @allocation_free_kernel
    def follow(memory, share, state, policy, joint_action, reward, lane):
        horizon = state.shape[1]
        for episode in range(state.shape[0]):
            now = memory.episodes[0]
            for step in range(horizon):
                here = state[episode, step, lane]
                memory.visits[step, here] += 1
                visit = memory.visits[step, here]
                rounds = memory.length[step, here] if stages else visit
                rate = 1.0 / visit if stages else step_size(horizon, visit)
                commits = visit == rounds
                number = memory.stage[step, here] if stages else visit
                failure = share / (float(number) * (number + 1.0))
                bound = float(horizon - step)
                if step == 0 and commits:
                    unchanged = now + 1 - memory.start_since[here]
                    for player in range(num_players):
                        width = memory.upper[0, here, player] - memory.lower[0, here, player]
                        memory.start_sum[here, player] += width * unchanged
                    memory.start_since[here] = now + 1
                rest = joint_action[episode, step, lane]
                for player in range(num_players - 1, -1, -1):
                    own = rest % counts[player]
                    rest //= counts[player]
                    upper = reward[episode, step, player, lane]
                    lower = upper
                    if step + 1 < horizon:  # as they stood before this episode's next step
                        there = state[episode, step + 1, lane]
                        upper += memory.upper[step + 1, there, player]
                        lower += memory.lower[step + 1, there, player]
                    mean = memory.mean[step, here, player]
                    arm = memory.arm[step, here, player]
                    place = (episode, step, player, lane)
                    _add_visit(mean, arm, policy, place, counts, own, upper, lower, rate, bound)
                    if commits:
                        iota = _iota(counts[player], float(rounds), failure)
                        memory.upper[step, here, player] = _upper(
                            mean, arm, counts[player], rate, iota, bound
                        )
                        margin = DIRECT_DEVIATION * math.sqrt(iota * mean[LOWER_SQUARE])
                        margin += DIRECT_RANGE * bound * iota * rate
                        memory.lower[step, here, player] = max(0.0, mean[LOWER_MEAN] - margin)
                if stages and commits:
                    memory.visits[step, here] = 0
                    memory.stage[step, here] += 1
                    memory.length[step, here] = rounds + rounds // horizon
            memory.episodes[0] = now + 1

    return follow
