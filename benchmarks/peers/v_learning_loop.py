"""V-learning as a loop over steps of episodes, with NumPy on the actions of a player."""

from collections.abc import Callable

import numpy as np

from benchmarks.peers.v_learning_rates import Learnt, choose_rates, steps_left
from ccerates.games.model import MarkovGame


def learn(game: MarkovGame, episodes: int, draw: Callable[[], np.ndarray]) -> Learnt:
    """Run V-learning once.

    Parameters
    ----------
    game
        What to learn.
    episodes
        K.
    draw
        (episodes, 1 + horizon * (players + 1)) uniform numbers.
    """
    horizon, states, players = game.horizon, game.num_states, game.num_players
    rates = choose_rates(game, episodes)
    losses = [np.zeros((horizon, states, count)) for count in game.num_actions]
    upper = steps_left(game)
    average = upper[:-1].copy()
    visits = np.zeros((horizon, states), dtype=int)
    first, cumulative = np.cumsum(game.start), np.cumsum(game.probability, axis=-1)
    for numbers in draw():
        state = first[:-1].searchsorted(numbers[0], side="right")
        for step, uniforms in enumerate(numbers[1:].reshape(horizon, players + 1)):
            layer, earlier = game.layer[step], visits[step, state]
            policies, actions = [], []
            for player in range(players):
                rate = rates.learning[player] / np.sqrt(max(earlier, 1))
                score = -rate * losses[player][step, state]
                power = np.exp(score - score.max())
                policies.append(power / power.sum())
                below = np.cumsum(policies[player][:-1])
                actions.append(below.searchsorted(uniforms[player], side="right"))
            joint = np.ravel_multi_index(actions, game.num_actions)
            places = cumulative[layer, state, joint, :-1]
            place = places.searchsorted(uniforms[-1], side="right")
            there = game.next_state[layer, state, joint, place]
            visit = visits[step, state] = earlier + 1
            for player, action in enumerate(actions):
                gain = game.reward[layer, player, state, joint] + upper[step + 1, there, player]
                chance = policies[player][action] + rates.exploration[player] / np.sqrt(visit)
                loss = losses[player][step, state]
                loss *= earlier / (horizon + earlier)
                loss[action] += (horizon - gain) / horizon / chance
                target = gain + rates.bonus[player] / np.sqrt(visit)
                before = average[step, state, player]
                after = before + (horizon + 1) / (horizon + visit) * (target - before)
                average[step, state, player] = after
                upper[step, state, player] = min(after, horizon - step)
            state = there
    return Learnt(upper[:-1], visits)
