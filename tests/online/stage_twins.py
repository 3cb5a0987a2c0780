"""EVB-online and stage-based V-learning as the papers write them: plain Python, from histories."""

import math
from collections import defaultdict

import numpy as np

from simulator.evb_sim_twin import Bandit, Constants, centred, draw
from twins import Xoshiro


def stage_length(horizon, stage):
    """Return the length of a stage, counted from 0."""
    length = horizon
    for _ in range(stage):
        length += math.floor(length / horizon)
    return length


class Place:
    """What happened at one (step, state) in the current stage, and what earlier ones left."""

    def __init__(self, learner, step) -> None:
        self.learner, self.step = learner, step
        self.bound = learner.game.horizon - step
        players = learner.game.num_players
        self.stage = self.visits = 0
        self.upper, self.lower = [float(self.bound)] * players, [0.0] * players
        self.surplus = [float(self.bound)] * players
        self.report = [{} for _ in range(players)]
        self.start()

    def start(self) -> None:
        self.length = stage_length(self.learner.game.horizon, self.stage)
        self.gains = [[] for _ in self.upper]
        self.lower_gains = [[] for _ in self.upper]
        self.learner.start_bandits(self)

    def take_in(self, actions, gains, lower_gains) -> None:
        self.visits += 1
        for player in range(len(self.upper)):
            self.gains[player].append(gains[player])
            self.lower_gains[player].append(lower_gains[player])
        self.learner.update_bandits(self, actions, gains)
        if len(self.gains[0]) == self.length:
            self.learner.end_stage(self)
            self.stage += 1
            self.start()


class StageVLearning:
    """Exp3-IX for every player, and the mean gain of a stage plus a bonus."""

    def __init__(self, game, episodes, options) -> None:
        self.game, self.options = game, options
        places = game.num_players * game.horizon * game.num_states * max(game.num_actions)
        self.iota = math.log(places * episodes / options.failure)

    def start_bandits(self, place) -> None:
        place.losses = [np.zeros(count) for count in self.game.num_actions]
        place.probabilities = [None] * self.game.num_players

    def policies(self, place):
        for player, count in enumerate(self.game.num_actions):
            rate = math.sqrt(math.log(count) / (count * place.length))
            losses = place.losses[player]
            scores = np.exp(-self.options.rate_scale * rate * (losses - losses.min()))
            place.probabilities[player] = scores / scores.sum()
        return place.probabilities

    def update_bandits(self, place, actions, gains) -> None:
        for player, count in enumerate(self.game.num_actions):
            share = {"practical": 0.1, "theory": 1.0}[self.options.constants]
            explore = 0.5 * share * math.sqrt(math.log(count) / (count * place.length))
            loss = (self.game.horizon - gains[player]) / self.game.horizon
            action = actions[player]
            chance = place.probabilities[player][action]
            place.losses[player][action] += loss / (chance + explore)

    def end_stage(self, place) -> None:
        constant = {"practical": 0.3, "theory": 6.0}[self.options.constants]
        scale = self.options.bonus_scale * constant
        for player, count in enumerate(self.game.num_actions):
            square = self.game.horizon**2 * count * self.iota / place.length
            value = math.fsum(place.gains[player]) / place.length + scale * math.sqrt(square)
            place.upper[player] = min(value, place.bound)


class EvbOnline:
    """The empirical-variance bandit for every player, and its own regret bound."""

    def __init__(self, game, episodes, options) -> None:  # noqa: ARG002
        self.game, self.options = game, options

    def start_bandits(self, place) -> None:
        share = 2 * self.game.num_players * self.game.horizon * self.game.num_states
        failure = self.options.failure / (share * (place.stage + 1) * (place.stage + 2))
        rigorous = self.options.constants == "rigorous"
        place.bandits = []
        for count in self.game.num_actions:
            constants = Constants(rigorous, count, place.length, place.bound, failure)
            bandit = Bandit(count, place.length, place.bound, constants, self.options)
            place.bandits.append(bandit)

    def policies(self, place):
        return [bandit.choose() for bandit in place.bandits]

    def update_bandits(self, place, actions, gains) -> None:
        for bandit, action, gain in zip(place.bandits, actions, gains, strict=True):
            bandit.actions.append(action)
            bandit.gains.append(gain)

    def end_stage(self, place) -> None:
        rounds = place.length
        for player, bandit in enumerate(place.bandits):
            seen, mean = bandit.report(), math.fsum(place.gains[player]) / rounds
            bonus = self.options.bonus_scale * seen["regret_bound"] / rounds
            bonus *= self.options.ablation != "bonus"
            gains = place.lower_gains[player]
            lower_mean = math.fsum(gains) / rounds
            variance = math.fsum(y * y for y in centred(gains, place.bound))
            margin = bandit.constants.lower_deviation * math.sqrt(variance)
            margin += bandit.constants.lower_range * place.bound
            place.upper[player] = min(mean + bonus, place.bound)
            place.lower[player] = max(0.0, lower_mean - margin / rounds)
            spread = place.upper[player] - place.lower[player]
            place.surplus[player] = spread - (mean - lower_mean)
            report = place.report[player]
            report["mean_gain"], report["lower_mean_gain"] = mean, lower_mean
            report["regret_bound"] = seen["regret_bound"]
            right_side = seen["penalty"] + seen["stability"]
            ratios = report.setdefault("ratios", [])
            if not np.isnan(seen["pathwise_slack"]).any():
                scale = right_side + seen["bias"] + np.sqrt(seen["square"])
                ratios.extend(seen["pathwise_slack"] / scale)


TWINS = {"evb-online": EvbOnline, "stage-v-learning": StageVLearning}


def run_twin(algorithm, game, episodes, words, options):
    """Play episodes from a generator state.

    Returns
    -------
    places
        `Place` by (step, state).
    visits
        Dictionary of what a `VisitChunk` holds.
    certificate
        Largest mean over episodes and starts of upper - lower value when an episode began.
    """
    generator = Xoshiro(words)
    learner = TWINS[algorithm](game, episodes, options)
    places = {
        (step, state): Place(learner, step)
        for step in range(game.horizon)
        for state in range(game.num_states)
    }
    visits = defaultdict(list)
    widths = np.zeros(game.num_players)
    for _ in range(episodes):
        for start, chance in enumerate(game.start):
            place = places[0, start]
            widths += chance * (np.array(place.upper) - place.lower)
        state = draw(game.start, generator.uniform())
        for step in range(game.horizon):
            place, layer = places[step, state], game.layer[step]
            policies = [each.copy() for each in learner.policies(place)]
            actions = [draw(policy, generator.uniform()) for policy in policies]
            joint = np.ravel_multi_index(actions, game.num_actions)
            choice = draw(game.probability[layer, state, joint], generator.uniform())
            there = game.next_state[layer, state, joint, choice]
            rewards = game.reward[layer, :, state, joint]
            upper = lower = np.zeros(game.num_players)
            if step + 1 < game.horizon:
                upper, lower = places[step + 1, there].upper, places[step + 1, there].lower
            place.take_in(actions, rewards + np.array(upper), rewards + np.array(lower))
            visits["state"].append(state)
            padded = np.zeros((game.num_players, max(game.num_actions)))
            for player, policy in enumerate(policies):
                padded[player, : len(policy)] = policy
            visits["policy"].append(padded)
            for name in ("upper", "lower", "surplus"):
                visits[name].append(list(getattr(place, name)))
            state = there
    return places, dict(visits), float(widths.max() / episodes)
