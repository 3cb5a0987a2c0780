"""The driver of simulator learners, against what follows by hand from what they play."""

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.protocol import load_learner
from ccerates.protocol.simulator import learn_batch
from ccerates.simulator.source import Simulator

# Plays pure actions in turn; its class attribute keeps what it was told.
TURNS = """
class Learner:
    told = []

    def __init__(self, num_actions, num_states, horizon, rounds):
        self.sizes = (num_actions, num_states, horizon, rounds)
        self.turn = 0
        type(self).last = self

    def act(self, step, state):
        self.plan = [(self.turn // (i + 1)) % n for i, n in enumerate(self.sizes[0])]
        return [[float(a == b) for a in range(n)] for b, n in zip(self.plan, self.sizes[0])]

    def update(self, step, state, actions, rewards, next_state):
        assert list(actions) == self.plan
        self.told.append((step, state, actions, rewards, next_state))
        self.turn = (self.turn + 1) % self.sizes[3]
"""


@pytest.fixture
def turns(tmp_path):
    (tmp_path / "turns.py").write_text(TURNS)
    return load_learner(tmp_path / "turns.py")


def seeds(count):
    return [np.random.SeedSequence(7, spawn_key=(place,)) for place in range(count)]


def test_policy_samples_and_order(turns, game):
    (result,) = learn_batch(turns, [Simulator(game)], 4, seeds(1))
    told = turns.learner_class.told
    assert turns.learner_class.last.sizes == ((2, 3), 3, 2, 4)
    # Four rounds in a row at each place, the last step first: actions (0,0) (1,0) (0,1) (1,1).
    assert [each[:2] for each in told] == [
        (step, state) for step in (1, 0) for state in range(3) for _ in range(4)
    ]
    assert [each[2] for each in told[:4]] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    expected = [0.25, 0.25, 0, 0.25, 0.25, 0]  # row-major over (2, 3) actions
    np.testing.assert_array_equal(result.policy, np.tile(expected, (2, 3, 1)))
    assert (result.rounds, result.samples) == (4, 24)
    assert result.samples == len(told)
    for step, state, actions, rewards, next_state in told:
        layer, joint = game.layer[step], 3 * actions[0] + actions[1]
        assert rewards == tuple(game.reward[layer, :, state, joint])
        assert game.probability[layer, state, joint][
            game.next_state[layer, state, joint] == next_state
        ].any()
    assert result.algorithm == "turns.py"
    assert result.game_hash == game.content_hash
    assert not result.certified
    assert np.isnan([result.certificate, result.failure, *result.upper_value.ravel()]).all()


def test_uniform_play_gives_the_uniform_policy(write, game):
    learner = load_learner(write(('averaging = "alpha"', ""), ("episodes", "rounds")))
    results = learn_batch(learner, [Simulator(game)] * 2, 5, seeds(2))
    for result in results:
        np.testing.assert_allclose(result.policy, 1 / 6, rtol=1e-14)


def test_replicates_are_runs_of_their_own(turns, game):
    turns.learner_class.told.clear()
    learn_batch(turns, [Simulator(game)] * 2, 4, seeds(2))
    first, second = np.split(np.array([each[4] for each in turns.learner_class.told]), 2)
    turns.learner_class.told.clear()
    learn_batch(turns, [Simulator(game)], 4, seeds(2)[1:])
    np.testing.assert_array_equal(second, [each[4] for each in turns.learner_class.told])
    assert not np.array_equal(first, second)


def test_wrong_use_is_named(write, turns, game):
    with pytest.raises(InputError, match="rounds: expected an integer >= 1, got 0"):
        learn_batch(turns, [Simulator(game)], 0, seeds(1))
    with pytest.raises(InputError, match="an online learner, since it has the attribute averaging"):
        learn_batch(load_learner(write()), [Simulator(game)], 5, seeds(1))
