"""Simulators in files: what they return is checked, faults are told with file and line."""

import numpy as np
import pytest

from ccerates import api
from ccerates.errors import InputError
from ccerates.protocol import load_simulator
from ccerates.protocol.games import PythonSimulator

GAME = """
class Simulator:
    num_actions = (2, 3)
    num_states = 2
    horizon = 2
    start = 1

    def __init__(self, bonus=0.25):
        self.bonus = bonus

    def sample(self, step, state, actions, generator):
        return (self.bonus, actions[1] / 2), (state + actions[0]) % 2
"""


@pytest.fixture
def template():
    return GAME


def load_and_sample(path, options):
    return load_simulator(path, options).sample(1, 0, 4, np.random.default_rng(0))


def complaint(path, options=None):
    with pytest.raises(InputError) as caught:
        load_and_sample(path, options)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path)).removeprefix(": ")


def test_a_simulator_has_dimensions_a_start_and_samples(write):
    simulator = load_simulator(write(), {"bonus": 0.5})
    assert simulator.shape == ((2, 3), 2, 2)
    assert (simulator.num_players, simulator.name) == (2, "mine.py")
    assert simulator.start.tolist() == [0.0, 1.0]
    reward, following = simulator.sample(0, 1, 5, np.random.default_rng(0))  # actions 1 and 2
    assert (reward.tolist(), reward.dtype, following) == ([0.5, 1.0], np.float64, 0)


@pytest.mark.parametrize(
    ("start", "expected"),
    [("[0.25, 0.75]", [0.25, 0.75]), ("0", [1, 0]), ("__import__('numpy').ones(2) / 2", [0.5] * 2)],
)
def test_starts(write, start, expected):
    simulator = load_simulator(write(("start = 1", f"start = {start}")))
    np.testing.assert_array_equal(simulator.start, expected)


def test_the_start_may_be_unknown(write):
    assert load_simulator(write(("    start = 1\n", ""))).start is None


def test_the_hash_is_that_of_the_file_and_the_dimensions(write):
    first, same = load_simulator(write()), load_simulator(write(), {"bonus": 0.5})
    assert first.content_hash == same.content_hash
    assert load_simulator(write(("0.25", "0.5"))).content_hash != first.content_hash


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("class Simulator", "class Mine", "defines no class Simulator; name the simulator's class"),
        ("def sample", "def draw", "class Simulator has no method sample; add it"),
        ("    horizon = 2\n", "", "the simulator has no attribute horizon; set it"),
        ("horizon = 2", "horizon = 0", "horizon: expected an integer >= 1, got 0"),
        ("num_states = 2", "num_states = 2.0", "num_states: expected an integer, got 2.0"),
        ("(2, 3)", "2", "num_actions is 2; expected the number of actions of each player, for"),
        ("(2, 3)", "()", "num_actions is (); expected"),
        ("(2, 3)", "(2, 0)", "num_actions[1]: expected an integer >= 1, got 0"),
        ("(2, 3)", "(2,) * 30", "num_actions are (2, 2,"),
        ("start = 1", "start = 2", "start is 2; expected a state in 0..1 or a probability for"),
        ("start = 1", "start = [1.0]", "start is [1.0]; expected a state"),
        ("start = 1", "start = [1.5, -0.5]", "start is [1.5, -0.5]; expected a state"),
        ("start = 1", "start = 'home'", "start is 'home'; expected a state"),
        ("start = 1", "start = [0.5, 0.4]", "start sums to 0.9; expected 1"),
        ("self.bonus = bonus", "1 / 0", ", line 9, in __init__: `1 / 0`: ZeroDivisionError"),
    ],
)
def test_faults_of_a_file_are_named(write, old, new, message):
    assert complaint(write((old, new))).startswith(message)


SAMPLE = "(self.bonus, actions[1] / 2), (state + actions[0]) % 2"


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        ("return self.bonsu", "in sample: `return self.bonsu`: AttributeError: 'Simulator' object"),
        ("raise SystemExit(3)", "in sample: `raise SystemExit(3)`: SystemExit: 3 (sample at step "),
        ("return (float('nan'), 0), 0", "rewards are (nan, 0); expected 2 numbers in [0, 1], one"),
        ("return (-0.1, 0), 0", "rewards are (-0.1, 0); expected 2 numbers in [0, 1]"),
        ("return (0, 2), 0", "rewards are (0, 2); expected 2 numbers in [0, 1], one for each play"),
        ("return (0, 0, 0), 0", "rewards are (0, 0, 0); expected 2 numbers"),
        ("return 0.5, 0", "rewards are 0.5; expected 2 numbers"),
        ("return '01', 0", "rewards are '01'; expected 2 numbers"),
        ("return [[0], [1]], 0", "rewards are [[0], [1]]; expected 2 numbers"),
        ("return [0, [1]], 0", "expected (rewards, next_state), a number in [0, 1] for each playe"),
        ("return (0, 1), 2", "next state is 2; expected an integer in 0..1"),
        ("return (0, 1), -1", "next state is -1; expected an integer in 0..1"),
        ("return (0, 1), 1.0", "expected (rewards, next_state), a number in [0, 1] for each playe"),
        ("return (0, 1)", "rewards are 0; expected 2"),
        ("pass", "expected (rewards, next_state), a number in [0, 1] for each player and an integ"),
    ],
)
def test_what_is_no_sample_is_refused(write, sample, message):
    told = complaint(write((f"return {SAMPLE}", sample)))
    if message.startswith("in sample"):
        assert told.startswith(f", line 12, {message}")
    else:
        place = ", line 11: sample at step 1, state 0, actions (1, 1): "
        assert told.startswith(f"{place}{message}")


def test_wrong_options_are_named(write):
    assert complaint(write(), {"bonsu": 1}) == "unknown option 'bonsu'; did you mean 'bonus'?"
    path = write(("bonus=0.25", "bonus"))
    assert complaint(path) == "option 'bonus' is missing; add it"


def test_files_that_cannot_be_run(write, tmp_path):
    assert complaint(tmp_path / "none.py").startswith("No such file or directory")
    assert complaint(write(name="mine.txt")).startswith("the name of a simulator's file must end")
    (tmp_path / "helper.py").write_text("")
    path = write(("class Sim", "import helper\n\nclass Sim"))
    assert "a simulator is one file, which does not see helper.py beside it" in complaint(path)


def test_faults_in_the_middle_of_a_certification_are_named(write):
    path = write(("(self.bonus, ", "(0.5 if step or generator.random() < 0.999 else 2.0, "))
    with pytest.raises(InputError, match=r"mine\.py, line 11: sample at step 0, state [01], act"):
        api.certify_policy(
            load_simulator(path), np.full((2, 2, 6), 1 / 6), epsilon=0.1, samples=100_000
        )


def test_an_object_of_a_class_that_no_file_was_loaded_for():
    class Mine:
        num_actions, num_states, horizon = [2], np.int64(1), 1

        def sample(self, step, state, actions, generator):  # noqa: ARG002
            return np.array([actions[0] * 2.0]), np.int32(0)

    simulator = PythonSimulator(Mine())
    reward, following = simulator.sample(0, 0, 0, np.random.default_rng(0))
    assert (reward.tolist(), following) == ([0.0], 0)
    with pytest.raises(InputError, match=r"test_games\.py, line \d+: sample at step 0, state 0"):
        simulator.sample(0, 0, 1, np.random.default_rng(0))


def test_learners_in_files_play_it(write, tmp_path):
    path = tmp_path / "always.py"
    path.write_text(
        "class Learner:\n"
        "    def __init__(self, num_actions, num_states, horizon, rounds): pass\n"
        "    def act(self, step, state): return [[1, 0], [0, 0.5, 0.5]]\n"
        "    def update(self, step, state, actions, rewards, next_state):\n"
        "        assert rewards == (0.25, actions[1] / 2), next_state == state\n"
    )
    (result,) = api.learn(load_simulator(write()), str(path), rounds=20)
    expected = np.broadcast_to([0, 0.5, 0.5, 0, 0, 0], (2, 2, 6))
    np.testing.assert_allclose(result.policy, expected, atol=1e-15)
    assert (result.samples, result.game_hash) == (80, load_simulator(write()).content_hash)


def test_compiled_learners_refuse_it(write):
    simulator = load_simulator(write())
    with pytest.raises(InputError, match=r"evb-sim: is compiled and plays games that are tables"):
        api.learn(simulator, "evb-sim", rounds=5)
    with pytest.raises(InputError, match="expected a game"):
        api.learn_online(simulator, "v-learning", episodes=5)
