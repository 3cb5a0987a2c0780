"""The lock, environment.yml and pyproject.toml name the same packages at the same versions."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rattler import MatchSpec, Version, VersionSpec

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {
    "jupyter-client": "jupyter_client",
    "matplotlib": "matplotlib-base",
    "snakemake": "snakemake-minimal",
    "typst": "typst-py",
}
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
CONDA = {
    MatchSpec(spec, strict=True).name.normalized: MatchSpec(spec, strict=True)
    for spec in ENVIRONMENT["dependencies"]
    if isinstance(spec, str)
}
(PIP,) = (entry["pip"] for entry in ENVIRONMENT["dependencies"] if isinstance(entry, dict))


def requirements_in() -> list[str]:
    lines = (ROOT / "requirements.in").read_text().splitlines()
    return [canonicalize_name(line) for line in lines if not line.startswith("#")]


def locked(python: str) -> dict[str, str]:
    """Versions that the lock gives to one version of Python."""
    versions = {}
    for entry in re.findall(r"^(\w.*?) *\\$", (ROOT / "requirements.lock").read_text(), re.M):
        requirement = Requirement(entry)
        marker = requirement.marker
        target = {"python_version": python, "python_full_version": f"{python}.7"}
        if marker is None or marker.evaluate(target):
            (pin,) = requirement.specifier
            assert pin.operator == "=="
            versions[canonicalize_name(requirement.name)] = pin.version
    return versions


def test_lock_has_hashes_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    entries = re.split(r"^(?=\w)", text, flags=re.M)[1:]
    assert len(entries) > 50
    assert all("--hash=sha256:" in entry for entry in entries)


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_lock_serves_every_direct_requirement(python: str) -> None:
    assert set(requirements_in()) <= locked(python).keys()


def test_conda_environment_lists_the_direct_requirements() -> None:
    from_pip = {canonicalize_name(line.split("==")[0]) for line in PIP if "==" in line}
    expected = {CONDA_NAMES.get(name, name) for name in requirements_in() if name not in from_pip}
    assert CONDA.keys() - {"python", "pip"} == expected
    assert "--editable ." in PIP


def test_conda_environment_agrees_with_the_lock() -> None:
    python = str(CONDA["python"].version).removesuffix(".*")
    versions = locked(python)
    pip_names = {conda: name for name, conda in CONDA_NAMES.items()}
    for name, spec in CONDA.items():
        if name not in ("python", "pip"):
            version = versions[pip_names.get(name, name)]
            assert VersionSpec(str(spec.version)).matches(Version(version)), f"{spec} != {version}"
    pins = [line.split("==") for line in PIP if "==" in line]
    assert all(versions[canonicalize_name(name)] == version for name, version in pins)


def test_package_needs_only_direct_requirements() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    needed = [*project["project"]["dependencies"], *(name for extra in extras for name in extra)]
    needed += project["build-system"]["requires"]
    names = {canonicalize_name(Requirement(name).name) for name in needed}
    assert names <= set(requirements_in())


def test_python_of_every_file_agrees() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (ROOT / "requirements.lock").read_text()
    assert project["requires-python"] == ">=3.11"
    assert "--python-version 3.11" in lock.splitlines()[1]
    assert str(CONDA["python"].version) == "3.11.*"
