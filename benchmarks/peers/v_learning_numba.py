"""V-learning as plain scalar loops, compiled by Numba."""

from collections.abc import Callable

import numpy as np
from numba import njit

from benchmarks.peers.v_learning_rates import Learnt, choose_rates, steps_left
from ccerates.games.model import MarkovGame


@njit(error_model="numpy")
def draw_place(cumulative, uniform):
    """Return the place whose interval holds a uniform number; the last takes what is left."""
    place = 0
    while place < cumulative.size - 1 and uniform >= cumulative[place]:
        place += 1
    return place


@njit(error_model="numpy")
def play(uniforms, num_actions, layer, first, reward, next_state, cumulative, rates, upper):
    """Play all episodes; return the visits. `upper` is changed in place."""
    horizon, states, players = layer.size, reward.shape[2], num_actions.size
    losses = np.zeros((horizon, states, players, num_actions.max()))
    policy = np.empty((players, num_actions.max()))
    running = np.empty(num_actions.max())
    average, visits = upper[:-1].copy(), np.zeros((horizon, states), np.int64)
    actions = np.empty(players, np.int64)
    for episode in range(len(uniforms)):
        state = draw_place(first, uniforms[episode, 0])
        for step in range(horizon):
            at, base = layer[step], 1 + step * (players + 1)
            earlier, joint = visits[step, state], 0
            for player in range(players):
                count, loss = num_actions[player], losses[step, state, player]
                rate = rates.learning[player] / np.sqrt(max(earlier, 1))
                least = loss[0]
                for action in range(1, count):
                    least = min(least, loss[action])
                total = 0.0
                for action in range(count):
                    policy[player, action] = np.exp(-rate * (loss[action] - least))
                    total += policy[player, action]
                below = 0.0
                for action in range(count):
                    policy[player, action] /= total
                    below += policy[player, action]
                    running[action] = below
                actions[player] = draw_place(running[:count], uniforms[episode, base + player])
                joint = joint * count + actions[player]
            place = draw_place(cumulative[at, state, joint], uniforms[episode, base + players])
            there = next_state[at, state, joint, place]
            visit = earlier + 1
            visits[step, state] = visit
            shrink, keep = 1 / np.sqrt(visit), earlier / (horizon + earlier)
            for player in range(players):
                action, loss = actions[player], losses[step, state, player]
                gain = reward[at, player, state, joint] + upper[step + 1, there, player]
                chance = policy[player, action] + rates.exploration[player] * shrink
                for other in range(num_actions[player]):
                    loss[other] *= keep
                loss[action] += (horizon - gain) / horizon / chance
                target = gain + rates.bonus[player] * shrink
                before = average[step, state, player]
                after = before + (horizon + 1) / (horizon + visit) * (target - before)
                average[step, state, player] = after
                upper[step, state, player] = min(after, horizon - step)
            state = there
    return visits


def learn(game: MarkovGame, episodes: int, draw: Callable[[], np.ndarray]) -> Learnt:
    """Run V-learning once; see `v_learning_loop.learn`."""
    upper = steps_left(game)
    visits = play(
        draw(),
        np.array(game.num_actions),
        game.layer,
        np.cumsum(game.start),
        game.reward,
        game.next_state,
        np.cumsum(game.probability, axis=-1),
        choose_rates(game, episodes),
        upper,
    )
    return Learnt(upper[:-1], visits)
