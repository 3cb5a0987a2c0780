"""The driver of online learners: what learner and observer are told, and what is refused."""

import time
import traceback
from pathlib import Path

import numpy as np
import pytest

import ccerates
from ccerates.errors import InputError
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.online.source import Episodes
from ccerates.protocol import load_learner, online
from ccerates.protocol.player import draw

# Plays by the number of the visit, and remembers all it was told.
COUNTING = """
class Learner:
    averaging = "stage"

    def __init__(self, num_actions, num_states, horizon, episodes):
        self.num_actions, self.episodes, self.told = num_actions, episodes, []
        type(self).last = self

    def act(self, step, state):
        visit = sum(each[:2] == (step, state) for each in self.told)
        weights = [[1.0 + (visit + a) % n for a in range(n)] for n in self.num_actions]
        return [[w / sum(each) for w in each] for each in weights]

    def update(self, step, state, actions, rewards, next_state):
        self.told.append((step, state, actions, rewards, next_state))
"""


class Watcher:
    needs_values = False

    def __init__(self, needs_samples=False):
        self.needs_samples = needs_samples
        self.states, self.policies = [], []
        self.joint_actions, self.rewards = [], []

    def observe(self, chunk, lane):
        assert chunk.upper.shape[0] == 0
        self.joint_actions += chunk.joint_action[..., lane].tolist()
        self.rewards += chunk.reward[..., lane].tolist()
        self.states += chunk.state[..., lane].tolist()
        self.policies += list(chunk.policy[..., lane].copy())


@pytest.fixture
def counting(tmp_path):
    (tmp_path / "counting.py").write_text(COUNTING)
    return load_learner(tmp_path / "counting.py")


def seeds(count):
    return [np.random.SeedSequence(7, spawn_key=(place,)) for place in range(count)]


def run(learner, game, checkpoints, replicates=1, observers=None):
    sources = [Episodes(game)] * replicates
    return list(
        online.learn_online(learner, sources, checkpoints, seeds(replicates), observers=observers)
    )


def test_episodes_go_from_the_start_through_all_steps(counting, game):
    ((result,),) = run(counting, game, [30])
    told = counting.learner_class.last.told
    assert counting.learner_class.last.episodes == 30
    assert [each[0] for each in told] == [0, 1] * 30
    for first, second in zip(told[::2], told[1::2], strict=True):
        assert first[4] == second[1]
        assert game.start[first[1]] > 0
    for step, state, actions, rewards, _ in told:
        assert rewards == tuple(
            game.reward[game.layer[step], :, state, 3 * actions[0] + actions[1]]
        )
    counts = np.zeros((2, 3), dtype=int)
    np.add.at(counts, tuple(np.array([each[:2] for each in told]).T), 1)
    np.testing.assert_array_equal(result.visits, counts)
    assert (result.episodes, result.samples, result.averaging) == (30, 60, "stage")
    assert (result.algorithm, result.game_hash) == ("counting.py", game.content_hash)
    assert not result.certified
    assert np.isnan(result.certificate)


@pytest.mark.parametrize("size", [1, 7, 512])
def test_the_observer_sees_the_policy_that_was_used(counting, game, monkeypatch, size):
    monkeypatch.setattr(online, "_MOST_EPISODES", size)
    watcher = Watcher(needs_samples=True)
    run(counting, game, [9, 20], observers=[watcher])
    told = counting.learner_class.last.told
    assert np.ravel(watcher.states).tolist() == [each[1] for each in told]
    actions = np.array([each[2] for each in told]).T
    joint_actions = np.ravel_multi_index(tuple(actions), game.num_actions)
    assert np.ravel(watcher.joint_actions).tolist() == joint_actions.tolist()
    assert np.ravel(watcher.rewards).tolist() == np.ravel([each[3] for each in told]).tolist()
    seen = {}
    for place, policy in zip(told, np.reshape(watcher.policies, (-1, 2, 3)), strict=True):
        visit = seen.setdefault(place[:2], 0)
        seen[place[:2]] += 1
        two, three = 1 + (visit + np.arange(2)) % 2, 1 + (visit + np.arange(3)) % 3
        np.testing.assert_allclose(policy, [[*two / 3, 0], three / 6], rtol=1e-14)


def test_checkpoints_and_company_change_nothing(counting, game):
    def told(*arguments):
        run(counting, game, *arguments)
        return counting.learner_class.last.told

    last = told([20], 2)  # the second replicate's learner is made last
    assert told([5, 20], 2) == last
    assert counting.learner_class.last.episodes == 20
    ((first, second),) = run(counting, game, [20], 2)
    assert not np.array_equal(first.visits, second.visits)
    ((alone,),) = run(counting, game, [20])
    np.testing.assert_array_equal(alone.visits, first.visits)


def test_actions_are_drawn_as_often_as_told():
    generator = np.random.default_rng(3)
    probabilities = [np.array([0.2, 0.0, 0.8]), np.array([0.0, 1.0])]
    drawn = np.array([draw(probabilities, generator) for _ in range(4000)])
    assert set(drawn[:, 0]) == {0, 2}
    assert set(drawn[:, 1]) == {1}
    assert abs(np.mean(drawn[:, 0] == 0) - 0.2) < 5 * np.sqrt(0.16 / 4000)


class Largest:
    """The largest number that a generator returns."""

    def random(self):
        return 1 - 2.0**-53


def test_rounding_never_draws_an_impossible_action():
    vector = np.array([*[0.1] * 10, 0.0])  # ten tenths add up to less than one
    assert draw([vector], Largest()) == [9]


@pytest.mark.parametrize(
    ("played", "message"),
    [
        ("None", "expected a probability vector for each of 2 players, got None"),
        ("[[0.5, 0.5]]", "expected a probability vector for each of 2 players, got 1"),
        ("[[1.0], [1.0, 0, 0]]", "player 0: expected shape (2,), a probability for each action, g"),
        ("[[0.5, 0.5], [[1.0, 0, 0]]]", "player 1: expected shape (3,)"),
        ("[0.5, 0.5]", "player 0: expected shape (2,), a probability for each action, got ()"),
        ("[['a', 'b'], [1, 0, 0]]", "player 0: not a vector of numbers (could not convert"),
        ("[[0.5, 0.5], [1, [0], 0]]", "player 1: not a vector of numbers"),
        ("[[0.5, 0.5], [1.5, -0.5, 0]]", "player 1: the probability of action 1 is -0.5; expect"),
        ("[[0.5, float('nan')], [1, 0, 0]]", "player 0: the probability of action 1 is nan"),
        ("[[float('inf'), 0], [1, 0, 0]]", "player 0: the probability of action 0 is inf"),
        ("[[0.5, 0.5], [0.5, 0.5, 0.5]]", "player 1: probabilities sum to 1.5; expected 1 (what"),
        ("[[1, 0], [1e308] * 3]", "player 1: probabilities sum to inf; expected 1 (what"),
        ("[[0.5, 0.4999], [1, 0, 0]]", "player 0: probabilities sum to 0.9999; expected 1"),
    ],
)
def test_what_are_no_probabilities_is_named(write, game, played, message):
    play = f"        if step == 1: return {played}\n        return [[1 / count]"
    path = write(("        return [[1 / count]", play))
    with pytest.raises(InputError) as caught:
        run(load_learner(path), game, [5])
    text = str(caught.value)
    assert text.startswith(f"{path}: act in episode 0, step 1, state ")
    assert text.partition("state ")[2][3:].startswith(message)
    assert "\n" not in text


def test_single_precision_is_normalised(write, game):
    vector = "numpy.full(n, 1 / n, dtype='float32') * numpy.float32(1 - 5e-7)"
    text = f"import numpy; return [{vector} for n in self.num_actions]\n        return [[1 / count]"
    watcher = Watcher()
    run(load_learner(write(("return [[1 / count]", text))), game, [5], observers=[watcher])
    played = np.reshape(watcher.policies, (-1, 2, 3))
    np.testing.assert_allclose(played.sum(axis=-1), 1.0, rtol=1e-15)
    for sum_of_first in (1 - 2e-6, 1 + 2e-6):
        play = f"return [[0.5, {sum_of_first - 0.5!r}], [1, 0, 0]]\n        return [[1 / count]"
        with pytest.raises(InputError, match=r"expected 1 \(what is within 1e-06 is normalised\)"):
            run(load_learner(write(("return [[1 / count]", play))), game, [5])


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (
            "        return [[1",
            "        1 / 0\n        return [[1",
            "line 9, in act: `1 / 0`: Ze",
        ),
        ("        pass", "        rewards[2]", "line 12, in update: `rewards[2]`: IndexError: "),
        ("self.num_actions = num_actions", "self.x", "line 6, in __init__: `self.x`: AttributeErr"),
        (
            "        pass",
            "        import numpy\n        numpy.linalg.inv(numpy.zeros((2, 2)))",
            "line 13, in update: `numpy.linalg.inv(numpy.zeros((2, 2)))`: LinAlgError: Singular ma",
        ),
        (
            "        pass",
            "        raise SystemExit(3)",
            "line 12, in update: `raise SystemExit(3)`",
        ),
        (
            "        return [[1",
            "        return ([1 / 0] for _ in range(2))\n        return [[1",
            "line 9, in <genexpr>: `return ([1 / 0] for _ in range(2))`: ZeroDivisionError",
        ),
        (
            "        return [[1",
            "        return (None + 1 for _ in range(2))\n        return [[1",
            "line 9, in <genexpr>: `return (None + 1 for _ in range(2))`: TypeError",
        ),
        ("def act(self, step, state)", "def act(self, step)", "Learner.act() takes 2 positional"),
    ],
)
def test_errors_in_their_code_are_told_with_their_line(write, game, old, new, place):
    path = write((old, new))
    with pytest.raises(InputError) as caught:
        run(load_learner(path), game, [5])
    text = str(caught.value)
    assert text.startswith(str(path))
    assert place in text
    assert "\n" not in text
    frames = traceback.extract_tb(caught.value.__cause__.__traceback__)
    ours = Path(ccerates.__file__).parent
    assert not any(Path(frame.filename).is_relative_to(ours) for frame in frames)
    assert not frames or frames[0].filename == str(path)


def test_ctrl_c_in_their_code_is_no_fault(write, game):
    learner = load_learner(write(("        pass", "        raise KeyboardInterrupt")))
    with pytest.raises(KeyboardInterrupt):
        run(learner, game, [5])


def test_progress_is_told_often_however_slow_their_code_is(write, game, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def told(seconds_per_step, episodes):
        learner = load_learner(write())

        def act(*_):
            clock[0] += seconds_per_step
            return [[0.5, 0.5], [1.0, 0.0, 0.0]]

        learner.learner_class.act = act
        clock[0], seen = 0.0, []

        def progress(episode):
            seen.append((episode, clock[0]))

        sources = [Episodes(game)] * 3
        list(online.learn_online(learner, sources, [episodes], seeds(3), progress=progress))
        assert seen[-1][0] == episodes
        return np.diff([(0, 0.0), *seen], axis=0)

    # Two steps an episode and three replicates; 0.2 seconds are 33 episodes, or less than one.
    played, seconds = told(1e-3, 400).T
    assert seconds.max() <= 0.2 + 1e-9
    assert played.max() == 33
    played, seconds = told(0.05, 20).T
    assert played.max() == 1
    played, seconds = told(0.0, 2000).T
    assert played.max() == 512


def test_wrong_use_is_named(write, game):
    learner = load_learner(write())
    with pytest.raises(InputError, match=r"mine\.py: there are no checkpoints; give at least one"):
        run(learner, game, [])
    for num_sources, num_seeds in ((0, 0), (1, 2), (2, 1)):
        with pytest.raises(InputError, match="give one of each for each run, and at least one run"):
            online.learn_online(learner, [Episodes(game)] * num_sources, [5], seeds(num_seeds))
    with pytest.raises(InputError, match="seed 0 is 7; give a numpy"):
        online.learn_online(learner, [Episodes(game)], [5], [7])
    with pytest.raises(InputError, match="1 sources, 1 seeds and 2 observers"):
        run(learner, game, [5], observers=[None, None])
    for checkpoints, message in (([0], ">= 1, got 0"), ([5, 5], ">= 6, got 5")):
        with pytest.raises(InputError, match=rf"checkpoint: expected an integer {message}"):
            run(learner, game, checkpoints)
    auditor = CertifiedEvaluator(game, "stage", audit=True)
    with pytest.raises(InputError, match="has no value bounds; leave it out of what audits them"):
        run(learner, game, [5], observers=[auditor])
    simulator = load_learner(write(('averaging = "alpha"', ""), ("episodes", "rounds")))
    with pytest.raises(InputError, match="a simulator learner, since it has no attribute averagin"):
        run(simulator, game, [5])
