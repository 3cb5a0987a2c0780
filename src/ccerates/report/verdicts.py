"""What the tables say about a claim: good, bad or open, in words and with every miss named."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ccerates.analysis.bounds import CAUGHT, FAIL, NOT_CAUGHT, PASS, TOO_FEW, UNJUDGED
from ccerates.analysis.verification import NO_REFERENCE
from ccerates.plots.style import SERIES
from ccerates.report.cells import number, power, with_interval

_LISTED = 25
"""Rows beyond these are counted, not listed."""

Describe = Callable[[Mapping[Any, Any]], str]
"""Says in words what a row found."""

AGREES = ("confirmed", "within bound", "consistent", PASS, CAUGHT)
OPEN = ("inconclusive", "not fitted", TOO_FEW)
MISSES = ("miss", FAIL, NOT_CAUGHT)
UNPROMISED = ("no rate", UNJUDGED)

SYMBOLS = {
    ("horizon", "simulator"): "H",
    ("horizon", "online"): "H",
    ("players", "simulator"): "m",
    ("players", "online"): "m",
    ("actions", "simulator"): "A",
    ("actions", "online"): "A",
    ("action-sum", "simulator"): "(Σ Aᵢ)",
    ("states", "simulator"): "S",
    ("states", "online"): "(S \N{MINUS SIGN} 1)",
    ("epsilon", "simulator"): "ε",
    ("epsilon", "online"): "ε",
}
"""What each axis of a sweep varies."""


@dataclass(frozen=True)
class Verdict:
    """What tables say.

    Attributes
    ----------
    kind
        ``agrees``, ``misses``, ``open`` or, where nothing was promised, ``none``.
    word
        The same for people.
    summary
        One sentence.
    misses
        Each row that disagrees, in words.
    unsettled
        Each row that says neither, in words.
    """

    kind: str
    word: str
    summary: str
    misses: list[str] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)


def label(algorithm: str) -> str:
    """Return the name under which figures show an algorithm."""
    return SERIES[algorithm].label if algorithm in SERIES else algorithm


def judge(rows: pd.DataFrame, describe: Describe, noun: str) -> Verdict:
    """Sum up rows that have a ``verdict`` each.

    Parameters
    ----------
    rows
        Of the exponents or of the bounds.
    describe
        Function of a row that says in words what it found.
    noun
        What a row is, in the plural.
    """
    judged = rows[~rows["verdict"].isin(UNPROMISED)]
    if judged.empty:
        return Verdict("none", "nothing to judge", f"No {noun} with a promise to keep.")
    words = {kind: judged[judged["verdict"].isin(kind)] for kind in (AGREES, OPEN, MISSES)}
    total = len(judged)
    parts = [f"{len(words[AGREES])} of {total} {noun} agree"]
    parts += [f"{len(words[OPEN])} open"] if len(words[OPEN]) else []
    parts += [f"{len(words[MISSES])} miss"] if len(words[MISSES]) else []
    kind, word = "agrees", "agrees"
    if len(words[OPEN]):
        kind, word = "open", "partly open"
    if len(words[MISSES]):
        kind, word = "misses", "misses" if len(words[MISSES]) == total else "misses in part"
    missed, unsettled = (_described(words[group], describe) for group in (MISSES, OPEN))
    return Verdict(kind, word, ", ".join(parts) + ".", missed, unsettled)


def _described(rows: pd.DataFrame, describe: Describe) -> list[str]:
    more = len(rows) - _LISTED
    lines = [describe(row) for row in rows.head(_LISTED).to_dict("records")]
    return lines if more <= 0 else [*lines, f"and {more} more"]


def exponent_sentence(row: Mapping[Any, Any]) -> str:
    """Return what a row of the exponents found."""
    symbol = SYMBOLS[row["axis"], row["setting"]]
    said = f"{label(row['algorithm'])}, {row['setting']}: the exponent of {symbol}"
    if math.isnan(row["measured"]):
        return f"{said} could not be fitted"
    said += f" is {with_interval(row['measured'], row['ci_low'], row['ci_high'])}"
    return f"{said}, the bound says {number(row['theory'])} ({row['verdict']})"


def bound_sentence(row: Mapping[Any, Any]) -> str:
    """Return what a row of the bounds found."""
    said = f"{row['check']}, {label(row['algorithm'])}"
    return f"{said}: {number(row['violations'])} of {number(row['runs'])} runs ({row['verdict']})"


def comparison_sentence(row: Mapping[Any, Any]) -> str:
    """Return what a row of the verification found."""
    said = f"expected {row['expected']}, got {row['got']}"
    return f"{row['claim']}: {row['quantity']}: {said} ({row['verdict']})"


def bound_term(row: Mapping[Any, Any]) -> str:
    """Return for example ``H⁴``, or a dash for an algorithm without a bound."""
    if math.isnan(row["theory"]):
        return number(row["theory"])
    return f"{SYMBOLS[row['axis'], row['setting']]}{power(row['theory'])}"


def combine(verdicts: Iterable[Verdict]) -> Verdict:
    """Return one verdict for several, as bad as the worst of them."""
    found = [verdict for verdict in verdicts if verdict.kind != "none"]
    if not found:
        return Verdict("none", "shown, not judged", "Nothing is promised here that could fail.")
    order = ["agrees", "open", "misses"]
    worst = max(found, key=lambda verdict: order.index(verdict.kind))
    return Verdict(
        worst.kind,
        "misses in part" if worst.kind == "misses" and len(found) > 1 else worst.word,
        " ".join(verdict.summary for verdict in found),
        [line for verdict in found for line in verdict.misses],
        [line for verdict in found for line in verdict.unsettled],
    )


def verification(compared: pd.DataFrame, tables: Collection[str] | None, config: str) -> str:
    """Say how the comparison of tables with their references ended.

    Parameters
    ----------
    compared
        Table of all comparisons.
    tables
        Names of those that are meant, or None for all.
    config
        Name of the configuration, which is that of the reference.
    """
    if (compared["verdict"] == NO_REFERENCE).any():
        return "There is no reference to compare with."
    rows = compared if tables is None else compared[compared["claim"].isin(tables)]
    failed = int((rows["verdict"] != PASS).sum())
    if rows.empty:
        return "Not compared with a reference."
    if failed:
        return f"{failed} of {len(rows)} quantities differ from reference/{config}."
    return f"All {len(rows)} quantities compared agree with reference/{config}."
