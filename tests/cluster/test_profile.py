"""The profile fits the workflow and the lock."""

import re
from pathlib import Path

import yaml

from documents import rules

ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "workflow/profiles/slurm"


def test_rules_that_get_more_time_exist() -> None:
    # Snakemake ignores other names.
    given = yaml.safe_load((PROFILE / "config.yaml").read_text())["set-resources"]
    assert given.keys() <= rules()


def test_lock_has_the_plugin_with_hashes_and_no_address() -> None:
    wanted = (PROFILE / "requirements.in").read_text().splitlines()
    text = (PROFILE / "requirements.lock").read_text()
    entries = re.split(r"^(?=\w)", text, flags=re.M)[1:]
    assert [entry.split("==")[0] for entry in entries] == wanted[-len(entries) :]
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
