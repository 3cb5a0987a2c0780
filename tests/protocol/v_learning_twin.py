"""V-learning as published (arXiv 2110.14555), in the protocol; shares no code with the package.

Keeps every visit and recomputes all from them, with the weights w_t = a_t / prod (1 - a_i) of the
textbook, which overflow in long runs.
"""

import math


class Learner:
    averaging = "alpha"

    def __init__(self, num_actions, num_states, horizon, episodes, constant, share, failure=0.05):
        self.num_actions, self.horizon = num_actions, horizon
        self.constant, self.share = constant, share  # of the bonus; of the exploration
        largest = max(num_actions)
        places = len(num_actions) * horizon * num_states * largest
        self.iota = math.log(places * episodes / failure)
        self.history = {}  # (step, state): the visits' losses and actions, and the policies used
        self.values = {}  # (step, state): untruncated values of all players

    def step_size(self, visit):
        return (self.horizon + 1) / (self.horizon + visit)

    def weight(self, visit):
        return self.step_size(visit) / math.prod(
            1 - self.step_size(each) for each in range(2, visit + 1)
        )

    def rate(self, visit, count):
        return math.sqrt(self.horizon * math.log(count) / (count * visit))

    def act(self, step, state):
        visits = self.history.setdefault((step, state), [])
        policies = []
        for player, count in enumerate(self.num_actions):
            totals = [0.0] * count
            for visit, (losses, actions, used) in enumerate(visits, 1):
                action = actions[player]
                exploration = self.share * self.rate(visit, count)
                estimate = losses[player] / (used[player][action] + exploration)
                totals[action] += self.weight(visit) * estimate
            number = len(visits)
            factor = self.rate(number, count) / self.weight(number) if number else 0.0
            scores = [math.exp(-factor * total) for total in totals]
            policies.append([score / sum(scores) for score in scores])
        self.used = policies
        return policies

    def value(self, step, state, player):
        if step == self.horizon:
            return 0.0
        bound = self.horizon - step
        return min(self.values.get((step, state), [bound] * len(self.num_actions))[player], bound)

    def update(self, step, state, actions, rewards, next_state):
        visits = self.history[step, state]
        visit, rate = len(visits) + 1, self.step_size(len(visits) + 1)
        before = self.values.get((step, state), [0.0] * len(self.num_actions))  # a_1 = 1
        losses, values = [], []
        for player, count in enumerate(self.num_actions):
            gain = rewards[player] + self.value(step + 1, next_state, player)
            losses.append((self.horizon - gain) / self.horizon)
            bonus = self.constant * math.sqrt(self.horizon**3 * count * self.iota / visit)
            values.append((1 - rate) * before[player] + rate * (gain + bonus))
        visits.append((losses, actions, self.used))
        self.values[step, state] = values
