"""An online learner: at every step and state each player runs Exp3 on its own gains.

Rewards lie in [0, 1]. `value` is what an episode is worth from a (step, state) on, for each player;
it starts high, so that what was never seen is worth a visit, and moves by V-learning's step size.
Gains are compared with it before they are divided by the probability of the action played: that
keeps the estimates small.
"""

import numpy as np


class Learner:
    averaging = "alpha"  # which certified policy is evaluated: the one with V-learning's weights

    def __init__(self, num_actions, num_states, horizon, episodes, rate=4.0):
        self.horizon, self.rate = horizon, rate
        self.visits = np.zeros((horizon, num_states), dtype=int)
        remaining = np.arange(horizon, -1.0, -1.0)[:, None, None]
        self.value = np.tile(remaining, (1, num_states, len(num_actions)))
        self.losses = [np.zeros((horizon, num_states, count)) for count in num_actions]

    def act(self, step, state):
        visit = self.visits[step, state] + 1
        self.played = []
        for losses in self.losses:
            count = losses.shape[-1]
            rate = self.rate * np.sqrt(self.horizon * np.log(count) / (count * visit))
            weights = np.exp(-rate * (losses[step, state] - losses[step, state].min()))
            self.played.append(weights / weights.sum())
        return self.played

    def update(self, step, state, actions, rewards, next_state):
        self.visits[step, state] += 1
        visit, horizon = self.visits[step, state], self.horizon
        for player, action in enumerate(actions):
            gain = rewards[player] + self.value[step + 1, next_state, player]
            change = gain - self.value[step, state, player]
            self.value[step, state, player] += (horizon + 1) / (horizon + visit) * change
            losses, count = self.losses[player][step, state], len(self.played[player])
            losses *= (visit - 1) / (horizon + visit - 1)  # older losses count less
            explore = np.sqrt(horizon * np.log(count) / (count * visit))
            losses[action] -= change / horizon / (self.played[player][action] + explore)
