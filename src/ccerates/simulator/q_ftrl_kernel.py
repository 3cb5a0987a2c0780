"""Compiled rounds of Q-FTRL: one step of the game, many (replicate, state) pairs in lanes."""

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from ccerates.bandits.evb import centred_gains
from ccerates.compilation import inline_kernel, kernel
from ccerates.lanes import broadcast, load, select, store, to_integer
from ccerates.sampling import draw_successor, load_generators
from ccerates.simulator.products import accumulate_product
from ccerates.xoshiro import draw_uniforms

# What `next_value` holds for each (replicate, state, player).
VALUE = 0
UPPER = 1
LOWER = 2
NUM_VALUES = 3

# Columns of the `arms` output, for each player and action: weighted sums over the rounds.
ARM_ESTIMATE = 0  # sum alpha q, the paper's Q
ARM_UPPER = 1  # sum alpha u
ARM_UPPER_SQUARE = 2  # sum alpha^2 (u - c)^2
_ARM_TOTAL = 3  # plain sum of u, for the centre c
NUM_ARM_SUMS = 4

# Columns of the `sums` output, for each player.
SUM_GAIN = 0  # sum alpha <pi, q>
SUM_VARIANCE = 1  # sum alpha Var_pi(q)
SUM_LOWER = 2  # sum alpha <pi, l>
SUM_LOWER_SQUARE = 3  # sum alpha^2 (<pi, l> - m)^2
_SUM_LOWER_TOTAL = 4  # plain sum of <pi, l>, for the centre m
NUM_SUMS = 5

# Actions less likely than the likeliest by this factor, 2**-60, get probability zero: uniforms
# are multiples of 2**-53 and could not draw them. Products of players stay normal numbers.
_LOWEST_EXPONENT = -60.0 * math.log(2.0)


@inline_kernel
def _set_policy(arms, player, num_actions, lanes, rate, policy, cumulative):
    """Set one player's policy, proportional to exp(rate Q), and its cumulative sums."""
    largest = load(arms, (player, 0, ARM_ESTIMATE), lanes)
    for action in range(1, num_actions):
        estimate = load(arms, (player, action, ARM_ESTIMATE), lanes)
        largest = select(estimate > largest, estimate, largest)
    total = broadcast(0.0, lanes)
    for action in range(num_actions):
        exponent = rate * (load(arms, (player, action, ARM_ESTIMATE), lanes) - largest)
        kept = exponent > _LOWEST_EXPONENT
        weight = select(kept, math.exp(select(kept, exponent, 0.0)), 0.0)
        store(policy, (player, action), weight)
        total = total + weight
    scale = 1.0 / total
    running = broadcast(0.0, lanes)
    for action in range(num_actions):
        weight = load(policy, (player, action), lanes) * scale
        running = running + weight
        store(policy, (player, action), weight)
        store(cumulative, (player, action), running)


@inline_kernel
def _average(place, array, lanes, keep, weight, vector):
    """Set the row ``array[place]`` to keep times itself plus weight times `vector`."""
    store(array, place, keep * load(array, place, lanes) + weight * vector)


@inline_kernel
def _draw_joint(cumulative, player, own_action, num_actions, lanes, state):
    """Return joint actions: `own_action` of `player`, the others drawn from their policies."""
    joint = broadcast(0, lanes)
    for other in range(num_actions.size):
        count = num_actions[other]
        joint = joint * count
        if other == player:
            joint = joint + own_action
        else:
            uniforms = draw_uniforms(state, lanes)
            # The last action takes what rounding leaves.
            for action in range(count - 1):
                joint = joint + to_integer(uniforms >= load(cumulative, (other, action), lanes))
    return joint


@inline_kernel
def _take_in(gains, player, num_actions, lanes, played_rounds, bound, weight, policy, arms, sums):
    """Take in one round's gains of all actions of one player."""
    keep = 1.0 - weight
    mean = broadcast(0.0, lanes)
    lower = broadcast(0.0, lanes)
    for action in range(num_actions):
        probability = load(policy, (player, action), lanes)
        gain = load(gains, (action, VALUE), lanes)
        mean = mean + probability * gain
        lower = lower + probability * load(gains, (action, LOWER), lanes)
        _average((player, action, ARM_ESTIMATE), arms, lanes, keep, weight, gain)
        upper = load(gains, (action, UPPER), lanes)
        _average((player, action, ARM_UPPER), arms, lanes, keep, weight, upper)
        total = load(arms, (player, action, _ARM_TOTAL), lanes)
        centred = weight * centred_gains(total, upper, played_rounds, bound)
        place = (player, action, ARM_UPPER_SQUARE)
        _average(place, arms, lanes, keep * keep, 1.0, centred * centred)
        store(arms, (player, action, _ARM_TOTAL), total + upper)
    variance = broadcast(0.0, lanes)
    for action in range(num_actions):
        deviation = load(gains, (action, VALUE), lanes) - mean
        variance = variance + load(policy, (player, action), lanes) * deviation * deviation
    _average((player, SUM_GAIN), sums, lanes, keep, weight, mean)
    _average((player, SUM_VARIANCE), sums, lanes, keep, weight, variance)
    _average((player, SUM_LOWER), sums, lanes, keep, weight, lower)
    total = load(sums, (player, _SUM_LOWER_TOTAL), lanes)
    centred = weight * centred_gains(total, lower, played_rounds, bound)
    _average((player, SUM_LOWER_SQUARE), sums, lanes, keep * keep, 1.0, centred * centred)
    store(sums, (player, _SUM_LOWER_TOTAL), total + lower)


@cache
def build_kernel(lanes: int) -> Callable[..., None]:
    """Return the kernel for a number of lanes, which changes its speed but no number.

    In each round every player in turn asks for one sample of each of its actions. Uniforms are
    used in this order: one for each other player's action, one for the next state.
    """

    @kernel
    def play_groups(
        first_group,
        last_group,
        rounds,
        num_actions,
        gain_bound,
        step_size_constant,
        rate_constant,
        entry,
        generator,
        reward,
        next_state,
        cumulative,
        next_value,
        joint_policy,
        arms_output,
        sums_output,
    ):
        num_players = num_actions.size
        num_joint_actions = joint_policy.shape[1]
        max_actions = num_actions.max()
        state = np.empty((4, lanes), np.uint64)
        policy = np.empty((num_players, max_actions, lanes))
        running = np.empty((num_players, max_actions, lanes))
        arms = np.empty((num_players, max_actions, NUM_ARM_SUMS, lanes))
        sums = np.empty((num_players, NUM_SUMS, lanes))
        joint = np.empty((max_actions, lanes), np.int64)
        uniforms = np.empty((max_actions, lanes))
        gains = np.empty((max_actions, NUM_VALUES, lanes))
        average = np.empty((num_joint_actions, lanes))
        product = np.empty((num_joint_actions, lanes))
        for group in range(first_group, last_group):
            base = group * lanes
            arms[:] = 0.0
            sums[:] = 0.0
            average[:] = 0.0
            load_generators(generator, base, lanes, state)
            rate = 0.0
            for played_rounds in range(rounds):
                weight = step_size_constant / (played_rounds + step_size_constant)
                for player in range(num_players):
                    count = num_actions[player]
                    _set_policy(arms, player, count, lanes, rate, policy, running)
                accumulate_product(
                    policy, num_actions, lanes, 1.0 - weight, weight, product, average
                )
                for player in range(num_players):
                    count = num_actions[player]
                    for action in range(count):
                        drawn = _draw_joint(running, player, action, num_actions, lanes, state)
                        store(joint, (action,), drawn)
                        store(uniforms, (action,), draw_uniforms(state, lanes))
                    for action in range(count):
                        for lane in range(lanes):
                            game = entry[base + lane, 0]
                            replicate = entry[base + lane, 1]
                            here = entry[base + lane, 2]
                            played = joint[action, lane]
                            there = draw_successor(
                                next_state, cumulative, game, here, played, uniforms[action, lane]
                            )
                            now = reward[game, player, here, played]
                            for which in range(NUM_VALUES):
                                later = next_value[replicate, there, player, which]
                                gains[action, which, lane] = now + later
                    _take_in(
                        gains,
                        player,
                        count,
                        lanes,
                        played_rounds,
                        gain_bound,
                        weight,
                        policy,
                        arms,
                        sums,
                    )
                rate = rate_constant / math.sqrt(weight)
            for lane in range(lanes):
                for action in range(num_joint_actions):
                    joint_policy[base + lane, action] = average[action, lane]
                for player in range(num_players):
                    for item in range(NUM_SUMS):
                        sums_output[base + lane, player, item] = sums[player, item, lane]
                    for action in range(max_actions):
                        for item in range(NUM_ARM_SUMS):
                            total = arms[player, action, item, lane]
                            arms_output[base + lane, player, action, item] = total

    return play_groups
