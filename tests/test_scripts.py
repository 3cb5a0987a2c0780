"""The commands of the README tell the user what is wrong before they install or run anything."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin"} | environment
    return subprocess.run(command, env=environment, capture_output=True, check=False, text=True)


def test_reproduce_explains_itself() -> None:
    result = run(ROOT / "reproduce", "--help")
    assert result.returncode == 0
    assert "usage: ./reproduce --cores N" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("options", [(), ("--configfile", "config/smoke.yaml")])
def test_reproduce_asks_for_the_number_of_cores(options: tuple[str, ...]) -> None:
    result = run(ROOT / "reproduce", *options)
    assert result.returncode == 2
    assert "for example --cores 2" in result.stderr.splitlines()[0]


@pytest.mark.parametrize("options", [("--cores", "0"), ("--cores=0",), ("-n", "-c0")])
def test_reproduce_refuses_to_wait_for_ever(options: tuple[str, ...]) -> None:
    result = run("./reproduce", *options)
    assert result.returncode == 2
    assert "take 1 or more" in result.stderr


def test_missing_python_is_named(tmp_path: Path) -> None:
    copy = tmp_path / "a folder"
    (copy / "scripts").mkdir(parents=True)
    for name in ("test", "scripts/setup.sh", "pyproject.toml", "requirements.lock"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("cksum", "dirname", "head"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    result = run("/bin/sh", copy / "test", PATH=str(tools))
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("set-up: no usable Python 3.11 or newer found")
