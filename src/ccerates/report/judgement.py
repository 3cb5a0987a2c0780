"""Which rows of which tables are about a claim, and the verdict that follows."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from ccerates.analysis.publish import SWEEPS
from ccerates.analysis.verification import NO_REFERENCE
from ccerates.report.cells import number, with_interval
from ccerates.report.verdicts import (
    AGREES,
    MISSES,
    UNPROMISED,
    Verdict,
    bound_sentence,
    bound_term,
    combine,
    comparison_sentence,
    exponent_sentence,
    judge,
    label,
)

CHECKS_OF = {"bandit": ("C1", "C2", "C3", "C4"), "certificate": ("C6",), "lower-bound": ("C10",)}
"""Checks of the proofs that are about the runs of a table."""


class Judged(NamedTuple):
    """The tables that hold verdicts."""

    exponents: pd.DataFrame
    bounds: pd.DataFrame
    verify: pd.DataFrame


class ExponentRow(NamedTuple):
    """An exponent as the page shows it; `kind` is that of a `Verdict`."""

    algorithm: str
    bound: str
    measured: str
    last: str
    verdict: str
    kind: str


Tables = Mapping[str, pd.DataFrame]
"""Tables of a claim by name."""


def exponents_of(tables: Tables, exponents: pd.DataFrame) -> pd.DataFrame:
    """Return the exponents that were fitted to the sweeps among some tables."""
    own = [False] * len(exponents)
    for name in tables:
        if name in SWEEPS:
            places = set(zip(tables[name]["setting"], tables[name]["axis"], strict=True))
            each = zip(exponents["setting"], exponents["axis"], strict=True)
            own = [one or place in places for one, place in zip(own, each, strict=True)]
    return exponents[own]


def judge_claim(tables: Tables, judged: Judged) -> Verdict:
    """Return the verdict about a claim.

    Parameters
    ----------
    tables
        What the claim shows.
    judged
        The tables that hold verdicts.
    """
    found = [judge(exponents_of(tables, judged.exponents), exponent_sentence, "exponents")]
    if "exponents" in tables:
        found.append(judge_exponents(judged))
    if "bounds" in tables:
        found.append(judge_checks(judged))
    for name in tables:
        if name in CHECKS_OF:
            own = judged.bounds["check"].str.partition(" ")[0].isin(CHECKS_OF[name])
            if name == "bandit":
                own &= judged.bounds["algorithm"].isin(tables[name]["bandit"])
            found.append(judge(judged.bounds[own], bound_sentence, "rows of checks"))
    if "verify" in tables and not (judged.verify["verdict"] == NO_REFERENCE).any():
        found.append(judge(judged.verify, comparison_sentence, "quantities"))
    return combine(found)


def judge_exponents(judged: Judged) -> Verdict:
    """Return the verdict about all exponents."""
    return judge(judged.exponents, exponent_sentence, "exponents")


def judge_checks(judged: Judged) -> Verdict:
    """Return the verdict about all checks of runs; C9 repeats the exponents."""
    of_runs = ~judged.bounds["check"].str.startswith("C9 ")
    return judge(judged.bounds[of_runs], bound_sentence, "rows of checks")


def exponent_row(row: Mapping[Any, Any]) -> ExponentRow:
    """Return an exponent as the page shows it."""
    kinds = {
        **dict.fromkeys(AGREES, "agrees"),
        **dict.fromkeys(MISSES, "misses"),
        **dict.fromkeys(UNPROMISED, "none"),
    }
    return ExponentRow(
        algorithm=label(row["algorithm"]),
        bound=bound_term(row),
        measured=with_interval(row["measured"], row["ci_low"], row["ci_high"]),
        last=number(round(row["local_slope"], 2)),
        verdict=row["verdict"],
        kind=kinds.get(row["verdict"], "open"),
    )
