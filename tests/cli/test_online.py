"""Online learners on the command line: results, gap bounds, runs that stop and go on."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from ccerates import api
from ccerates.errors import InputError
from ccerates.online.registry import MODULES
from ccerates.online.results_store import load_online_results
from ccerates.online.state_store import load_state

UNIFORM = """
class Learner:
    averaging = "alpha"

    def __init__(self, num_actions, num_states, horizon, episodes, first=None):
        self.num_actions, self.first = num_actions, first

    def act(self, step, state):
        if self.first:
            return [[1.0] + [0.0] * (count - 1) for count in self.num_actions]
        return [[1 / count] * count for count in self.num_actions]

    def update(self, step, state, actions, rewards, next_state):
        pass
"""
SIMULATOR = UNIFORM.replace('averaging = "alpha"', "").replace("episodes", "rounds")


@pytest.fixture
def learn(ccerates, game_file):
    def run(*arguments, algorithm="v-learning", output="online.npz"):
        chosen = ("--learner" if algorithm.endswith(".py") else "--algorithm", algorithm)
        return ccerates("learn", game_file, *chosen, *arguments, "--output", output)

    return run


def assert_equal(got, wanted):
    for field in dataclasses.fields(wanted):
        ours, theirs = getattr(got, field.name), getattr(wanted, field.name)
        if field.name == "trace":
            for one, other in zip(ours, theirs, strict=True):
                np.testing.assert_array_equal(one, other)
        else:
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("algorithm", MODULES)
def test_learn_stores_and_shows_what_the_api_returns(learn, game, algorithm):
    arguments = ("--episodes", 300, "--checkpoints", 50, "--seed", 3, "--replicates", 2)
    outcome = learn(*arguments, "--option", "failure=0.1", algorithm=algorithm)
    assert outcome.code == 0, outcome.errors
    early, late = api.learn_online(
        game,
        algorithm,
        episodes=300,
        checkpoints=[50],
        seed=3,
        replicates=2,
        options={"failure": 0.1},
    )
    stored = load_online_results("online.npz")
    for got, wanted in zip(stored, late.results, strict=True):
        assert_equal(got, wanted)
        assert got.game_hash == game.content_hash
    title, *rows = [line.split("  ") for line in outcome.output.splitlines()[1:6]]
    assert "upper bound on the gap" in title
    cells = [[cell.strip() for cell in row if cell] for row in rows]
    for run, (row, checkpoint) in enumerate(zip(cells, [early, early, late, late], strict=True)):
        result, gap = checkpoint.results[run % 2], checkpoint.gaps[run % 2]
        expected = [f"{checkpoint.episodes}", f"{result.samples}", f"{run % 2}"]
        expected += [f"{gap.gap:.5g}", f"{gap.gap_worst:.5g}"]
        assert row[:5] == expected
        missing = np.isnan(result.certificate)
        assert row[5] == ("-" if missing else f"{result.certificate:.5g}")
    assert outcome.output.endswith("wrote online.npz\n")


def test_json_names_the_kind_of_the_gap(learn, game):
    found = json.loads(learn("--episodes", 200, "--checkpoints", 100, "--json").output)
    (first, last) = found["checkpoints"]
    assert (first["episodes"], last["episodes"], last["samples"]) == (100, 200, 400)
    assert last["gap_kind"] == "upper bound"
    checkpoints = api.learn_online(game, "v-learning", episodes=200)
    assert last["gaps"][0]["gap"] == checkpoints[-1].gaps[0].gap
    (certificate,) = last["certificates"]
    assert (certificate["episodes"], certificate["samples"]) == (200, 400)
    assert certificate["certificate"] is None
    assert not {"rounds", "gap", "slack"} & certificate.keys()


def test_samples_are_whole_episodes(learn):
    assert learn("--samples", 401).code == 0
    (result,) = load_online_results("online.npz")
    assert (result.episodes, result.samples) == (200, 400)  # two steps


def test_without_a_gap_nothing_else_changes(learn):
    with_gap = learn("--episodes", 200).output
    assert "upper bound" in with_gap
    outcome = learn("--episodes", 200, "--no-gap", output="without.npz")
    assert "upper bound" not in outcome.output
    assert Path("online.npz").read_bytes() == Path("without.npz").read_bytes()


def test_certify_shows_the_certificate_of_rigorous_constants(ccerates, learn):
    rigorous = ("--option", "constants=rigorous")
    assert learn("--episodes", 3000, *rigorous, algorithm="evb-online").code == 0
    (result,) = load_online_results("online.npz")
    output = ccerates("certify", "online.npz").output
    title, row = (line.split() for line in output.splitlines()[1:3])
    assert title == ["run", "episodes", "samples", "certificate", "confidence"]
    assert row == ["0", "3000", "6000", f"{result.certificate:.5g}", "0.95"]
    assert "1 of 1 certified" in output


def test_gap_and_certify_with_a_game_say_where_the_bound_is(ccerates, learn, game_file):
    learn("--episodes", 20)
    for command in (("gap", game_file, "online.npz"), ("certify", "online.npz", game_file)):
        code, output, errors = ccerates(*command)
        assert (code, output, errors.count("\n")) == (2, "", 1)
        assert "v-learning learnt online: its policy depends on all 20 episodes" in errors
        assert "the upper bound on its gap is computed beside the run" in errors


# Stopping and going on.


class StopAfter:
    """Tells to stop when it was asked a number of times."""

    def __init__(self, times):
        self.times = times

    def __call__(self):
        self.times -= 1
        return self.times < 0


@pytest.mark.parametrize("algorithm", ["v-learning", "evb-online"])
def test_a_stopped_run_goes_on_bit_by_bit(game, tmp_path, algorithm):
    state = str(tmp_path / "state.npz")
    episodes, checkpoints = 9000, [1000, 8000]
    arguments = {"episodes": episodes, "checkpoints": checkpoints, "replicates": 2, "seed": 4}
    whole = api.learn_online(game, algorithm, **arguments)
    with pytest.raises(api.Stopped):
        api.learn_online(game, algorithm, **arguments, state=state, stop=StopAfter(1))
    stopped_at = load_state(state)[0].episode
    assert 1000 < stopped_at < episodes
    later = api.learn_online(game, algorithm, **arguments, state=state, threads=2)
    left = [checkpoint for checkpoint in whole if checkpoint.episodes >= stopped_at]
    for got, wanted in zip(later, left, strict=True):
        assert got.episodes == wanted.episodes
        for run in range(2):
            assert_equal(got.results[run], wanted.results[run])
            np.testing.assert_equal(got.gaps[run], wanted.gaps[run])
    done = api.learn_online(game, algorithm, **arguments, state=state)  # nothing is left to do
    assert [checkpoint.episodes for checkpoint in done] == [9000]
    np.testing.assert_equal(done[0].gaps, whole[-1].gaps)


def test_rows_are_shown_when_their_checkpoint_is_reached(learn, monkeypatch):
    arguments = ("--episodes", 9000, "--checkpoints", 1000, "--state", "state.npz")
    learn_online, stopped = api.learn_online, StopAfter(1)
    with monkeypatch.context() as patch:
        patch.setattr(
            api, "learn_online", lambda *a, **k: learn_online(*a, **k | {"stop": stopped})
        )
        first = learn(*arguments)
    assert first.code == 130
    episode = load_state("state.npz")[0].episode
    assert 1000 < episode < 9000
    assert f"kept in state.npz at episode {episode}; the same command goes on" in first.errors
    later = learn(*arguments)
    assert later.code == 0
    assert later.errors == (
        f"going on from episode {episode}, kept in state.npz; rows of checkpoints passed before "
        "are not shown again\n"
    )
    assert "state.npz stays, at the last episode; delete it when you are done" in later.output
    assert Path("state.npz").exists()
    whole = learn(*arguments[:4], output="whole.npz").output.splitlines()
    assert first.output.splitlines() == whole[:3]
    assert later.output.splitlines()[:3] == [*whole[:2], whole[3]]
    assert [line.split()[0] for line in whole[2:4]] == ["1000", "9000"]
    assert len({len(line) for line in whole[1:4]}) == 1  # columns are aligned


def test_results_outlive_a_reader_that_closes_early(learn, monkeypatch):
    def refuse(*_):
        raise BrokenPipeError

    with monkeypatch.context() as patch:
        patch.setattr("ccerates.cli.learn_online.CheckpointTable.write", refuse)
        assert learn("--episodes", 20, "--checkpoints", 5).code == 0
    (result,) = load_online_results("online.npz")
    assert result.episodes == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--episodes", 201), "state.npz: holds a run with episodes 200, not 201; ask for the s"),
        (("--episodes", 200, "--seed", 1), "holds a run with seed 0, not 1; ask for the same"),
        (("--episodes", 200, "--replicates", 2), "holds a run with replicates 1, not 2"),
        (("--episodes", 200, "--no-gap"), "holds a run with a bound on the gap True, not False"),
        (
            ("--episodes", 200, "--option", "failure=0.1"),
            "with option failure 0.05, not 0.1",
        ),
    ],
)
def test_a_state_of_another_run_is_refused(learn, arguments, message):
    assert learn("--episodes", 200, "--state", "state.npz").code == 0
    before = Path("state.npz").read_bytes()
    outcome = learn(*arguments, "--state", "state.npz", output="other.npz")
    assert (outcome.code, outcome.output, outcome.errors.count("\n")) == (2, "", 1)
    assert message in outcome.errors
    assert not Path("other.npz").exists()
    assert Path("state.npz").read_bytes() == before


def test_states_of_other_learners_and_games_are_refused(learn, game, tmp_path):
    assert learn("--episodes", 200, "--state", "state.npz").code == 0
    other = learn("--episodes", 200, "--state", "state.npz", algorithm="evb-online", output="o.npz")
    assert "holds a run with algorithm v-learning, not evb-online" in other.errors
    copy = dataclasses.replace(game, reward=game.reward / 2)
    with pytest.raises(InputError, match="holds a run with game"):
        api.learn_online(copy, "v-learning", episodes=200, state=str(tmp_path / "state.npz"))


def test_a_damaged_state_is_named(learn):
    Path("state.npz").write_bytes(b"PK")
    outcome = learn("--episodes", 20, "--state", "state.npz")
    assert outcome.code == 2
    assert outcome.errors.startswith("error: state.npz: not a usable unfinished runs file")


# Learners in files.


def test_a_learner_in_a_file_is_evaluated(ccerates, learn, game):
    Path("mine.py").write_text(UNIFORM)
    outcome = learn("--episodes", 300, algorithm="mine.py")
    assert outcome.code == 0, outcome.errors
    (result,) = load_online_results("online.npz")
    assert (result.algorithm, result.episodes) == ("mine.py", 300)
    # Uniform play has an exact gap, and the bound is tight for it: nothing to remember.
    bound = float(outcome.output.splitlines()[2].split()[3])
    assert bound == pytest.approx(api.show_game(game).uniform_gap, rel=1e-4)
    assert "1 of 1 without: the learner gives no bound" in ccerates("certify", "online.npz").output
    pure = learn("--episodes", 300, "--option", "first=true", algorithm="mine.py", output="b.npz")
    assert float(pure.output.splitlines()[2].split()[3]) != pytest.approx(bound, rel=1e-2)


def test_a_file_with_a_required_option_is_run_once(learn, game):
    text = UNIFORM.replace("first=None", "first")
    Path("mine.py").write_text(f"with open('runs', 'a') as runs: runs.write('x')\n{text}")
    outcome = learn("--episodes", 30, "--option", "first=true", algorithm="mine.py")
    assert outcome.code == 0, outcome.errors
    assert Path("runs").read_text() == "x"
    (stored,) = load_online_results("online.npz")
    again = api.learn_online(game, api.load_learner("mine.py", {"first": True}), episodes=30)
    assert_equal(stored, again[0].results[0])
    missing = learn("--episodes", 30, algorithm="mine.py", output="b.npz")
    assert missing.errors == "error: mine.py: option 'first' is missing; add it\n"


def test_options_are_given_once_and_in_the_right_place(game, tmp_path):
    (tmp_path / "mine.py").write_text(UNIFORM)
    loaded = api.load_learner(tmp_path / "mine.py")
    with pytest.raises(InputError, match=r"mine\.py is loaded; give them to load_learner"):
        api.learn_online(game, loaded, episodes=5, options={"first": True})
    with pytest.raises(InputError, match=r"mine\.py: belongs to the online setting; give it epis"):
        api.learn(game, loaded, rounds=5)
    with pytest.raises(InputError, match=r"mine\.py: a learner in a file; load_learner"):
        api.setting_of("mine.py")


def test_a_simulator_learner_in_a_file(ccerates, learn, game, game_file):
    Path("mine.py").write_text(SIMULATOR)
    assert learn("--samples", 61, algorithm="mine.py").code == 0
    (result,) = api.load_results("online.npz")
    assert (result.rounds, result.samples) == (10, 60)  # two steps, three states
    found = json.loads(ccerates("gap", game_file, "online.npz", "--json").output)
    uniform = api.show_game(game).uniform_gap
    assert found["runs"][0]["gap"] == pytest.approx(uniform, rel=1e-12)


def test_faults_of_a_file_take_one_line(learn):
    Path("mine.py").write_text(UNIFORM.replace("        pass", "        1 / 0"))
    outcome = learn("--episodes", 5, algorithm="mine.py")
    assert (outcome.code, outcome.output) == (2, "")
    assert outcome.errors.startswith(
        "error: mine.py, line 14, in update: `1 / 0`: ZeroDivisionError: division by zero (update"
    )
    assert outcome.errors.count("\n") == 1


WRONG = {
    "rounds of an online learner": (
        ("--algorithm", "evb-online", "--rounds", 5),
        "--rounds: goes with simulator learners; evb-online is an online learner, which takes",
    ),
    "episodes of a simulator learner": (
        ("--algorithm", "q-ftrl", "--episodes", 5),
        "--episodes: goes with online learners; q-ftrl is a simulator learner, which takes",
    ),
    "checkpoints of a simulator learner": (
        ("--algorithm", "q-ftrl", "--rounds", 5, "--checkpoints", 2),
        "--checkpoints: goes with online learners",
    ),
    "state of a simulator learner": (
        ("--algorithm", "q-ftrl", "--rounds", 5, "--state", "s.npz"),
        "--state: goes with online learners",
    ),
    "no gap of a simulator learner": (
        ("--algorithm", "q-ftrl", "--rounds", 5, "--no-gap"),
        "--no-gap: goes with online learners",
    ),
    "rounds of an online file": (
        ("--learner", "mine.py", "--rounds", 5),
        "--rounds: goes with simulator learners; mine.py is an online learner",
    ),
    "episodes of a simulator file": (
        ("--learner", "simulator.py", "--episodes", 5),
        "--episodes: goes with online learners; simulator.py is a simulator learner",
    ),
    "state of a file": (
        ("--learner", "mine.py", "--episodes", 5, "--state", "s.npz"),
        "state: mine.py is plain Python, which no file can hold; leave it out",
    ),
    "threads of a file": (
        ("--learner", "mine.py", "--episodes", 5, "--threads", 2),
        "threads: mine.py is plain Python and runs in one; leave it out",
    ),
    "threads of a simulator file": (
        ("--learner", "simulator.py", "--rounds", 5, "--threads", 2),
        "threads: simulator.py is plain Python and runs in one",
    ),
    "option of a file": (
        ("--learner", "mine.py", "--episodes", 5, "--option", "fist=1"),
        "mine.py: unknown option 'fist'; did you mean 'first'?",
    ),
    "no such file": (("--learner", "none.py", "--episodes", 5), "none.py: No such file"),
    "no Python": (
        ("--learner", "game.npz", "--episodes", 5),
        "--learner: expected a Python file (.py), got 'game.npz'",
    ),
    "file as an algorithm": (
        ("--algorithm", "mine.py", "--episodes", 5),
        "--algorithm: write --learner mine.py for a file",
    ),
    "both": (
        ("--algorithm", "q-ftrl", "--learner", "mine.py", "--rounds", 5),
        "argument --learner: not allowed with argument --algorithm",
    ),
    "no learner": (("--rounds", 5), "one of the arguments --algorithm --learner is required"),
    "two budgets": (
        ("--algorithm", "evb-online", "--episodes", 5, "--samples", 9),
        "not allowed with argument",
    ),
    "no episodes": (
        ("--algorithm", "evb-online", "--episodes", 0),
        "episodes: expected an integer in 1..9007199254740992, got 0",
    ),
    "too few samples": (
        ("--algorithm", "evb-online", "--samples", 1),
        "samples: 1 do not last for one episode of this game, which takes 2; take more",
    ),
    "checkpoints beyond the end": (
        ("--algorithm", "evb-online", "--episodes", 5, "--checkpoints", 6),
        "checkpoints: expected an integer in 1..5, got 6",
    ),
    "checkpoints that fall": (
        ("--algorithm", "evb-online", "--episodes", 5, "--checkpoints", 3, 2),
        "checkpoints: must increase: 2 follows 3",
    ),
    "checkpoints twice": (
        ("--algorithm", "evb-online", "--episodes", 5, "--checkpoints", 3, 3),
        "checkpoints: must increase: 3 follows 3",
    ),
    "no replicates": (
        ("--algorithm", "evb-online", "--episodes", 5, "--replicates", 0),
        "replicates: expected an integer >= 1",
    ),
    "too many replicates": (
        ("--algorithm", "evb-online", "--episodes", 5, "--replicates", "1e9"),
        "replicates: the tables of 1000000000 runs need 1072.9 GiB, more than 2 GiB",
    ),
    "unknown option": (
        ("--algorithm", "evb-online", "--episodes", 5, "--option", "rate_scal=2"),
        "options of evb-online: unknown parameter 'rate_scal'; did you mean 'rate_scale'?",
    ),
    "constants of a baseline": (
        ("--algorithm", "v-learning", "--episodes", 5, "--option", "constants=rigorous"),
        "options of v-learning: constants: expected one of practical, theory, got 'rigorous'",
    ),
    "state is the game": (
        ("--algorithm", "v-learning", "--episodes", 5, "--state", "game.npz"),
        "game.npz: is the input; name another file",
    ),
    "no folder for the state": (
        ("--algorithm", "v-learning", "--episodes", 5, "--state", "none/s.npz"),
        "there is no folder none; make it first",
    ),
    "state is the output": (
        ("--algorithm", "v-learning", "--episodes", 5, "--state", "new.npz"),
        "--state: is the output, too; name another file",
    ),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.usefixtures("game_file")
def test_wrong_combinations_take_one_line(ccerates, case):
    Path("mine.py").write_text(UNIFORM)
    Path("simulator.py").write_text(SIMULATOR)
    before = {path: path.read_bytes() for path in Path().iterdir()}
    arguments, message = WRONG[case]
    code, output, errors = ccerates("learn", "game.npz", *arguments, "--output", "new.npz")
    assert (code, output) == (2, "")
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert message in errors
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize(
    ("call", "algorithm", "message"),
    [
        (api.learn, "evb-online", "belongs to the online setting; give it episodes (learn_online)"),
        (api.learn_online, "evb-sim", "belongs to the simulator setting; give it rounds (learn),"),
        (api.learn, "EVB-sim", "unknown learner 'EVB-sim'; did you mean 'evb-sim'?"),
        (api.learn_online, "evb-onlin", "unknown learner 'evb-onlin'; did you mean 'evb-online'?"),
    ],
)
def test_functions_name_each_other(game, call, algorithm, message):
    with pytest.raises(InputError) as caught:
        call(game, algorithm, samples=100)
    assert message in str(caught.value)


class Learner:
    pass


@pytest.mark.parametrize("call", [api.learn, api.learn_online])
@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        (Learner, "Learner'>; put a class Learner into a file of its own and give its path, \"my_"),
        (Learner(), "give the name of a learner, the path of a learner's file, or what load_lear"),
        (Path("mine.py"), "write 'mine.py'"),
    ],
)
def test_learners_of_the_wrong_kind_are_told_what_to_be(game, call, algorithm, message):
    with pytest.raises(InputError) as caught:
        call(game, algorithm, samples=100)
    assert str(caught.value).startswith("algorithm: expected text, got ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda game: api.learn(game, "evb-sim", rounds=5),
        lambda game: api.learn_online(game, "evb-online", episodes=5),
        lambda game: api.affordable_rounds(game, "evb-sim", 100),
        lambda game: api.gap(game, []),
        lambda game: api.certify([], game),
        lambda game: api.certified_policy(game, None),
        api.show_game,
    ],
)
def test_files_in_place_of_games_are_to_be_loaded(call):
    for game in ("game.npz", Path("game.npz")):
        with pytest.raises(InputError, match=r"game: expected a game.*write load_game\('game.npz'"):
            call(game)
    with pytest.raises(InputError, match=r"expected a game, got 3; make_game\(...\) and load_game"):
        call(3)


def test_budgets_of_the_api(game):
    for budget in ({}, {"episodes": 5, "samples": 10}):
        with pytest.raises(InputError, match="episodes, samples: give exactly one of them"):
            api.learn_online(game, "v-learning", **budget)


def test_results_of_two_settings_do_not_mix(game, tmp_path):
    (online,) = api.learn_online(game, "v-learning", episodes=5)
    offline = api.learn(game, "evb-sim", rounds=5)
    with pytest.raises(InputError, match="results of both settings"):
        api.save_results([*offline, *online.results], tmp_path / "both.npz")
