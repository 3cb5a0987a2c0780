"""README.md: the claims table is in sync, and what it shows as code runs."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from ccerates.errors import InputError
from ccerates.readme import BEGIN, END, claims_table, current_readme, with_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RULES = sorted((ROOT / "workflow/rules").glob("*.smk"))
CLAIMS = yaml.safe_load((ROOT / "config/claims.yaml").read_text(encoding="utf-8"))


def test_claims_table_is_what_config_and_costs_give() -> None:
    assert current_readme(ROOT) == README, "run: python -m ccerates.readme"


def test_claims_table_adds_up_the_core_time_of_a_claims_runs() -> None:
    cost = pd.DataFrame({"experiment": ["a", "a", "b"], "core_seconds": [600.0, 1200.0, 60.0]})
    claim = {"claim": "It holds", "command": "make it", "shows": ["x/y.csv"], "experiments": ["a"]}
    row = claims_table({"c": claim}, cost).splitlines()[-1]
    assert row == "| **c**: It holds | `make it` | 30 min | [y.csv](x/y.csv) |"


def test_nothing_is_left_to_fill_in() -> None:
    assert not re.search(r"@[A-Z]+@|TODO|FIXME", README)


def test_a_readme_without_the_marks_is_refused() -> None:
    with pytest.raises(InputError, match=r"README\.md"):
        with_table("no table here", "| |")
    assert with_table(f"a {BEGIN}old{END} b", "new") == f"a {BEGIN}\nnew\n{END} b"


def test_claims_name_experiments_and_files_that_exist() -> None:
    config = yaml.safe_load((ROOT / "config/paper.yaml").read_text(encoding="utf-8"))
    rules = "".join(path.read_text(encoding="utf-8") for path in RULES)
    for claim in CLAIMS.values():
        single = {"tuning", "bandit", "lower-bound", "everything"}
        known = {*config["sweeps"], *config["curves"], *single}
        assert set(claim["experiments"]) <= known
        command, target, *_ = claim["command"].split()
        assert command == "./reproduce"
        assert f"\nrule {target}:" in rules
        assert all((ROOT / path).exists() for path in claim["shows"])


def test_readme_is_short_and_knows_all_pages() -> None:
    assert len(README.splitlines()) <= 200
    for page in (ROOT / "docs").glob("[eh]*/*.md"):
        assert str(page.relative_to(ROOT)) in README
