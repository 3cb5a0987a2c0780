"""A game as a simulator: two drivers meet at a crossing, three times.

State 0 is a quiet road, 1 a busy one, 2 a jam. Each driver goes (action 0) or waits (action 1). Who
goes alone gets through; if both go, nobody does, and a jam follows. Only samples of this game can
be drawn: no table of it exists.
"""


class Simulator:
    num_actions = (2, 2)  # of each driver
    num_states = 3
    horizon = 3
    start = 0  # a state, or a probability for each

    def sample(self, step, state, actions, generator):
        """Return rewards in [0, 1], one for each driver, and the next state."""
        going = actions.count(0)
        worth = (1.0, 0.9, 0.4)[state]
        if going == 2:
            return (0.0, 0.0), 2
        busy = int(generator.random() < 0.5)
        if going == 0:
            return (0.2 * worth, 0.2 * worth), busy
        patience = generator.uniform(0.2, 0.4)  # waiting is not for nothing: the next turn is near
        rewards = [worth if action == 0 else patience * worth for action in actions]
        return rewards, 2 if state == 2 and busy else busy
