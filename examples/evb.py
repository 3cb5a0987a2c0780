"""A simulator learner: at every step and state each player runs the empirical-variance bandit.

It learns games that are tables (.npz) and games in Python files alike (see crossing.py).
"""

import numpy as np

from ccerates.bandits.evb_single import EvbOptions
from ccerates.bandits.single import Bandit


class Learner:
    def __init__(self, num_actions, num_states, horizon, rounds, constants="practical"):
        self.num_actions, self.horizon, self.rounds = num_actions, horizon, rounds
        self.options = EvbOptions(constants=constants)
        self.value = np.zeros((horizon + 1, num_states, len(num_actions)))
        self.place = None

    def act(self, step, state):
        if self.place != (step, state):  # all rounds of a place are played in a row
            self.place = step, state
            self.bandits = [
                Bandit(
                    "evb",
                    self.options,
                    num_actions=count,
                    rounds=self.rounds,
                    gain_bound=self.horizon - step,
                )
                for count in self.num_actions
            ]
        return [bandit.probabilities() for bandit in self.bandits]

    def update(self, step, state, actions, rewards, next_state):
        gains = np.add(rewards, self.value[step + 1, next_state])
        self.value[step, state] += gains / self.rounds
        for bandit, action, gain in zip(self.bandits, actions, gains, strict=True):
            bandit.update(action, min(gain, bandit.gain_bound))
