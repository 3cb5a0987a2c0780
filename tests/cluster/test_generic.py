"""Jobs that a submit command starts elsewhere, here in processes of their own on this machine."""

import shlex
from pathlib import Path

from cluster.conftest import TARGET
from cluster.outputs import contents

HERE = Path(__file__).parent


def test_jobs_run_elsewhere_with_the_resources_of_the_profile(elsewhere, here, tmp_path) -> None:
    queue = tmp_path / "queue"
    submit = shlex.join(map(str, (HERE / "local_submit.sh", queue)))
    status = shlex.join(map(str, (HERE / "local_status.sh", queue)))
    run = elsewhere.snakemake(
        *(TARGET, "--profile", "workflow/profiles/slurm", "--jobs", "2"),
        *("--executor", "cluster-generic", "--cluster-generic-status-cmd", status),
        "--cluster-generic-submit-cmd",
        f"{submit} {{resources.mem_mb}} {{resources.runtime}} {{threads}}",
        *("--seconds-between-status-checks", "1"),
    )
    assert run.returncode == 0, run.stderr
    assert contents(elsewhere.folder) == here

    asked = {path.stem: path.read_text().split() for path in queue.glob("*.asked")}
    codes = {path.stem: path.read_text().strip() for path in queue.glob("*.code")}
    (killed,) = (job for job, code in codes.items() if code != "0")
    again = [job for job, (megabytes, *_) in asked.items() if megabytes == "2000"]
    megabytes, minutes, cores = asked[killed]
    assert (megabytes, cores) == ("1000", "1")
    assert [asked[job] for job in again] == [["2000", str(2 * int(minutes)), "1"]]
    for job in asked.keys() - {killed}:
        log = (queue / f"{job}.log").read_text()
        assert "1 of 1 steps (100%) done" in log
