"""Options of ./reproduce that Snakemake would refuse are explained before it starts."""

import re
import shlex
from pathlib import Path

import pytest

from ccerates.options import main

ROOT = Path(__file__).parents[1]
SLURM = "workflow/profiles/slurm"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"name: smoke\nvalues: [4, 6\nfit: 8\n",
            "not a readable YAML file (line 3: expected ',' or ",
        ),
        (b"name:\n\tvalues: 4\n", "not a readable YAML file (line 2: found character '\\t' that"),
        (b"name: \xff\n", "not a readable YAML file ('utf-8' codec can't decode byte 0xff"),
        (
            b"- name\n- values\n",
            "expected keys and values at top level, as in config/smoke.yaml; got [",
        ),
        (b"", "expected keys and values at top level, as in config/smoke.yaml; got None"),
        (None, "No such file or directory, seen from "),
    ],
)
def test_unusable_files_are_named_before_snakemake_starts(tmp_path, capsys, content, message):
    path = tmp_path / "mine.yaml"
    if content is not None:
        path.write_bytes(content)
    assert main(["--cores", "2", "--configfile", str(path), "--dry-run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {path}: {message}")


def test_options_for_snakemake_pass(capsys):
    smoke = str(ROOT / "config/smoke.yaml")
    assert main(["--cores", "2", "--config", "replicates=3", "--configfile", smoke, smoke]) == 0
    assert main(["-c2", "-n", f"--configfile={smoke}"]) == 0
    assert main([]) == 0
    assert capsys.readouterr().err == ""


def test_a_claim_written_with_hyphens_gets_its_command(capsys):
    assert main(["sim-players", "--cores", "2"]) == 2
    assert capsys.readouterr().err == (
        "error: sim-players: to make this claim write ./reproduce sim_players --cores 2\n"
    )
    assert main(["sim_players", "--cores", "2"]) == 0


@pytest.fixture
def without_plugins(monkeypatch):
    monkeypatch.setattr("ccerates.options.find_spec", lambda _: None)
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize(
    "options",
    [
        f"--profile {SLURM} --jobs 50",
        f"sim_horizon --jobs 50 --profile={SLURM}",
        f"--workflow-profile {SLURM}/config.yaml --jobs 50",
        "--executor slurm --jobs 50",
        "-e slurm --jobs 50",
    ],
)
@pytest.mark.usefixtures("without_plugins")
def test_a_missing_plugin_is_named_with_the_command_that_installs_it(capsys, options):
    assert main(shlex.split(options)) == 2
    first, command = capsys.readouterr().err.splitlines()
    assert first.startswith("error: executor slurm: ")
    lock = ROOT / shlex.split(command)[-1]
    assert re.findall(r"^snakemake-executor-plugin-slurm==", lock.read_text(), re.M)


@pytest.mark.usefixtures("without_plugins")
def test_a_plugin_from_elsewhere_is_named(capsys, monkeypatch, tmp_path):
    (tmp_path / "profile.yaml").write_text("executor: lsf\njobs: 4\n")
    monkeypatch.setenv("SNAKEMAKE_PROFILE", str(tmp_path))
    assert main(["--jobs", "4"]) == 2
    assert capsys.readouterr().err.endswith(" -m pip install snakemake-executor-plugin-lsf\n")


@pytest.mark.usefixtures("without_plugins")
def test_executors_that_need_no_plugin_pass(capsys):
    assert main(["-c2"]) == main(["-c2", "-e", "local", "--profile", SLURM]) == 0
    assert main(["-c2", "--executor=dryrun", "--profile", "of-the-user"]) == 0
    assert capsys.readouterr().err == ""
