"""Compiled rounds of EVB-sim: one step of the game, many (replicate, state) pairs in lanes."""

from collections.abc import Callable
from functools import cache

import numpy as np

from ccerates.bandits import evb
from ccerates.compilation import inline_kernel, kernel
from ccerates.lanes import broadcast, load, store
from ccerates.sampling import draw_successor, load_generators
from ccerates.simulator.products import accumulate_product
from ccerates.xoshiro import draw_uniforms

# Columns of the kernel's `sums` output: the bandit's own sums, then these. A spread is a sum of
# squared differences from the mean of all rounds.
GAIN_SPREAD = evb.NUM_SUMS
SUM_LOWER_GAIN = evb.NUM_SUMS + 1
SUM_LOWER_VARIANCE = evb.NUM_SUMS + 2
LOWER_SPREAD = evb.NUM_SUMS + 3
FINAL_RATE = evb.NUM_SUMS + 4
NUM_OUTPUTS = evb.NUM_SUMS + 5

# Columns of its `arms` output.
ARM_ESTIMATE = 0
ARM_SQUARE = 1
ARM_RANGE = 2
NUM_ARM_OUTPUTS = 3

# Rows of the sums that it keeps beside the bandit.
_GAIN_SPREAD = 0
_LOWER_GAIN = 1
_LOWER_VARIANCE = 2
_LOWER_SPREAD = 3
_NUM_KEPT = 4


@inline_kernel
def _add_gains(kept, bandit, player, lanes, played_rounds, gain_bound, gains, lower_gains):
    """Bring the sums beside the bandit up to date; to be called before the bandit's update.

    With the mean m of the k - 1 earlier gains, the k-th adds (x - m)^2 (k - 1) / k to the spread
    (Welford): nothing cancels.
    """
    share = played_rounds / (played_rounds + 1.0)
    total = load(bandit.sums, (player, evb.SUM_GAIN), lanes)
    centred = evb.centred_gains(total, gains, played_rounds, gain_bound)
    spread = load(kept, (player, _GAIN_SPREAD), lanes)
    store(kept, (player, _GAIN_SPREAD), spread + centred * centred * share)
    total = load(kept, (player, _LOWER_GAIN), lanes)
    centred = evb.centred_gains(total, lower_gains, played_rounds, gain_bound)
    square = centred * centred
    variance = load(kept, (player, _LOWER_VARIANCE), lanes)
    spread = load(kept, (player, _LOWER_SPREAD), lanes)
    store(kept, (player, _LOWER_GAIN), total + lower_gains)
    store(kept, (player, _LOWER_VARIANCE), variance + square)
    store(kept, (player, _LOWER_SPREAD), spread + square * share)


@cache
def build_kernel(lanes: int) -> Callable[..., None]:
    """Return the kernel for a number of lanes, which changes its speed but no number.

    Its output `transitions`, (entries, states), counts the next states; without a second axis they
    are not counted.
    """

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
        centre,
        entry,
        generator,
        reward,
        next_state,
        cumulative,
        upper_next,
        lower_next,
        policy,
        sums,
        arms,
        transitions,
    ):
        num_players = num_actions.size
        num_joint_actions = policy.shape[1]
        counts_transitions = transitions.shape[1] > 0
        bandit = evb.allocate(num_players, num_actions.max(), lanes)
        state = np.empty((4, lanes), np.uint64)
        uniforms = np.empty((1, lanes))
        actions = np.empty((num_players, lanes), np.int64)
        played = np.empty((1, lanes), np.int64)
        gains = np.empty((num_players, lanes))
        lower_gains = np.empty((num_players, lanes))
        kept = np.empty((num_players, _NUM_KEPT, lanes))
        policy_sum = np.empty((num_joint_actions, lanes))
        product = np.empty((num_joint_actions, lanes))
        for group in range(first_group, last_group):
            base = group * lanes
            evb.reset(bandit, num_actions, gain_bound)
            kept[:] = 0.0
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
                    if counts_transitions:
                        transitions[base + lane, there] += 1
                    for player in range(num_players):
                        now = reward[game, player, here, joint]
                        gains[player, lane] = now + upper_next[replicate, there, player]
                        lower_gains[player, lane] = now + lower_next[replicate, there, player]
                for player in range(num_players):
                    gain = load(gains, (player,), lanes)
                    lower = load(lower_gains, (player,), lanes)
                    _add_gains(kept, bandit, player, lanes, played_rounds, gain_bound, gain, lower)
                    total = load(bandit.sums, (player, evb.SUM_GAIN), lanes)
                    evb.update(
                        bandit,
                        player,
                        num_actions[player],
                        lanes,
                        gain_bound,
                        bias_deviation[player],
                        broadcast(bias_range[player], lanes),
                        gain,
                        evb.centred_gains(total, gain, played_rounds, gain_bound, centre),
                        load(actions, (player,), lanes),
                    )
            for lane in range(lanes):
                place = base + lane
                for joint in range(num_joint_actions):
                    policy[place, joint] = policy_sum[joint, lane] / rounds
                for player in range(num_players):
                    for item in range(evb.NUM_SUMS):
                        sums[place, player, item] = bandit.sums[player, item, lane]
                    sums[place, player, GAIN_SPREAD] = kept[player, _GAIN_SPREAD, lane]
                    sums[place, player, SUM_LOWER_GAIN] = kept[player, _LOWER_GAIN, lane]
                    sums[place, player, SUM_LOWER_VARIANCE] = kept[player, _LOWER_VARIANCE, lane]
                    sums[place, player, LOWER_SPREAD] = kept[player, _LOWER_SPREAD, lane]
                    sums[place, player, FINAL_RATE] = bandit.rate[player, lane]
                    count = num_actions[player]
                    for action in range(count):
                        inverse = 1.0 / bandit.smallest[player, action, lane]
                        arm = arms[place, player, action]
                        arm[ARM_ESTIMATE] = bandit.estimate[player, action, lane]
                        arm[ARM_SQUARE] = bandit.square[player, action, lane]
                        arm[ARM_RANGE] = max(inverse, float(count))

    return play_groups
