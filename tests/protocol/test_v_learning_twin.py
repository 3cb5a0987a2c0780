"""Compiled V-learning against the textbook in plain Python, told the same actions and states."""

from pathlib import Path

import numpy as np
import pytest

from ccerates.games.families import make_game
from ccerates.online.baseline import EXPLORATION
from ccerates.online.run import OnlineBatch
from ccerates.online.source import Episodes
from ccerates.online.v_learning import BONUS_CONSTANT, VLearningOptions
from ccerates.protocol import load_learner

TWIN = Path(__file__).with_name("v_learning_twin.py")
EPISODES = 150


class Policies:
    """Keeps the policies that were used."""

    needs_values = True
    needs_samples = False

    def __init__(self):
        self.policy, self.upper = [], []

    def observe(self, chunk, lane):
        self.policy += list(chunk.policy[..., lane].copy())
        self.upper += list(chunk.upper[..., lane].copy())


@pytest.mark.parametrize("num_actions", [[2, 3], [3], [2, 2, 2]])
@pytest.mark.parametrize("constants", ["practical", "theory"])
def test_policies_and_values_are_those_of_the_textbook(num_actions, constants):
    parameters = {"num_actions": num_actions, "num_players": len(num_actions)}
    parameters |= {"num_states": 3, "horizon": 3}
    game = make_game("dense-random", parameters, np.random.default_rng(1))
    seen = Policies()
    batch = OnlineBatch(
        "v-learning",
        [Episodes(game)],
        [np.random.SeedSequence(2)],
        VLearningOptions(constants=constants),
        episodes=EPISODES,
        observers=[seen],
        record=True,
    )
    batch.advance(EPISODES)
    (history,) = [result.history for result in batch.results()]
    options = {"constant": BONUS_CONSTANT[constants], "share": EXPLORATION[constants]}
    twin = load_learner(TWIN, options).construct(game.num_actions, 3, 3, EPISODES)
    # In floating point the twin's powers of t cost a few digits.
    close = {"rtol": 1e-9, "atol": 1e-12}
    for episode, (states, joint) in enumerate(zip(*history, strict=True)):
        for step, state in enumerate(states.tolist()):
            used = seen.policy[episode][step]
            for player, policy in enumerate(twin.act(step, state)):
                np.testing.assert_allclose(used[player, : len(policy)], policy, **close)
            actions = [int(each) for each in np.unravel_index(joint[step], game.num_actions)]
            rewards = game.reward[game.layer[step], :, state, joint[step]]
            next_state = int(states[step + 1]) if step < 2 else 0
            twin.update(step, state, actions, rewards.tolist(), next_state)
            values = [twin.value(step, state, player) for player in range(game.num_players)]
            np.testing.assert_allclose(seen.upper[episode][step], values, **close)
    visits = [len(each) for each in twin.history.values()]
    assert max(visits) > 30
    # The comparison would notice: policies move away from uniform play.
    first = np.array(seen.policy)[:, :, 0, : num_actions[0]]
    assert np.abs(first - 1 / num_actions[0]).max() > 0.05
