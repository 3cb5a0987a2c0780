"""The profile fits the workflow and the lock."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "workflow/profiles/slurm"


def test_lock_has_the_plugin_with_hashes_and_no_address() -> None:
    wanted = (PROFILE / "requirements.in").read_text().splitlines()
    text = (PROFILE / "requirements.lock").read_text()
    entries = re.split(r"^(?=\w)", text, flags=re.M)[1:]
    assert [entry.split("==")[0] for entry in entries] == wanted[-len(entries) :]
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
