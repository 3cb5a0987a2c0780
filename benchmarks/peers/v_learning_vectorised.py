"""V-learning as a loop over steps of episodes, with NumPy on all replicates at once."""

from collections.abc import Callable

import numpy as np

from benchmarks.peers.v_learning_rates import Learnt, choose_rates, steps_left
from ccerates.games.model import MarkovGame


def learn(
    game: MarkovGame, episodes: int, replicates: int, draw: Callable[[], np.ndarray]
) -> Learnt:
    """Run V-learning in several replicates.

    Parameters
    ----------
    game
        What to learn.
    episodes
        K.
    replicates
        Number of runs, the first axis of what is returned.
    draw
        (episodes, 1 + horizon * (players + 1), replicates) uniform numbers.
    """
    horizon, states, players = game.horizon, game.num_states, game.num_players
    rates, lanes = choose_rates(game, episodes), np.arange(replicates)
    losses = [np.zeros((horizon, states, replicates, count)) for count in game.num_actions]
    upper = np.repeat(steps_left(game)[:, :, None], replicates, axis=2)
    average = upper[:-1].copy()
    visits = np.zeros((horizon, states, replicates), dtype=int)
    first = np.cumsum(game.start)[:-1]
    cumulative = np.cumsum(game.probability, axis=-1)[..., :-1]
    for numbers in draw():
        state = np.count_nonzero(numbers[0][:, None] >= first, axis=1)
        for step, uniforms in enumerate(numbers[1:].reshape(horizon, players + 1, replicates)):
            layer, here = game.layer[step], (step, state, lanes)
            earlier = visits[here]
            policies, actions = [], []
            for player in range(players):
                rate = rates.learning[player] / np.sqrt(np.maximum(earlier, 1))
                score = -rate[:, None] * losses[player][here]
                power = np.exp(score - score.max(axis=1, keepdims=True))
                policy = power / power.sum(axis=1, keepdims=True)
                below = uniforms[player][:, None] >= np.cumsum(policy[:, :-1], axis=1)
                policies.append(policy)
                actions.append(np.count_nonzero(below, axis=1))
            joint = np.ravel_multi_index(actions, game.num_actions)
            below = uniforms[-1][:, None] >= cumulative[layer, state, joint]
            there = game.next_state[layer, state, joint, np.count_nonzero(below, axis=1)]
            visit = earlier + 1
            visits[here] = visit
            shrink = 1 / np.sqrt(visit)
            for player, action in enumerate(actions):
                gain = game.reward[layer, player, state, joint]
                gain = gain + upper[step + 1, there, lanes, player]
                chance = policies[player][lanes, action] + rates.exploration[player] * shrink
                loss = losses[player][here] * (earlier / (horizon + earlier))[:, None]
                loss[lanes, action] += (horizon - gain) / horizon / chance
                losses[player][here] = loss
                target = gain + rates.bonus[player] * shrink
                before = average[(*here, player)]
                after = before + (horizon + 1) / (horizon + visit) * (target - before)
                average[(*here, player)] = after
                upper[(*here, player)] = np.minimum(after, horizon - step)
            state = there
    return Learnt(np.moveaxis(upper[:-1], 2, 0), np.moveaxis(visits, 2, 0))
