"""``python -m ccerates`` and ``ccerates`` as processes: start, signals, streams."""

import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest

from ccerates import __version__
from ccerates.cli import main as command_line
from ccerates.games.families import make_game
from ccerates.games.store import save_game
from ccerates.online.state_store import load_state

MODULE = [sys.executable, "-m", "ccerates"]


def process(*arguments, **settings):
    return subprocess.run(
        [*MODULE, *arguments], capture_output=True, check=False, text=True, **settings
    )


def test_module_and_script_are_the_same_command():
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"ccerates": "ccerates.cli.main:run"}
    done = process("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"ccerates {__version__}\n", "")


def test_bad_input_has_no_traceback(tmp_path):
    done = process("games", "show", "none.npz", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: none.npz: there is no such file")
    assert done.stderr.count("\n") == 1


def test_help_of_the_claims_table_writes_nothing(tmp_path):
    (tmp_path / "README.md").write_text("mine")
    command = [sys.executable, "-m", "ccerates.readme", "--help"]
    done = subprocess.run(command, capture_output=True, check=True, text=True, cwd=tmp_path)
    assert "Rewrite the claims table of README.md" in done.stdout
    assert (tmp_path / "README.md").read_text() == "mine"


def test_nothing_heavy_is_imported_to_start():
    code = "import sys, ccerates; assert 'numpy' not in sys.modules\n"
    code += "import ccerates.cli.main\n"
    code += "heavy = {'numba', 'scipy', 'pandas', 'matplotlib', 'pyspiel', 'yaml'}\n"
    code += "print(sorted(heavy & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"


@pytest.fixture
def game_file(tmp_path):
    parameters = {"num_players": 2, "num_actions": 2, "num_states": 2, "horizon": 2}
    game = make_game("dense-random", parameters, np.random.default_rng(0))
    save_game(game, tmp_path / "game.npz")


def wait_for_work(child):
    """Return when a process has worked longer than its start takes, so that the kernel runs."""
    spent = 0.0  # seconds of processor time
    while spent < 3.0:
        time.sleep(0.1)
        fields = Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        spent = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    assert child.poll() is None


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processor time there")
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.usefixtures("game_file")
def test_interruption_ends_a_running_kernel_at_once(tmp_path, threads):
    budget = ["--rounds", "1e12", "--threads", threads, "--replicates", "20"]
    budget += ["--output", "result.npz"]
    command = [*MODULE, "learn", "game.npz", "--algorithm", "evb-sim", *budget]
    child = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        wait_for_work(child)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=30)  # the kernel would run for hours
    finally:
        child.kill()
    assert child.returncode == 130
    assert errors == "\ninterrupted\n"
    assert [path.name for path in tmp_path.iterdir()] == ["game.npz"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processor time there")
@pytest.mark.usefixtures("game_file")
def test_an_interrupted_online_run_goes_on(tmp_path):
    budget = ["--episodes", "1e12", "--state", "state.npz", "--output", "result.npz"]
    command = [*MODULE, "learn", "game.npz", "--algorithm", "v-learning", *budget]
    episodes = []
    for _ in range(2):
        child = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        try:
            wait_for_work(child)
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=120)  # the learner may still be compiled
        finally:
            child.kill()
        assert child.returncode == 130
        reached = load_state(tmp_path / "state.npz")[0].episode
        told = [
            f"going on from episode {each}, kept in state.npz; rows of checkpoints passed "
            "before are not shown again"
            for each in episodes
        ]
        told += ["", "stopping after these episodes; Ctrl-C again ends at once"]
        told += [f"kept in state.npz at episode {reached}; the same command goes on from there"]
        told += ["interrupted"]
        assert errors.splitlines() == told
        episodes.append(reached)
    assert 0 < episodes[0] < episodes[1]
    assert not (tmp_path / "result.npz").exists()


def test_interruption_elsewhere(ccerates, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ccerates.api.rates", interrupt)
    assert ccerates("rates").code == 130


def test_too_little_memory(ccerates, monkeypatch):
    def fill(*_, **__):
        raise MemoryError

    monkeypatch.setattr("ccerates.api.rates", fill)
    code, _, errors = ccerates("rates")
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith("error: not enough memory")


def test_defects_keep_their_traceback(ccerates, monkeypatch):
    monkeypatch.setattr("ccerates.api.rates", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ccerates("rates")


def test_reader_that_closes_early():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*MODULE, "games", "list"], stdout=writing, stderr=subprocess.PIPE, check=False, text=True
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_names_that_the_terminal_cannot_show(tmp_path):
    parameters = {"num_players": 2, "num_actions": 2, "num_states": 2, "horizon": 2}
    game = make_game("dense-random", parameters, np.random.default_rng(0))
    object.__setattr__(game, "name", "jeu éternel")
    save_game(game, tmp_path / "game.npz")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("games", "show", "game.npz", cwd=tmp_path, env=environment)
    assert done.returncode == 0
    assert r"jeu \xe9ternel" in done.stdout


def test_exit_codes_are_the_documented_ones():
    assert (command_line.BAD_INPUT, command_line.INTERRUPTED) == (2, 130)
