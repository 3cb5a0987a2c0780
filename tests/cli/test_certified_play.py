"""Certified policies from the API: played as often, they are worth what the evaluator says."""

import doctest

import numpy as np
import pytest

from ccerates import api
from ccerates.api import certified_play
from ccerates.errors import InputError

LEARNER = """
class Learner:
    averaging = "alpha"

    def __init__(self, num_actions, num_states, horizon, episodes):
        self.num_actions = num_actions

    def act(self, step, state):
        return [[1 / count] * count for count in self.num_actions]

    def update(self, step, state, actions, rewards, next_state):
        pass
"""


def learn(game, algorithm, **changes):
    return api.learn_online(game, algorithm, **{"episodes": 300, "record": True, **changes})


@pytest.mark.parametrize("algorithm", ["v-learning", "evb-online"])
def test_a_played_policy_is_worth_what_the_evaluator_says(game, algorithm):
    options = {"rate_scale": 4.0}
    early, late = learn(
        game, algorithm, seed=3, options=options, checkpoints=[60], replicates=2, episodes=250
    )
    for checkpoint in (early, late):
        policy = api.certified_policy(
            game, checkpoint.results[1], seed=3, replicate=1, options=options, episodes=250
        )
        assert policy.episodes == checkpoint.episodes
        generator, source = np.random.default_rng(8), api.Episodes(game)
        played = [policy.play(source, generator).rewards.sum(axis=0) for _ in range(1500)]
        error = np.std(played, axis=0) / np.sqrt(len(played))
        worth = checkpoint.gaps[1].value
        assert np.all(np.abs(np.mean(played, axis=0) - worth) < 5 * error)
        assert np.all(error < 0.015)


def test_a_record_changes_nothing_else(game):
    (with_record,), (without,) = learn(game, "v-learning"), learn(game, "v-learning", record=False)
    np.testing.assert_equal(with_record.gaps, without.gaps)
    assert without.results[0].history is None
    assert with_record.results[0].history.states.shape == (300, 2)


def test_a_recorded_run_goes_on_with_its_record(game, tmp_path):
    state = str(tmp_path / "state.npz")
    (first,) = learn(game, "v-learning", state=state)
    (again,) = learn(game, "v-learning", state=state)
    np.testing.assert_array_equal(first.results[0].history, again.results[0].history)
    with pytest.raises(InputError, match="holds a run with a record True, not False"):
        learn(game, "v-learning", state=state, record=False)


def test_other_runs_than_the_recorded_one_are_refused(game):
    (result,) = learn(game, "v-learning", seed=3)[-1].results
    wrong = (
        {"seed": 4},
        {"seed": 3, "replicate": 1},
        {"seed": 3, "options": {"rate_scale": 5.0}},
    )
    for arguments in wrong:
        with pytest.raises(InputError, match=r"v-learning: replayed, the run takes another course"):
            api.certified_policy(game, result, **arguments)
    with pytest.raises(InputError, match="replicate: expected an integer >= 0, got -1"):
        api.certified_policy(game, result, seed=3, replicate=-1)
    (plain,) = learn(game, "v-learning", record=False)[-1].results
    with pytest.raises(InputError, match="v-learning: the run was not recorded; learn with record"):
        api.certified_policy(game, plain)


def test_learners_in_files_are_not_recorded(game, tmp_path):
    (tmp_path / "mine.py").write_text(LEARNER)
    with pytest.raises(InputError, match=r"record: mine\.py is plain Python, which is not rep"):
        learn(game, str(tmp_path / "mine.py"))
    (result,) = learn(game, str(tmp_path / "mine.py"), record=False)[-1].results
    with pytest.raises(InputError, match=r"mine\.py: the run was not recorded"):
        api.certified_policy(game, result)


def test_the_example_in_the_documentation_runs():
    outcome = doctest.testmod(certified_play)
    assert (outcome.attempted, outcome.failed) == (8, 0)
