"""Batches of online runs: nothing but the seed and the game decides what a run learns."""

import dataclasses
import threading
import tracemalloc

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.online.registry import MODULES, online_learner
from ccerates.online.replicates import divide_into_lanes
from ccerates.online.run import OnlineBatch, learn_online
from ccerates.online.source import Episodes
from ccerates.online.v_learning import VLearningOptions
from ccerates.online.visits import Together, VisitChunk

LEARNERS = ["v-learning", "cce-v-learning"]


class Recorder:
    """An observer that keeps all it sees."""

    def __init__(self, needs_values=False, needs_samples=False) -> None:
        self.needs_values, self.needs_samples = needs_values, needs_samples
        self.parts = []

    def observe(self, chunk, lane) -> None:
        self.parts.append([values[..., lane].copy() for values in chunk])

    def all(self):
        return [np.concatenate(parts) for parts in zip(*self.parts, strict=True)]

    def state(self):
        return dict(zip(VisitChunk._fields, self.all(), strict=True))

    def restore(self, state) -> None:
        self.parts = [[state[name] for name in VisitChunk._fields]]


def assert_equal(one, other) -> None:
    for field in ("upper_value", "lower_value", "visits", "certificate"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))
    for a, b in zip(one.trace, other.trace, strict=True):
        np.testing.assert_array_equal(a, b)
    if one.history is not None:
        for a, b in zip(one.history, other.history, strict=True):
            np.testing.assert_array_equal(a, b)
    scalars = ("algorithm", "game_hash", "constants", "certified", "failure", "episodes", "samples")
    for field in scalars:
        assert getattr(one, field) == getattr(other, field)


def final(algorithm, sources, seeds, episodes, **arguments):
    return list(learn_online(algorithm, sources, [episodes], seeds, **arguments))[-1]


@pytest.mark.parametrize("algorithm", LEARNERS)
def test_lanes_threads_and_companions_change_nothing(algorithm, make_sources, make_seeds) -> None:
    sources, seeds = make_sources(5), make_seeds(5)
    whole = final(algorithm, sources, seeds, 300, record=True)
    for arguments in ({"lanes": 3, "threads": 2}, {"lanes": 1}):
        for one, other in zip(
            whole, final(algorithm, sources, seeds, 300, record=True, **arguments), strict=True
        ):
            assert_equal(one, other)
    for replicate in (1, 4):
        own = slice(replicate, replicate + 1)
        alone = final(algorithm, sources[own], seeds[own], 300, record=True)
        assert_equal(whole[replicate], alone[0])


def test_starts_of_companions_may_differ(random_game, make_seeds) -> None:
    game = random_game(0, (2, 3))
    starts = ([0.0, 0.0, 1.0], [0.25, 0.25, 0.5], [1.0, 0.0, 0.0])
    games = [dataclasses.replace(game, start=np.array(start)) for start in starts]
    seeds = make_seeds(3)
    runs = final("v-learning", [Episodes(each) for each in games], seeds, 4000)
    for each, seed, start, run in zip(games, seeds, starts, runs, strict=True):
        np.testing.assert_allclose(run.visits[0] / 4000, start, atol=5 * 0.5 / np.sqrt(4000))
        assert (run.visits[0][np.array(start) == 0.0] == 0).all()
        assert_equal(run, final("v-learning", [Episodes(each)], [seed], 4000)[0])


def test_lists_of_different_lengths_share_a_batch(random_game, make_seeds) -> None:
    games = [random_game(seed, (2, 2), successors=2 + seed) for seed in range(3)]
    sources, seeds = [Episodes(game) for game in games], make_seeds(3)
    runs = final("v-learning", sources, seeds, 200)
    for source, seed, run in zip(sources, seeds, runs, strict=True):
        assert_equal(run, final("v-learning", [source], [seed], 200)[0])


def test_runs_differ_by_seed_and_by_game(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(2), make_seeds(2)
    options = VLearningOptions(bonus_scale=0.01)  # values leave the trivial bound
    games, streams = [sources[0], sources[0], sources[1]], [*seeds, seeds[0]]
    runs = final("v-learning", games, streams, 50, options=options)
    values = [run.upper_value for run in runs]
    assert not np.array_equal(values[0], values[1])
    assert not np.array_equal(values[0], values[2])


def test_chunks_and_checkpoints_change_nothing(make_sources, make_seeds, monkeypatch) -> None:
    sources, seeds = make_sources(2), make_seeds(2)
    observers = [Recorder(), None]
    lists = learn_online(
        "v-learning", sources, [1, 7, 200], seeds, observers=observers, record=True
    )
    stopped = list(lists)
    monkeypatch.setattr("ccerates.online.lane_group._SEEN_VISITS", 100)  # in 4 lanes
    others = [Recorder(), None]
    small = final("v-learning", sources, seeds, 200, observers=others, record=True)
    assert [len(part[0]) for part in observers[0].parts] == [1, 6, 193]
    assert [len(part[0]) for part in others[0].parts] == [8] * 25
    for one, other in zip(observers[0].all(), others[0].all(), strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(stopped[-1], small, strict=True):
        assert_equal(one, other)
    assert [run.episodes for run in (runs[0] for runs in stopped)] == [1, 7, 200]
    assert [run.samples for run in (runs[0] for runs in stopped)] == [3, 21, 600]
    for runs in stopped:
        assert runs[0].visits.sum(axis=1).tolist() == [runs[0].episodes] * 3
        for earlier, later in zip(runs[0].history, stopped[-1][0].history, strict=True):
            np.testing.assert_array_equal(earlier, later[: runs[0].episodes])


def test_early_results_do_not_change_later(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(1), make_seeds(1)
    batch = OnlineBatch("v-learning", sources, seeds, episodes=100)
    batch.advance(10)
    early = batch.results()[0]
    kept = early.upper_value.copy(), early.visits.copy()
    batch.advance(100)
    np.testing.assert_array_equal(early.upper_value, kept[0])
    np.testing.assert_array_equal(early.visits, kept[1])
    assert batch.results()[0].visits.sum() == 300


@pytest.mark.parametrize("algorithm", MODULES)
def test_a_saved_batch_continues_bit_by_bit(algorithm, make_sources, make_seeds, tmp_path) -> None:
    sources, seeds = make_sources(3), make_seeds(3)
    options = online_learner(algorithm).options_type(rate_scale=1.5, failure=0.1)
    watched = [Recorder(), None, Recorder(needs_values=True)]
    whole = OnlineBatch(
        algorithm, sources, seeds, options, episodes=250, observers=watched, record=True
    )
    whole.advance(250)
    again = [Recorder(), None, Recorder(needs_values=True)]
    first = OnlineBatch(
        algorithm, sources, seeds, options, episodes=250, observers=again, record=True
    )
    first.advance(101)
    first.save(tmp_path / "state.npz")
    lanes = 3 if algorithm == "v-learning" else None  # one learner with others than before
    fresh = [Recorder(), None, Recorder(needs_values=True)]
    batch = OnlineBatch.load(tmp_path / "state.npz", sources, fresh, threads=2, lanes=lanes)
    assert (batch.episode, batch.episodes) == (101, 250)
    batch.advance(250)
    for one, other in zip(whole.results(), batch.results(), strict=True):
        assert_equal(one, other)
    for replicate in (0, 2):
        for one, other in zip(watched[replicate].all(), fresh[replicate].all(), strict=True):
            np.testing.assert_array_equal(one, other)


def test_saving_does_not_disturb_and_equal_states_give_equal_bytes(
    make_sources, make_seeds, tmp_path
) -> None:
    sources, seeds = make_sources(2), make_seeds(2)
    batches = [OnlineBatch("v-learning", sources, seeds, episodes=50) for _ in range(2)]
    for batch, name in zip(batches, ("a", "b"), strict=True):
        batch.advance(20)
        batch.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    batches[0].advance(50)
    assert_equal(batches[0].results()[0], final("v-learning", sources, seeds, 50)[0])


def test_a_state_belongs_to_its_games_and_observers(make_sources, make_seeds, tmp_path) -> None:
    sources, path = make_sources(2), tmp_path / "state.npz"
    batch = OnlineBatch("v-learning", sources, make_seeds(2), episodes=9)
    batch.save(path)
    with pytest.raises(InputError, match="other games, or in another order"):
        OnlineBatch.load(path, sources[::-1])
    with pytest.raises(InputError, match="run 1 was saved with none observer"):
        OnlineBatch.load(path, sources, [None, Recorder()])
    with pytest.raises(InputError, match=r"state\.npz: there is no such file"):
        OnlineBatch.load(path.with_name("no-state.npz"), sources)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match="not a usable unfinished runs file"):
        OnlineBatch.load(path, sources)


def test_memory_grows_with_the_episodes_only_if_they_are_recorded(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(2), make_seeds(2)

    def peak(episodes, **arguments):
        tracemalloc.start()
        final("v-learning", sources, seeds, episodes, **arguments)
        result = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return result

    peak(10)  # imports and compiles
    assert peak(200_000) < peak(20_000) + 100_000
    # Two arrays of two bytes for each of 3 steps and 2 replicates.
    assert peak(200_000, record=True) > peak(20_000, record=True) + 24 * 180_000 - 100_000


def test_observers_see_every_replicate_in_its_lane(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(3), make_seeds(3)
    observers = [Recorder() for _ in sources]
    runs = final("v-learning", sources, seeds, 60, observers=observers, record=True, lanes=3)
    for run, observer in zip(runs, observers, strict=True):
        state, policy, *others = observer.all()
        np.testing.assert_array_equal(state, run.history.states)
        assert policy.shape == (60, 3, 2, 3)
        np.testing.assert_allclose(policy.sum(axis=-1), 1.0, rtol=0, atol=1e-14)
        assert (policy[:, :, 0, 2] == 0.0).all()
        assert (policy[:, :, 0, :2] > 0.0).all()
        assert [len(each) for each in others] == [60, 0, 0, 0, 0]  # joint actions: recorded


def test_samples_are_handed_on_to_observers_that_need_them(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(2), make_seeds(2)
    observers = [Recorder(needs_samples=True), None]
    runs = final("v-learning", sources, seeds, 50, observers=observers, record=True)
    chunk = VisitChunk(*observers[0].all())
    np.testing.assert_array_equal(chunk.joint_action, runs[0].history.joint_actions)
    game = sources[0]._game
    for step in range(game.horizon):
        paid = game.reward[game.layer[step], :, chunk.state[:, step], chunk.joint_action[:, step]]
        np.testing.assert_array_equal(chunk.reward[:, step], paid)
    assert np.ptp(chunk.reward) > 0.0


def test_observers_together_see_and_continue_as_each_alone(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(1), make_seeds(1)
    alone = Recorder(), Recorder(needs_samples=True)
    for each in alone:
        final("stage-v-learning", sources, seeds, 60, observers=[each])
    parts = Recorder(), Recorder(needs_samples=True)
    final("stage-v-learning", sources, seeds, 60, observers=[Together(*parts)])
    restored = Recorder(), Recorder()
    Together(*restored).restore(Together(*parts).state())
    for one, seen, again in zip(alone, parts, restored, strict=True):
        for name, *values in zip(
            VisitChunk._fields, one.all(), seen.all(), again.all(), strict=True
        ):
            np.testing.assert_array_equal(values[1], values[2])
            # The first alone would not have been handed samples.
            if len(values[0]):
                np.testing.assert_array_equal(values[0], values[1], err_msg=name)


def test_values_are_those_after_the_visit(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(1), make_seeds(1)
    observer = Recorder(needs_values=True)
    run = final("v-learning", sources, seeds, 40, observers=[observer])[0]
    state, *_, upper, lower, surplus = observer.all()
    for step in range(3):
        for here in range(3):
            episodes = np.flatnonzero(state[:, step] == here)
            if len(episodes):
                np.testing.assert_array_equal(
                    upper[episodes[-1], step], run.upper_value[step, here]
                )
    assert np.isnan(lower).all()
    assert np.isnan(surplus).all()


def test_progress_is_told_and_ends_with_the_last_episode(make_sources, make_seeds) -> None:
    told = []
    list(learn_online("v-learning", make_sources(1), [5, 9], make_seeds(1), progress=told.append))
    assert told == [5, 9]


def test_games_of_other_shapes_are_refused(make_sources, make_seeds) -> None:
    for sizes in ({"horizon": 4}, {"states": 2}, {"num_actions": (3, 2)}):
        sources = [*make_sources(1), *make_sources(1, **sizes)]
        with pytest.raises(InputError, match=r"source 1 has shape .* in separate batches"):
            learn_online("v-learning", sources, [5], make_seeds(2))


def test_bad_arguments_are_refused_before_anything_is_played(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(2), make_seeds(2)
    cases = [
        ({"algorithm": "v-learnig"}, "did you mean 'v-learning'"),
        ({"seeds": seeds[:1]}, "2 sources, 1 seeds and 2 observers"),
        ({"seeds": [seeds[0], 3]}, "seed 1 is 3; give a numpy"),
        ({"sources": [], "seeds": []}, "at least one run"),
        ({"observers": [None]}, "2 sources, 2 seeds and 1 observers"),
        ({"checkpoints": []}, "there are no checkpoints"),
        ({"checkpoints": [5, 5]}, r"checkpoints must increase, got \[5, 5\]"),
        ({"checkpoints": [0, 5]}, "checkpoint: expected an integer >= 1, got 0"),
        ({"checkpoints": [2.5]}, "checkpoint: expected an integer, got 2.5"),
        ({"threads": 0}, "threads: expected an integer >= 1"),
        ({"lanes": 0}, "lanes: expected an integer >= 1"),
        ({"options": "fast"}, "options must be VLearningOptions, got 'fast'"),
        ({"checkpoints": [10**9], "record": True}, "needs 11.2 GiB"),
    ]
    good = {"algorithm": "v-learning", "sources": sources, "checkpoints": [5], "seeds": seeds}
    for change, message in cases:
        with pytest.raises(InputError, match=message):
            learn_online(**{**good, **change})


def test_episodes_cannot_run_backwards_or_beyond_the_plan(make_sources, make_seeds) -> None:
    batch = OnlineBatch("v-learning", make_sources(1), make_seeds(1), episodes=9)
    batch.advance(5)
    for episode in (4, 10):
        with pytest.raises(InputError, match=r"episode to play to: expected an integer in 5\.\.9"):
            batch.advance(episode)


@pytest.mark.parametrize(
    ("name", "value"),
    [("constants", "rigorous"), ("rate_scale", 0.0), ("bonus_scale", -1.0), ("failure", 1.0)],
)
def test_bad_options_are_refused(name, value) -> None:
    with pytest.raises(InputError, match=f"v-learning: {name}"):
        VLearningOptions(**{name: value})


@pytest.mark.parametrize(
    ("count", "lanes", "threads", "spans"),
    [
        (1, None, 1, [(0, 1, 4)]),
        (4, None, 1, [(0, 4, 4)]),
        (5, None, 1, [(0, 5, 8)]),
        (9, None, 1, [(0, 9, 16)]),
        (20, None, 1, [(0, 16, 16), (16, 20, 4)]),
        (40, None, 1, [(0, 16, 16), (16, 32, 16), (32, 40, 8)]),
        (5, 2, 1, [(0, 2, 2), (2, 4, 2), (4, 5, 2)]),
        (5, 2, 4, [(0, 2, 2), (2, 4, 2), (4, 5, 2)]),
        (1, None, 2, [(0, 1, 4)]),
        (2, None, 3, [(0, 1, 4), (1, 2, 4)]),
        (5, None, 2, [(0, 3, 4), (3, 5, 4)]),
        (16, None, 2, [(0, 8, 8), (8, 16, 8)]),
        (20, None, 2, [(0, 10, 16), (10, 20, 16)]),
        (40, None, 2, [(0, 16, 16), (16, 32, 16), (32, 40, 8)]),
    ],
)
def test_groups_of_lanes(count, lanes, threads, spans) -> None:
    groups = divide_into_lanes(count, lanes, threads)
    assert [(each.replicates.start, each.replicates.stop, each.lanes) for each in groups] == spans
    for each in groups:
        filling = [0] * (each.lanes - len(each.replicates))
        assert each.members == list(each.replicates) + filling


def test_threads_share_the_replicates(make_sources, make_seeds) -> None:
    """Two replicates would fit into one group; with two threads each has its own."""
    sources, seeds, used = make_sources(2), make_seeds(2), [set(), set()]

    class Witness(Recorder):
        def __init__(self, names, meeting) -> None:
            super().__init__()
            self.names, self.meeting = names, meeting

        def observe(self, chunk, lane) -> None:  # noqa: ARG002
            self.meeting.wait(timeout=60)  # for the other replicate, at the same time
            self.names.add(threading.get_ident())

    meeting = threading.Barrier(2)
    runs = final(
        "v-learning",
        sources,
        seeds,
        50,
        observers=[Witness(each, meeting) for each in used],
        threads=2,
    )
    assert used[0].isdisjoint(used[1])
    for one, other in zip(runs, final("v-learning", sources, seeds, 50), strict=True):
        assert_equal(one, other)
