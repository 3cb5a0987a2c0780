"""The claims table of README.md, made from config/claims.yaml and the recorded costs.

``python -m ccerates.readme`` rewrites the table in place; a test checks that it is up to date.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ccerates.analysis.tables import read_csv
from ccerates.config import read_yaml
from ccerates.errors import InputError

BEGIN, END = "<!-- claims: made by python -m ccerates.readme -->", "<!-- end of claims -->"


def claims_table(claims: Mapping[str, Any], cost: pd.DataFrame) -> str:
    """Return the Markdown table of claims.

    Parameters
    ----------
    claims
        Content of config/claims.yaml.
    cost
        Table of costs of the configuration ``paper``, see `ccerates.analysis.cost`.
    """
    lines = ["| Claim | Command | Core time | Result |", "|---|---|---|---|"]
    for name, claim in claims.items():
        wanted = claim["experiments"]
        rows = cost if wanted == ["everything"] else cost[cost["experiment"].isin(wanted)]
        minutes = f"{rows['core_seconds'].sum() / 60:.0f} min"
        shows = ", ".join(f"[{Path(path).name}]({path})" for path in claim["shows"])
        lines.append(
            f"| **{name}**: {claim['claim']} | `{claim['command']}` | {minutes} | {shows} |"
        )
    return "\n".join(lines)


def with_table(readme: str, table: str) -> str:
    """Return the text of README.md with its claims table replaced.

    Raises
    ------
    InputError
        If the text lacks the lines that mark the table.
    """
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        raise InputError(f"README.md: expected one line {BEGIN!r} and one line {END!r}")
    before, rest = readme.split(BEGIN)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}"


def current_readme(root: Path) -> str:
    """Return what README.md below `root` should read."""
    table = claims_table(
        read_yaml(root / "config/claims.yaml"), read_csv(root / "reference/paper/cost.csv")
    )
    return with_table((root / "README.md").read_text(encoding="utf-8"), table)


if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m ccerates.readme",
        description="Rewrite the claims table of README.md in the current folder.",
    ).parse_args()
    Path("README.md").write_text(current_readme(Path()), encoding="utf-8")
