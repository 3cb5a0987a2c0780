"""Compiled rounds of EVB-sim: one step of the game, many (replicate, state) pairs in lanes."""

from collections.abc import Callable
from functools import cache

import numpy as np

from ccerates.bandits import evb
from ccerates.compilation import kernel
from ccerates.lanes import broadcast, load, store
from ccerates.simulator.products import accumulate_product
from ccerates.simulator.sampling import draw_successor, load_generators
from ccerates.xoshiro import draw_uniforms

# Columns that follow the bandit's own sums in the kernel's `sums` output.
SUM_LOWER_GAIN = evb.NUM_SUMS
SUM_LOWER_VARIANCE = evb.NUM_SUMS + 1
FINAL_RATE = evb.NUM_SUMS + 2
NUM_OUTPUTS = evb.NUM_SUMS + 3


@cache
def build_kernel(lanes: int) -> Callable[..., None]:
    """Return the kernel for a number of lanes, which changes its speed but no number."""

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
        bandit = evb.allocate(num_players, num_actions.max(), lanes)
        state = np.empty((4, lanes), np.uint64)
        uniforms = np.empty((1, lanes))
        actions = np.empty((num_players, lanes), np.int64)
        played = np.empty((1, lanes), np.int64)
        gains = np.empty((num_players, lanes))
        lower_gains = np.empty((num_players, lanes))
        lower_sums = np.empty((num_players, 2, lanes))
        policy_sum = np.empty((num_joint_actions, lanes))
        product = np.empty((num_joint_actions, lanes))
        for group in range(first_group, last_group):
            base = group * lanes
            evb.reset(bandit, num_actions, gain_bound)
            lower_sums[:] = 0.0
            policy_sum[:] = 0.0
            load_generators(generator, base, lanes, state)
            for played_rounds in range(rounds):
                joint_action = broadcast(0, lanes)
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
                    drawn = evb.draw_actions(
                        bandit, player, count, lanes, draw_uniforms(state, lanes)
                    )
                    store(actions, (player,), drawn)
                    joint_action = joint_action * count + drawn
                accumulate_product(bandit.weight, num_actions, lanes, 1.0, 1.0, product, policy_sum)
                store(played, (0,), joint_action)
                store(uniforms, (0,), draw_uniforms(state, lanes))
                for lane in range(lanes):
                    game = entry[base + lane, 0]
                    replicate = entry[base + lane, 1]
                    here = entry[base + lane, 2]
                    joint = played[0, lane]
                    there = draw_successor(
                        next_state, cumulative, game, here, joint, uniforms[0, lane]
                    )
                    for player in range(num_players):
                        now = reward[game, player, here, joint]
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
                        load(gains, (player,), lanes),
                        load(actions, (player,), lanes),
                    )
                    lower = load(lower_gains, (player,), lanes)
                    total = load(lower_sums, (player, 0), lanes)
                    centred = evb.centred_gains(total, lower, played_rounds, gain_bound)
                    variance = load(lower_sums, (player, 1), lanes) + centred * centred
                    store(lower_sums, (player, 0), total + lower)
                    store(lower_sums, (player, 1), variance)
            for lane in range(lanes):
                place = base + lane
                for joint in range(num_joint_actions):
                    policy[place, joint] = policy_sum[joint, lane] / rounds
                for player in range(num_players):
                    for item in range(evb.NUM_SUMS):
                        sums[place, player, item] = bandit.sums[player, item, lane]
                    sums[place, player, SUM_LOWER_GAIN] = lower_sums[player, 0, lane]
                    sums[place, player, SUM_LOWER_VARIANCE] = lower_sums[player, 1, lane]
                    sums[place, player, FINAL_RATE] = bandit.rate[player, lane]
                    for action in range(num_actions[player]):
                        estimates[place, player, action] = bandit.estimate[player, action, lane]

    return play_groups
