"""The profile on a real SLURM of one node: jobs are killed, its controller and Snakemake stop.

On demand: ``./test tests/cluster -m slurm``.
"""

import os
import signal
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec

import pytest

from cluster.conftest import TARGET
from cluster.one_node_slurm import OneNodeSlurm, missing, one_node_slurm, wait_until
from cluster.outputs import contents
from workflow.conftest import Workflow

pytestmark = pytest.mark.slurm
COMMAND = [sys.executable, "-m", "snakemake", TARGET, "--configfile", "tiny.yaml"]
# Without accounting there is no sacct; and a test has no time for the pauses of a large cluster.
COMMAND += ["--profile", "workflow/profiles/slurm", "--jobs", "2"]
COMMAND += ["--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "2"]


@pytest.fixture
def slurm():
    if missing():
        pytest.skip(f"SLURM is not installed: no {', '.join(missing())} (apt install slurm-wlm)")
    if not find_spec("snakemake_executor_plugin_slurm"):
        pytest.skip("Snakemake's plugin is not installed, see docs/how-to/cluster.md")
    with one_node_slurm() as cluster:
        yield cluster


def start(workflow: Workflow, slurm: OneNodeSlurm) -> subprocess.Popen[str]:
    """Start Snakemake in a process group of its own."""
    with (workflow.folder / "run.log").open("w") as log:
        return subprocess.Popen(
            COMMAND,
            cwd=workflow.folder,
            env={**slurm.environment, "OPENBLAS_NUM_THREADS": "1"},
            stdout=log,
            stderr=log,
            start_new_session=True,
            text=True,
        )


def running(slurm: OneNodeSlurm) -> list[str]:
    """Return the ids of jobs that run, with two processes at least: the job itself has begun."""
    jobs = slurm.run("squeue", "--noheader", "--format=%i", "--states=RUNNING").split()
    return [job for job in jobs if len(processes(slurm, job)) > 1]


def processes(slurm: OneNodeSlurm, job: str) -> list[int]:
    lines = slurm.run("scontrol", "listpids", job).splitlines()[1:]
    return [int(line.split()[0]) for line in lines if line.split()[0] != "-1"]


def states(slurm: OneNodeSlurm) -> Counter[str]:
    return Counter(slurm.run("squeue", "--noheader", "--format=%T", "--states=all").split())


def test_killed_jobs_are_made_again_and_a_controller_may_restart(elsewhere, here, slurm) -> None:
    run = start(elsewhere, slurm)
    wait_until(lambda: len(running(slurm)) > 1, "two jobs run", 600)
    cancelled, killed = running(slurm)
    slurm.run("scancel", cancelled)
    for process in processes(slurm, killed):
        os.kill(process, signal.SIGKILL)
    slurm.stop_controller()
    slurm.start_controller()
    assert run.wait() == 0, (elsewhere.folder / "run.log").read_text()
    assert contents(elsewhere.folder) == here
    found = states(slurm)
    assert (found["CANCELLED"], found["FAILED"]) == (1, 1)
    assert found["COMPLETED"] == found.total() - 2
    memory = slurm.run("squeue", "--noheader", "--format=%m", "--states=all").split()
    assert Counter(memory)["2000M"] == 2


def test_snakemake_may_be_killed(elsewhere, here, slurm) -> None:
    run = start(elsewhere, slurm)
    wait_until(lambda: len(running(slurm)) > 0, "a job runs", 600)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    # As docs/how-to/cluster.md says.
    slurm.run("scancel", "--me")
    wait_until(lambda: not slurm.run("squeue", "--noheader"), "jobs end")
    subprocess.run([*COMMAND[:6], "--unlock"], cwd=elsewhere.folder, check=True)
    run = start(elsewhere, slurm)
    assert run.wait() == 0, (elsewhere.folder / "run.log").read_text()
    assert contents(elsewhere.folder) == here


def test_ctrl_c_cancels_all_jobs_and_the_same_command_resumes(elsewhere, here, slurm) -> None:
    run = start(elsewhere, slurm)
    wait_until(lambda: len(running(slurm)) > 0, "a job runs", 600)
    os.kill(run.pid, signal.SIGINT)
    assert run.wait() == 1
    wait_until(lambda: not slurm.run("squeue", "--noheader"), "jobs end")
    run = start(elsewhere, slurm)
    assert run.wait() == 0, (elsewhere.folder / "run.log").read_text()
    assert contents(elsewhere.folder) == here
