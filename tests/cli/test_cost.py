"""``ccerates cost``: a small config, with made-up rates that can be added up by hand."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SMOKE = "config/smoke.yaml"


@pytest.fixture
def rates(tmp_path, monkeypatch):
    """Rates at which every job takes a minute, whatever it does; games are found by their paths."""
    monkeypatch.chdir(ROOT)
    path = tmp_path / "rates.csv"
    path.write_text(
        "algorithm,seconds_per_job,seconds_per_run,ns_per_sample,ns_per_joint_sample\n"
        "q-ftrl,60,0,0,0\n"
    )
    return path


def test_jobs_of_a_minute(ccerates, rates):
    code, output, errors = ccerates("cost", "--config", SMOKE, "--rates", rates, "--cores", 1)
    assert (code, errors) == (0, "")
    lines = [line.split() for line in output.splitlines()]
    (total,) = (line for line in lines if line[0] == "total")
    counts = [int(line[1]) for line in lines[1 : lines.index(total)]]
    assert total[1:] == [str(sum(counts)), str(sum(counts))]
    assert lines[-2] == ["1", "cores:", str(sum(counts)), "minutes"]
    assert lines[-1] == ["longest", "job:", "1", "minutes"]


def test_json_has_the_same_numbers(ccerates, rates):
    found = json.loads(ccerates("cost", "--config", SMOKE, "--rates", rates, "--json").output)
    jobs = sum(count for count, _ in found["experiments"].values())
    assert found["core_seconds"] == 60 * jobs
    assert found["wall_seconds"] == 60 * ((jobs + 1) // 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: --config"),
        (("--config", "none.yaml"), "none.yaml: No such file"),
        (("--config", SMOKE, "--cores", 0), "cores: expected an integer in 1.."),
        (("--config", SMOKE, "--rates", "none.csv"), "none.csv: No such file"),
        (("--config", "config/claims.yaml"), "config/claims.yaml: "),
    ],
)
def test_bad_input(ccerates, rates, arguments, message):  # noqa: ARG001
    code, output, errors = ccerates("cost", *arguments)
    assert (code, output) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
