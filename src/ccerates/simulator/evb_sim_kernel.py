"""Compiled rounds of EVB-sim: one step of the game, many (replicate, state) pairs in lanes."""

from collections.abc import Callable
from functools import cache

import numpy as np

from ccerates.bandits import evb
from ccerates.compilation import inline_kernel, kernel
from ccerates.xoshiro import fill_uniforms

# Columns that follow the bandit's own sums in the kernel's `sums` output.
SUM_LOWER_GAIN = evb.NUM_SUMS
SUM_LOWER_VARIANCE = evb.NUM_SUMS + 1
FINAL_RATE = evb.NUM_SUMS + 2
NUM_OUTPUTS = evb.NUM_SUMS + 3


@inline_kernel
def _add_product(weight, num_actions, lanes, product, policy_sum):
    """Add the product of all players' weights to the sum over rounds of joint policies."""
    size = num_actions[0]
    for action in range(size):
        for lane in range(lanes):
            product[action, lane] = weight[0, action, lane]
    for player in range(1, num_actions.size):
        count = num_actions[player]
        # From the end backwards, so that the product can grow in place.
        for index in range(size - 1, -1, -1):
            for action in range(count - 1, -1, -1):
                for lane in range(lanes):
                    product[index * count + action, lane] = (
                        product[index, lane] * weight[player, action, lane]
                    )
        size *= count
    for joint_action in range(size):
        for lane in range(lanes):
            policy_sum[joint_action, lane] += product[joint_action, lane]


@inline_kernel
def _add_lower(lower_sums, lower_gains, player, lanes, played_rounds, gain_bound):
    """Take in one round's gains on the lower values: their sum and their played variance."""
    per_round = 1.0 / played_rounds if played_rounds > 0 else 0.0
    first_centre = 0.5 * gain_bound if played_rounds == 0 else 0.0
    for lane in range(lanes):
        gain = lower_gains[player, lane]
        centred = gain - (lower_sums[player, 0, lane] * per_round + first_centre)
        lower_sums[player, 0, lane] += gain
        lower_sums[player, 1, lane] += centred * centred


@cache
def build_kernel(lanes: int) -> Callable[..., None]:
    """Return the kernel with a fixed number of lanes, which changes speed but no number."""

    @kernel
    def play_groups(
        first_group,
        last_group,
        rounds,
        num_actions,
        gain_bound,
        rate_numerator,
        maximal_rate,
        bias_deviation,
        bias_range,
        entry,
        generator,
        reward,
        next_state,
        cumulative,
        upper_next,
        lower_next,
        policy,
        sums,
        estimates,
    ):
        num_players = num_actions.size
        num_joint_actions = policy.shape[1]
        num_successors = next_state.shape[3]
        bandit = evb.allocate(num_players, num_actions.max(), lanes)
        state = np.empty((4, lanes), np.uint64)
        uniforms = np.empty(lanes)
        actions = np.empty((num_players, lanes), np.int64)
        gains = np.empty((num_players, lanes))
        lower_gains = np.empty((num_players, lanes))
        lower_sums = np.empty((num_players, 2, lanes))
        joint = np.empty(lanes, np.int64)
        policy_sum = np.empty((num_joint_actions, lanes))
        product = np.empty((num_joint_actions, lanes))
        for group in range(first_group, last_group):
            base = group * lanes
            evb.reset(bandit, num_actions, gain_bound)
            lower_sums[:] = 0.0
            policy_sum[:] = 0.0
            for lane in range(lanes):
                for word in range(4):
                    state[word, lane] = generator[base + lane, word]
            for played_rounds in range(rounds):
                for lane in range(lanes):
                    joint[lane] = 0
                for player in range(num_players):
                    count = num_actions[player]
                    evb.compute_weights(
                        bandit,
                        player,
                        count,
                        lanes,
                        maximal_rate[player],
                        rate_numerator[player],
                        gain_bound * gain_bound,
                    )
                    fill_uniforms(state, lanes, uniforms)
                    evb.draw_actions(bandit, player, count, lanes, uniforms, actions)
                    for lane in range(lanes):
                        joint[lane] = joint[lane] * count + actions[player, lane]
                _add_product(bandit.weight, num_actions, lanes, product, policy_sum)
                fill_uniforms(state, lanes, uniforms)
                for lane in range(lanes):
                    game = entry[base + lane, 0]
                    replicate = entry[base + lane, 1]
                    here = entry[base + lane, 2]
                    place = 0
                    for successor in range(num_successors - 1):
                        place += uniforms[lane] >= cumulative[game, here, joint[lane], successor]
                    there = next_state[game, here, joint[lane], place]
                    for player in range(num_players):
                        now = reward[game, player, here, joint[lane]]
                        gains[player, lane] = now + upper_next[replicate, there, player]
                        lower_gains[player, lane] = now + lower_next[replicate, there, player]
                for player in range(num_players):
                    evb.update(
                        bandit,
                        player,
                        num_actions[player],
                        lanes,
                        played_rounds,
                        gain_bound,
                        bias_deviation[player],
                        bias_range[player],
                        gains,
                        actions,
                    )
                    _add_lower(lower_sums, lower_gains, player, lanes, played_rounds, gain_bound)
            for lane in range(lanes):
                for joint_action in range(num_joint_actions):
                    policy[base + lane, joint_action] = policy_sum[joint_action, lane] / rounds
                for player in range(num_players):
                    for item in range(evb.NUM_SUMS):
                        sums[base + lane, player, item] = bandit.sums[player, item, lane]
                    sums[base + lane, player, SUM_LOWER_GAIN] = lower_sums[player, 0, lane]
                    sums[base + lane, player, SUM_LOWER_VARIANCE] = lower_sums[player, 1, lane]
                    sums[base + lane, player, FINAL_RATE] = bandit.rate[player, lane]
                    for action in range(num_actions[player]):
                        estimates[base + lane, player, action] = bandit.estimate[
                            player, action, lane
                        ]

    return play_groups
