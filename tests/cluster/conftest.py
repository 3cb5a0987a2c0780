"""Copies of the workflow: one for jobs elsewhere, one for the same jobs here."""

import pytest

from cluster.outputs import contents
from workflow.conftest import Workflow, fresh

__all__ = ["fresh"]

TARGET = "lower_bound"
"""A claim of few and short jobs, some of which need those before."""


@pytest.fixture
def elsewhere(fresh: Workflow, tmp_path):
    """A workflow before its first run."""
    return fresh.copy(tmp_path / "a folder")


@pytest.fixture(scope="session")
def here(fresh, tmp_path_factory):
    """What a run without a cluster makes."""
    workflow = fresh.copy(tmp_path_factory.mktemp("here") / "a folder")
    run = workflow.snakemake(TARGET, "--cores", "2")
    assert run.returncode == 0, run.stderr
    made = contents(workflow.folder)
    assert any(name.startswith("build/tiny/figures/tables/lower-bound") for name in made)
    return made
