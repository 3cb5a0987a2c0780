"""``ccerates certify`` answers whether a policy is an eps-CCE, and its exit code says so, too."""

import doctest
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ccerates import api
from ccerates.api import certification
from ccerates.api.evaluation import Certificate
from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap
from certification.crossing import crossing_table

EXAMPLES = Path(__file__).parents[2] / "examples"
CROSSING = str(EXAMPLES / "crossing.py")
MODULE = [sys.executable, "-m", "ccerates"]
FRESH = ("--simulator", CROSSING, "--epsilon", "0.1")


@pytest.fixture
def crossing_policies(tmp_path):
    """Write a traffic light, which is a CCE, and a rush, which is none."""
    light, rush = np.zeros((2, 3, 3, 2, 2))
    light[..., 0, 1] = light[..., 1, 0] = 0.5
    rush[..., 0, 0] = 1.0
    np.save(tmp_path / "light.npy", light.reshape(3, 3, 4))
    np.savez(tmp_path / "rush.npz", rush=rush)


@pytest.mark.usefixtures("crossing_policies")
@pytest.mark.parametrize(
    ("file", "samples", "code", "answer"),
    [
        ("light.npy", "1e5", 0, "YES, a 0.1-CCE: the CCE gap is in [-"),
        ("rush.npz", "1e5", 1, "NO, not a 0.1-CCE: the CCE gap is in [0."),
        ("light.npy", "1000", 3, "NOT YET: the CCE gap is in [-3, 3] with confidence 0.95"),
    ],
)
def test_processes_answer_and_leave_with_the_code(tmp_path, file, samples, code, answer):
    command = [*MODULE, "certify", file, *FRESH, "--samples", samples]
    done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith(answer)


@pytest.mark.usefixtures("crossing_policies")
def test_json_holds_what_the_api_returns(ccerates):
    arguments = ("--delta", "0.2", "--samples", "2e4", "--seed", "3", "--json")
    code, output, _ = ccerates("certify", "rush.npz", *FRESH, *arguments)
    shown = json.loads(output)
    expected = api.certify_policy(
        api.load_simulator(CROSSING),
        api.load_policy("rush.npz"),
        epsilon=0.1,
        failure=0.2,
        samples=20_000,
        seed=3,
    )
    assert (code, shown["answer"], shown["confidence"]) == (1, "no", 0.8)
    assert [shown["lower"], shown["upper"]] == [expected.lower, expected.upper]
    largest = [each["largest"] for each in shown["players"]]
    assert largest == [each.largest._asdict() for each in expected.players]


@pytest.mark.usefixtures("crossing_policies")
def test_the_text_says_who_gains_where_what_it_cost_and_what_more_would_tell(ccerates):
    lines = ccerates("certify", "rush.npz", *FRESH, "--samples", "3000").output.splitlines()
    assert lines[1].split("  ")[0] == "player"
    assert [line.split()[0] for line in lines[2:4]] == ["0", "1"]
    assert "action 1 at step 0, state 0" in lines[2]
    assert lines[4].startswith("2303 samples, ")  # 47 rounds at 7 of 9 places
    more = lines[5].split("--samples ")[1].split(",")[0]
    assert lines[5].startswith("more samples will probably answer no: --samples ")
    assert ccerates("certify", "rush.npz", *FRESH, "--samples", more).code == 1


@pytest.mark.usefixtures("crossing_policies")
def test_a_start_that_is_not_known_is_said(ccerates, tmp_path):
    source = Path(CROSSING).read_text().replace("    start = 0", "    begin = 0")
    (tmp_path / "startless.py").write_text(source)
    simulator = ("--simulator", "startless.py", "--epsilon", "0.1")
    assert "from the worst state" in ccerates("certify", "rush.npz", *simulator).output
    assert "from the worst state" not in ccerates("certify", "rush.npz", *FRESH).output


def test_what_learners_learnt_is_certified(ccerates, game, game_file):
    learn = ("learn", game_file, "--algorithm", "evb-sim", "--replicates", 2, "--output", "r.npz")
    assert ccerates(*learn, "--rounds", 3000).code == 0
    (_, second) = api.load_results("r.npz")
    fresh = ("certify", "r.npz", "--simulator", game_file, "--epsilon", 0.9, "--json")
    assert "holds 2 runs; say which, --replicate 0 for" in ccerates(*fresh).errors
    code, output, _ = ccerates(*fresh, "--replicate", 1)
    shown = json.loads(output)
    assert (code, shown["answer"]) == (0, "yes")
    assert shown["lower"] <= cce_gap(game, second.policy).gap <= shown["upper"]
    assert "replicate: expected an integer in 0..1" in ccerates(*fresh, "--replicate", 2).errors


def test_a_game_in_python_is_learnt_and_certified(ccerates):
    learner = ("--learner", EXAMPLES / "evb.py", "--output", "own.npz")
    code, output, errors = ccerates("learn", CROSSING, *learner, "--samples", 9010)
    assert (code, errors) == (0, "")
    assert output.startswith("evb.py with own constants on crossing.py")
    (result,) = api.load_results("own.npz")
    assert (result.rounds, result.samples) == (1001, 9009)
    code, output, _ = ccerates("certify", "own.npz", "--simulator", CROSSING, "--epsilon", 0.4)
    assert (code, output[:15]) == (0, "YES, a 0.4-CCE:")
    game = crossing_table()
    learnt, uniform = (
        cce_gap(game, each).gap for each in (result.policy, np.full((3, 3, 4), 0.25))
    )
    assert learnt < 0.5 * uniform


@pytest.mark.usefixtures("crossing_policies")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("light.npy", "--simulator", CROSSING), "--epsilon: missing; say which CCE gap is acc"),
        (("light.npy", "--epsilon", 0.1), "light.npy: is a policy; --simulator says of which game"),
        (("light.npy", "game.npz", *FRESH), "GAME: leave it out; with --simulator nothing but"),
        (("light.npy", "--samples", 5), "--samples: goes with --simulator, which draws fresh"),
        (("light.npy", "--delta", 0.1), "--delta: goes with --simulator"),
        (("none.npy", *FRESH), "none.npy: there is no such file, seen from"),
        (("light.txt", *FRESH), "light.txt: the name of a policy's file must end in .npy, .npz or"),
        (("broken.npz", *FRESH), "broken.npz: not a usable policy file"),
        (("two.npz", *FRESH), "two.npz: holds the arrays a, b; name one of them policy"),
        (("light.npy", *FRESH, "--replicate", 0), "replicate: light.npy holds arrays, not the"),
        (("light.npy", *FRESH, "--samples", 62), "samples: 62 do not last for one round"),
        (("light.npy", *FRESH, "--option", "speed=3"), f"{CROSSING}: unknown option 'speed'; Sim"),
        (("light.npy", "--simulator", "game.npz", "--epsilon", 0.1), "policy: expected shape"),
        (
            ("light.npy", "--simulator", "game.npz", "--epsilon", 0.1, "--option", "a=1"),
            "--option: game.npz is the file of a game, which has no options",
        ),
    ],
)
def test_bad_input_takes_one_line(ccerates, game_file, arguments, message):
    assert game_file == "game.npz"
    Path("light.txt").write_text("")
    Path("broken.npz").write_text("no archive")
    np.savez("two.npz", a=np.ones(1), b=np.ones(1))
    code, output, errors = ccerates("certify", *arguments)
    assert (code, output, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"error: {message}")


def test_online_results_have_no_policy_to_certify(ccerates, game_file):
    learn = ("--algorithm", "v-learning", "--episodes", 50, "--no-gap", "--output", "o.npz")
    assert ccerates("learn", game_file, *learn).code == 0
    errors = ccerates("certify", "o.npz", "--simulator", game_file, "--epsilon", 0.1).errors
    assert "v-learning learnt online: its policy depends on all 50 episodes" in errors
    code, output, _ = ccerates("certify", "o.npz", "--epsilon", 0.1)
    assert code == 3
    assert "run 0: not yet, nothing is certified" in output
    errors = ccerates("learn", CROSSING, *learn, "--force").errors
    assert "is a simulator, for simulator learners of your own; v-learning is an online" in errors


def certificate(value, **changes):
    known = {"certified": True, "confidence": 0.95, "trivial": False, "rounds": 1000}
    fields = {**known, "samples": 4000, "gap": None, "slack": None, **changes}
    return Certificate(certificate=value, **fields)


@pytest.mark.parametrize(
    ("value", "changes", "expected"),
    [
        (0.2, {}, ("yes", "samples", None)),
        (0.3, {}, ("not yet", "samples", 2250)),  # (3/2)^2 times as many
        (1.1, {}, ("not yet", "samples", None)),
        (0.1, {"certified": False}, ("not yet", "samples", None)),
        (None, {"certified": False}, ("not yet", "samples", None)),
        (0.3, {"gap": 0.1}, ("yes", "model", None)),
        (0.3, {"gap": 0.21}, ("no", "model", None)),
    ],
)
def test_stored_certificates_are_judged(value, changes, expected):
    assert api.judge(certificate(value, **changes), 0.2, 2) == expected


def test_an_epsilon_no_gap_exceeds():
    with pytest.raises(InputError, match="epsilon: expected a number > 0 and < 2"):
        api.judge(certificate(0.1), 2.0, 2)


def test_stored_results_answer_and_forecast_rounds_that_are_enough(ccerates, game_file):
    learn = ("learn", game_file, "--algorithm", "evb-sim", "--option", "constants=rigorous")
    learn += ("--output", "r.npz", "--force", "--rounds")
    assert ccerates(*learn, 10_000).code == 0
    epsilon = ("--epsilon", 0.15)
    code, output, _ = ccerates("certify", "r.npz", *epsilon, "--json")
    (shown,) = json.loads(output)
    assert (code, shown["answer"], shown["basis"]) == (3, "not yet", "samples")
    assert shown["needed_rounds"] > 10_000
    text = ccerates("certify", "r.npz", *epsilon).output.splitlines()[-1]
    assert text.startswith("run 0: not yet, the certificate is above 0.15; about ")
    code, output, _ = ccerates("certify", "r.npz", game_file, *epsilon)
    assert (code, output.splitlines()[-1]) == (0, "run 0: yes, a 0.15-CCE, by the exact gap")
    assert ccerates(*learn, shown["needed_rounds"]).code == 0
    code, output, _ = ccerates("certify", "r.npz", *epsilon)
    assert code == 0
    assert output.splitlines()[-1] == "run 0: yes, a 0.15-CCE with confidence 0.95"


def test_the_example_of_the_function_runs():
    outcome = doctest.testmod(certification)
    assert (outcome.failed, outcome.attempted >= 5) == (0, True)


SLOW = """
import time
from pathlib import Path

class Simulator:
    num_actions, num_states, horizon, start = (2, 2), 1, 1, 0
    calls = 0

    def sample(self, step, state, actions, generator):
        Simulator.calls += 1
        if self.calls > 5000:
            Path("reached").touch()
            time.sleep(1000)
        return (actions[0] / 2, 0.5), 0
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interruption_tells_what_is_known_so_far(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    np.save(tmp_path / "uniform.npy", np.full((1, 1, 4), 0.25))
    asked = ["--simulator", "slow.py", "--epsilon", "0.24", "--samples", "1e5"]
    command = [*MODULE, "certify", "uniform.npy", *asked]
    child = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "reached").exists():
            assert time.monotonic() < deadline
            assert child.poll() is None
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=30)
    finally:
        child.kill()
    assert child.returncode == 130
    lines = errors.splitlines()
    assert lines[1].startswith("so far: NOT YET: the CCE gap is in [")
    assert lines[2:] == ["interrupted"]
