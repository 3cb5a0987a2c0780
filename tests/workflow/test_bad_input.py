"""Bad input to the workflow: one line says what is wrong, and other results stay."""

import base64
import os

import pytest

LOGS = "results/tiny/logs"
RUNS = "results/tiny/runs"
GAME = "results/tiny/games/sim-horizon/horizon-4/0.npz"
TABLE = f"{RUNS}/real-games/pathfinding/evb-sim.parquet"


def truncate(path):
    os.truncate(path, path.stat().st_size // 2)


def snapshot(workflow):
    """Return all files but Snakemake's own, with the times of their last change."""
    paths = (path.relative_to(workflow.folder) for path in workflow.folder.rglob("*"))
    ours = (path for path in paths if path.parts[0] != ".snakemake")
    return {path: (workflow.folder / path).stat().st_mtime_ns for path in ours}


def test_bad_config_is_refused_in_one_line(finished, tmp_path, config):
    workflow = finished.copy(tmp_path / "folder")
    workflow.write_config("bad.yaml", config | {"name": "bad", "replicates": 1})
    before = snapshot(workflow)
    run = workflow.snakemake("artifact", "--cores", "1", config="bad.yaml")
    assert run.returncode == 2
    (message,) = (line for line in run.stderr.splitlines() if "error" in line)
    assert message.startswith("error: bad.yaml: replicates: expected an integer >= 2, got 1")
    assert "Traceback" not in run.stderr + run.stdout
    assert snapshot(workflow) == before


def test_a_config_has_the_name_of_its_file(finished, tmp_path, config):
    """Results of two configs with one name would overwrite each other."""
    workflow = finished.copy(tmp_path / "folder")
    workflow.write_config("mine.yaml", config)
    run = workflow.snakemake("artifact", "--cores", "1", config="mine.yaml")
    assert run.returncode == 2
    assert "error: mine.yaml: name: expected mine, as the file, got tiny" in run.stderr


@pytest.fixture(scope="module")
def damaged(finished, tmp_path_factory):
    """A finished workflow run again after damage, and what that run printed."""
    workflow = finished.copy(tmp_path_factory.mktemp("damaged") / "folder")
    truncate(workflow.folder / GAME)
    truncate(workflow.folder / TABLE)
    workflow.edit("workflow/scripts/paper_numbers.py", "import json", "import no_such_module")
    return workflow, workflow.snakemake("artifact", "--cores", "2", "--keep-going")


def log(workflow, name):
    return (workflow.folder / LOGS / f"{name}.log").read_text()


def test_failures_show_in_the_exit_code(damaged):
    _, run = damaged
    assert run.returncode == 1


@pytest.mark.parametrize("algorithm", ["evb-sim", "q-ftrl"])
def test_truncated_game_is_named(damaged, algorithm):
    workflow, run = damaged
    (message,) = log(workflow, f"runs/sim-horizon/horizon-4/{algorithm}").splitlines()
    assert message.startswith(f"error: {GAME}: not a usable game file: ")
    assert message.endswith("if this was one, delete it and make the game again")
    assert message in run.stderr


def test_truncated_table_of_runs_is_named(damaged):
    workflow, run = damaged
    (message,) = log(workflow, "real_game_gaps").splitlines()
    assert message.startswith(f"error: {TABLE}: not a usable table of runs (")
    assert message.endswith("delete the file and run again")
    assert message in run.stderr


def test_error_at_import_leaves_a_traceback_in_the_log(damaged):
    workflow, _ = damaged
    lines = log(workflow, "paper_numbers").splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert "    import no_such_module" in lines
    assert lines[-1] == "ModuleNotFoundError: No module named 'no_such_module'"


def test_only_what_the_failed_jobs_write_is_gone(damaged, finished):
    workflow, _ = damaged
    made = [path for path in snapshot(finished) if path.parts[0] in ("results", "build")]
    results = [
        path for path in made if (finished.folder / path).is_file() and path.suffix != ".log"
    ]
    gone = {str(path) for path in results if not (workflow.folder / path).exists()}
    assert gone == {
        *(
            f"{RUNS}/sim-horizon/horizon-4/{learner}.{end}"
            for learner in ("evb-sim", "q-ftrl")
            for end in ("npz", "parquet")
        ),
        "results/tiny/analysis/real-games/gaps.csv",
        "results/tiny/paper-numbers.json",
        "build/tiny/figures/tables/real-games.csv",
        "build/tiny/figures/tables/real-games.tex",
    }
    for path in results:
        if str(path) not in {GAME, TABLE, *gone}:
            kept = (workflow.folder / path).read_bytes()
            assert kept == (finished.folder / path).read_bytes(), path


def test_what_an_interruption_left_is_made_again(finished, tmp_path):
    """Snakemake marks files that a job has begun to write, and refuses to go on without a word."""
    workflow = finished.copy(tmp_path / "folder")
    marks = workflow.folder / ".snakemake/incomplete"
    marks.mkdir(exist_ok=True)
    (marks / base64.urlsafe_b64encode(TABLE.encode()).decode()).touch()
    run = workflow.snakemake("artifact", "--cores", "1", "--dry-run")
    assert run.returncode == 0, run.stderr
    assert TABLE in run.stdout
