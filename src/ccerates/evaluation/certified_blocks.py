"""What the kernels of `ccerates.evaluation.certified` share.

Vectors hold 2m numbers: for each player the value W of the certified policy, then for each player
the largest of the bounds U on what an action is worth to a deviator. One visit adds to both the
same sum over joint actions, with other weights: pi(a) for W, pi_{-i}(a_{-i}) for player i's U.
"""

from ccerates.compilation import inline_kernel
from ccerates.lanes import load, store


@inline_kernel
def copy_policy(counts, policy, episode, step, lane, chosen):
    """Set chosen[player, action] to the policy of a visit; one lane's numbers lie far apart."""
    for player in range(len(counts)):
        for action in range(counts[player]):
            chosen[player, action] = policy[episode, step, player, action, lane]


@inline_kernel
def back_up(games, table, step, state, worth, size, joint_actions, successors):
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
def enter_start(memory, state, size):
    """Add the first step's table of a state to its sum, before it changes in this episode."""
    now = memory.episodes[0] + 1
    unchanged = float(now - memory.start_since[state])
    table = load(memory.table, (0, state), size)
    store(memory.start_sum, (state,), load(memory.start_sum, (state,), size) + table * unchanged)
    memory.start_since[state] = now
