"""Plain-Python twins of the evaluation of certified policies, and made-up visits to feed it.

Nothing here uses the package's kernels, schedules or dynamic programming.
"""

import itertools
from collections import defaultdict

import numpy as np

from ccerates.online.visits import VisitChunk


class Visits:
    """Episodes of a learner that plays random product policies.

    Attributes
    ----------
    state
        (episodes, horizon) int64.
    policy
        (episodes, horizon, players, max_actions), zeros beyond a player's own actions.
    """

    def __init__(self, game, episodes, seed, lean=None):
        rng = np.random.default_rng(seed)
        self.game = game
        self.state = np.zeros((episodes, game.horizon), dtype=np.int64)
        self.policy = np.zeros((episodes, game.horizon, game.num_players, max(game.num_actions)))
        for episode in range(episodes):
            state = rng.choice(game.num_states, p=game.start)
            for step in range(game.horizon):
                self.state[episode, step] = state
                actions = []
                for player, count in enumerate(game.num_actions):
                    chosen = rng.dirichlet(np.full(count, 0.5)) if lean is None else lean
                    self.policy[episode, step, player, :count] = chosen
                    actions.append(rng.choice(count, p=chosen))
                state = rng.choice(game.num_states, p=transition(game, step, state, actions))

    def chunk(self, first, last, lane=0, lanes=1, values=None):
        """Return episodes first..last-1 in a lane among others that hold rubbish."""
        episodes = last - first
        state = np.full((*self.state[first:last].shape, lanes), -1)
        state[..., lane] = self.state[first:last]
        policy = np.full((*self.policy[first:last].shape, lanes), np.nan)
        policy[..., lane] = self.policy[first:last]
        shape = (episodes, self.game.horizon, self.game.num_players, lanes)
        if values is None:
            filled = [np.zeros((0, *shape[1:]))] * 3
        else:
            filled = [np.full(shape, np.nan) for _ in range(3)]
            for array, own in zip(filled, values, strict=True):
                array[..., lane] = own[first:last]
        unseen = np.zeros((0, *shape[1:]))
        return VisitChunk(state, policy, unseen[:, :, 0].astype(np.int64), unseen, *filled)

    def joint(self, episode, step):
        """Return the joint actions with their probabilities."""
        counts = self.game.num_actions
        rows = self.policy[episode, step]
        return [
            (actions, float(np.prod([rows[i, a] for i, a in enumerate(actions)])))
            for actions in itertools.product(*map(range, counts))
        ]


def joint_index(game, actions):
    index = 0
    for count, action in zip(game.num_actions, actions, strict=True):
        index = index * count + action
    return index


def transition(game, step, state, actions):
    """Return the distribution of the next state."""
    layer, joint = game.layer[step], joint_index(game, actions)
    chance = np.zeros(game.num_states)
    for place in range(game.probability.shape[3]):
        next_state = game.next_state[layer, state, joint, place]
        chance[next_state] += game.probability[layer, state, joint, place]
    return chance


def rewards(game, step, state, actions):
    return game.reward[game.layer[step], :, state, joint_index(game, actions)]


def uniform_values(game):
    """Return W and max U of uniform play, (horizon + 1, states, players) each."""
    horizon, states, players = game.horizon, game.num_states, game.num_players
    value, best = np.zeros((2, horizon + 1, states, players))
    every = list(itertools.product(*map(range, game.num_actions)))
    for step in reversed(range(horizon)):
        for state in range(states):
            worth = [np.zeros(count) for count in game.num_actions]
            for actions in every:
                now = rewards(game, step, state, actions)
                chance = transition(game, step, state, actions)
                value[step, state] += (now + chance @ value[step + 1]) / len(every)
                for i, action in enumerate(actions):
                    share = game.num_actions[i] / len(every)
                    worth[i][action] += share * (now[i] + chance @ best[step + 1, :, i])
            best[step, state] = [own.max() for own in worth]
    return value, best


def follow(visits, averaging):
    """Yield (W, max U) as they stood before every episode and after the last.

    U is kept as a list of what each visit contributed; averages are taken afresh every time.
    """
    game = visits.game
    value, best = uniform_values(game)
    seen = defaultdict(list)
    for episode in range(len(visits.state)):
        yield value.copy(), best.copy()
        for step in range(game.horizon):
            state = visits.state[episode, step]
            mean = np.zeros(game.num_players)
            worth = np.zeros((game.num_players, max(game.num_actions)))
            rows = visits.policy[episode, step]
            for actions, chance in visits.joint(episode, step):
                now = rewards(game, step, state, actions)
                moves = transition(game, step, state, actions)
                mean += chance * (now + moves @ value[step + 1])
                for i, action in enumerate(actions):
                    others = np.prod([rows[k, a] for k, a in enumerate(actions) if k != i])
                    worth[i, action] += others * (now[i] + moves @ best[step + 1, :, i])
            seen[step, state].append((mean, worth))
            weights = visit_weights(game.horizon, len(seen[step, state]), averaging)
            if weights is not None:
                pairs = [seen[step, state][place] for place in weights]
                shares = list(weights.values())
                value[step, state] = sum(w * m for w, (m, _) in zip(shares, pairs, strict=True))
                total = sum(w * u for w, (_, u) in zip(shares, pairs, strict=True))
                best[step, state] = [
                    total[i, :count].max() for i, count in enumerate(game.num_actions)
                ]
    yield value.copy(), best.copy()


def visit_weights(horizon, visits, averaging):
    """Return {visit: weight} after a number of visits (from 0); None if there is nothing to draw.

    By the definitions: products of step sizes, or stages one after the other.
    """
    if averaging == "alpha":
        if visits == 0:
            return None
        sizes = [(horizon + 1) / (horizon + t) for t in range(1, visits + 1)]
        return {i: sizes[i] * np.prod([1 - a for a in sizes[i + 1 :]]) for i in range(visits)}
    start, length = 0, horizon
    last = None
    while start + length <= visits:
        last = range(start, start + length)
        start, length = start + length, length + length // horizon
    return None if last is None else {i: 1 / len(last) for i in last}


def enumerated_value(visits, averaging, cursor, step, state):
    """Return the value of the certified policy from (step, state), jumping from an episode on.

    Follows every jump; uniform play from there on without one.
    """
    game = visits.game
    if step == game.horizon:
        return np.zeros(game.num_players)
    before = [k for k in range(cursor) if visits.state[k, step] == state]
    weights = visit_weights(game.horizon, len(before), averaging)
    if weights is None:
        return uniform_values(game)[0][step, state]
    total = np.zeros(game.num_players)
    for place, weight in weights.items():
        episode = before[place]
        for actions, chance in visits.joint(episode, step):
            worth = rewards(game, step, state, actions).copy()
            for there, move in enumerate(transition(game, step, state, actions)):
                if move > 0.0:
                    following = enumerated_value(visits, averaging, episode, step + 1, there)
                    worth += move * following
            total += weight * chance * worth
    return total


def latent_paths(visits, averaging, cursor, step, state):
    """Return [(episode or None, weight)]: which episode's policy is used at (step, state)."""
    if cursor is None:
        return [(None, 1.0)]
    before = [k for k in range(cursor) if visits.state[k, step] == state]
    weights = visit_weights(visits.game.horizon, len(before), averaging)
    if weights is None:
        return [(None, 1.0)]
    return [(before[place], weight) for place, weight in weights.items()]


def enumerated_response(visits, averaging, player):
    """Return the best value over all plans of a deviator in a game of two steps, two players.

    A plan says what to do in each first state, and after each (first state, own action, own
    reward, second state). Every outcome of every draw is listed once; given the first action the
    best second action is the one with the largest sum over the outcomes with the same history.
    """
    game = visits.game
    assert game.horizon == 2
    assert game.num_players == 2
    episodes = len(visits.state)
    total = 0.0
    for first in range(game.num_states):
        worths = []
        for action in range(game.num_actions[player]):
            now, later = 0.0, defaultdict(lambda: np.zeros(game.num_actions[player]))
            for cursor in range(episodes):
                for used, drawn in latent_paths(visits, averaging, cursor, 0, first):
                    for other in range(game.num_actions[1 - player]):
                        chance = game.start[first] / episodes * drawn
                        chance *= other_chance(visits, used, 0, player, other)
                        actions = (action, other) if player == 0 else (other, action)
                        reward = rewards(game, 0, first, actions)[player]
                        now += chance * reward
                        for second, move in enumerate(transition(game, 0, first, actions)):
                            worth = second_worth(visits, averaging, player, used, second)
                            later[reward, second] += chance * move * worth
            worths.append(now + sum(values.max() for values in later.values()))
        total += max(worths)
    return total


def other_chance(visits, episode, step, player, other):
    if episode is None:
        return 1.0 / visits.game.num_actions[1 - player]
    return visits.policy[episode, step, 1 - player, other]


def second_worth(visits, averaging, player, cursor, state):
    """Return the expected last reward of each own action, jumping from an episode on."""
    game = visits.game
    worth = np.zeros(game.num_actions[player])
    for used, drawn in latent_paths(visits, averaging, cursor, 1, state):
        for action in range(len(worth)):
            for other in range(game.num_actions[1 - player]):
                actions = (action, other) if player == 0 else (other, action)
                chance = drawn * other_chance(visits, used, 1, player, other)
                worth[action] += chance * rewards(game, 1, state, actions)[player]
    return worth


def careless_response(visits, averaging, player):
    """Return the best value of playing one and the same action throughout."""
    game = visits.game
    values = []
    for action in range(game.num_actions[player]):
        worth = sum(
            game.start[state] * stubborn_value(visits, averaging, player, action, k, 0, state)
            for k in range(len(visits.state))
            for state in range(game.num_states)
        )
        values.append(worth / len(visits.state))
    return max(values)


def stubborn_value(visits, averaging, player, action, cursor, step, state):
    """Return the player's value of one action throughout, jumping from an episode on."""
    game = visits.game
    if step == game.horizon:
        return 0.0
    total = 0.0
    for used, weight in latent_paths(visits, averaging, cursor, step, state):
        for actions in itertools.product(*map(range, game.num_actions)):
            if actions[player] != action:
                continue
            chance = weight
            for i, a in enumerate(actions):
                if i != player:
                    uniform = 1.0 / game.num_actions[i]
                    chance *= uniform if used is None else visits.policy[used, step, i, a]
            worth = rewards(game, step, state, actions)[player]
            for there, move in enumerate(transition(game, step, state, actions)):
                if move > 0.0:
                    worth += move * stubborn_value(
                        visits, averaging, player, action, used, step + 1, there
                    )
            total += chance * worth
    return total
