"""What a workflow script prints or raises is in its log; bad input takes one line."""

import subprocess
import sys

import pytest

START = "from ccerates.script import logged\n\nwith logged('logs/job.log'):\n"
BODIES = {
    "progress": "import sys; print('3 of 7 rounds', file=sys.stderr)",
    "warning": "import warnings; warnings.warn('few samples')",
    "wrong input": "from ccerates.errors import InputError; raise InputError('a.npz: cut; retry')",
    "defect": "values = {}\n    values['missing']",
    "no such module": "import no_such_module",
    "bar": "from tqdm import tqdm\n    for _ in tqdm(range(3), disable=None): pass",
}


@pytest.fixture
def run(tmp_path):
    """Run a script with a body in a log; return exit code, standard error and log."""

    def run_body(name):
        (tmp_path / "script.py").write_text(f"{START}    {BODIES[name]}\n")
        command = [sys.executable, "script.py"]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, text=True)
        log = (tmp_path / "logs/job.log").read_text()
        assert log == result.stderr
        return result.returncode, log.splitlines()

    return run_body


def test_progress_is_logged(run):
    assert run("progress") == (0, ["3 of 7 rounds"])


def test_warnings_are_logged(run):
    code, lines = run("warning")
    assert code == 0
    assert lines[0].endswith("script.py:4: UserWarning: few samples")


def test_wrong_input_takes_one_line(run):
    assert run("wrong input") == (2, ["error: a.npz: cut; retry"])


def test_defects_leave_a_traceback(run):
    code, lines = run("defect")
    assert code == 1
    assert lines[0] == "Traceback (most recent call last):"
    assert "    values['missing']" in lines
    assert lines[-1] == "KeyError: 'missing'"


def test_failed_imports_leave_a_traceback(run):
    code, lines = run("no such module")
    assert code == 1
    assert lines[-1] == "ModuleNotFoundError: No module named 'no_such_module'"


def test_progress_bars_do_not_fill_the_log(run):
    assert run("bar") == (0, [])


def test_log_holds_the_last_run_only(run):
    run("defect")
    assert run("progress") == (0, ["3 of 7 rounds"])
