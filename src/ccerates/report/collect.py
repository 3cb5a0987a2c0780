"""Everything that a page shows, read from what the pipeline made."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ccerates.analysis.publish import COLUMNS, SWEEPS
from ccerates.analysis.verification import NO_REFERENCE
from ccerates.errors import InputError
from ccerates.report.cells import mathematics, number, with_interval
from ccerates.report.claims import EVERYTHING, Claim, read_claims
from ccerates.report.figures import FigureView, figure_view
from ccerates.report.findings import FINDINGS
from ccerates.report.provenance import Provenance, provenance
from ccerates.report.tables import TableView, read_table, table_view
from ccerates.report.verdicts import (
    AGREES,
    MISSES,
    Verdict,
    bound_sentence,
    bound_term,
    combine,
    exponent_sentence,
    judge,
    label,
    verification,
)
from ccerates.theory.checks.registry import CHECKS

HEADLINES = ("sim-players", "online-horizon")
"""Claims whose figures a reader sees first."""

CHECKS_OF = {"bandit": ("C1", "C2", "C3", "C4"), "certificate": ("C6",), "lower-bound": ("C10",)}
"""Checks of the proofs that are about the runs of a table."""


@dataclass(frozen=True)
class Sources:
    """Where everything lies.

    Attributes
    ----------
    claims, config, lock
        Files: the claims, the configuration, the locked requirements.
    captions
        Folder with a caption ``{figure}.rst`` for each figure.
    figures
        Folder of the figures; that of the tables is ``tables`` in it.
    reference
        Folder of the reference of this configuration, which need not exist.
    """

    claims: Path
    config: Path
    lock: Path
    captions: Path
    figures: Path
    reference: Path


@dataclass(frozen=True)
class ClaimView:
    """A claim as the page shows it.

    Attributes
    ----------
    name, sentence, command
        As in `ccerates.report.claims.Claim`, with formulas in symbols; the command names the
        configuration.
    cost
        Core time of its runs, in words.
    verdict
        What the tables say.
    exponents
        A row for each exponent it is about: algorithm, bound, measured, verdict and its kind.
    findings
        Sentences about tables that have no verdict.
    verification
        How its tables compare with the reference.
    figures, tables
        What it shows.
    """

    name: str
    sentence: str
    command: str
    cost: str
    verdict: Verdict
    exponents: list[dict[str, str]]
    findings: list[str]
    verification: str
    figures: list[FigureView]
    tables: list[TableView]


@dataclass(frozen=True)
class Report:
    """A page: its claims in order, those whose figures come first, totals, checks, provenance."""

    claims: list[ClaimView]
    headlines: list[ClaimView]
    exponents: Verdict
    bounds: Verdict
    verification: str
    checks: list[tuple[str, str]]
    provenance: Provenance


def collect(sources: Sources, folder: Path) -> Report:
    """Read everything that a page shows.

    Parameters
    ----------
    sources
        Where it lies.
    folder
        Folder of the page, for links to files beside it.

    Raises
    ------
    InputError
        If a file is missing or not what it should be; the message names it.
    """
    origin = provenance(sources.config, sources.lock)
    reader = _Reader(sources, folder, origin)
    claims = [reader.claim_view(claim) for claim in read_claims(sources.claims)]
    by_name = {claim.name: claim for claim in claims}
    missing = [name for name in HEADLINES if name not in by_name]
    if missing:
        raise InputError(
            f"{sources.claims}: no claim {', '.join(missing)}; the page begins with it"
        )
    return Report(
        claims=claims,
        headlines=[by_name[name] for name in HEADLINES],
        exponents=judge(reader.exponents, exponent_sentence, "exponents"),
        bounds=judge(_without_exponents(reader.bounds), bound_sentence, "rows of checks"),
        verification=verification(reader.verify, reader.compared, reader.reference_name),
        checks=[(check.name, check.statement) for check in CHECKS.values()],
        provenance=origin,
    )


def _without_exponents(bounds: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the bounds that are about runs: C9 repeats the exponents."""
    return bounds[~bounds["check"].str.startswith("C9 ")]


class _Reader:
    """Reads tables and makes views of claims."""

    def __init__(self, sources: Sources, folder: Path, origin: Provenance) -> None:
        self._sources = sources
        self._folder = folder
        self._origin = origin
        self.exponents = self._table("exponents")
        self.bounds = self._table("bounds")
        self.verify = self._table("verify")
        self.compared = list(self.verify["claim"].unique())
        self.reference_name = f"reference/{origin.name}"
        cost = sources.reference / "cost.csv"
        self._cost = read_table(cost, COLUMNS["cost"]) if cost.exists() else None

    def _path(self, name: str) -> Path:
        folder = self._sources.reference if name == "cost" else self._sources.figures / "tables"
        return folder / f"{name}.csv"

    def _table(self, name: str) -> pd.DataFrame:
        return read_table(self._path(name), COLUMNS.get(name, ()))

    def claim_view(self, claim: Claim) -> ClaimView:
        """Return a claim as the page shows it."""
        tables = {
            name: self._table(name)
            for name in claim.tables
            if name != "cost" or self._cost is not None
        }
        exponents = self._exponents_of(tables)
        return ClaimView(
            name=claim.name,
            sentence=mathematics(claim.sentence),
            command=self._command(claim),
            cost=self._core_time(claim),
            verdict=self._verdict(tables, exponents),
            exponents=[_exponent(row) for row in exponents.to_dict("records")],
            findings=[
                line for name in tables if name in FINDINGS for line in FINDINGS[name](tables[name])
            ],
            verification=verification(self.verify, self._compared(tables), self.reference_name),
            figures=[self._figure(name) for name in claim.figures],
            tables=[
                table_view(name, table, self._path(name), self._folder)
                for name, table in tables.items()
            ],
        )

    def _compared(self, tables: dict[str, pd.DataFrame]) -> list[str]:
        return self.compared if "verify" in tables else list(tables)

    def _exponents_of(self, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
        """Return the exponents that belong to the sweeps among some tables."""
        shown = pd.concat([tables[name] for name in tables if name in SWEEPS] or [pd.DataFrame()])
        if shown.empty:
            return self.exponents.iloc[:0]
        pairs = set(zip(shown["setting"], shown["axis"], strict=True))
        own = [
            pair in pairs
            for pair in zip(self.exponents["setting"], self.exponents["axis"], strict=True)
        ]
        return self.exponents[own]

    def _verdict(self, tables: dict[str, pd.DataFrame], exponents: pd.DataFrame) -> Verdict:
        found = []
        if len(exponents) or "exponents" in tables:
            rows = self.exponents if "exponents" in tables else exponents
            found.append(judge(rows, exponent_sentence, "exponents"))
        if "bounds" in tables:
            found.append(judge(_without_exponents(self.bounds), bound_sentence, "rows of checks"))
        checked = [self._checks_of(name, tables) for name in tables if name in CHECKS_OF]
        found += [judge(rows, bound_sentence, "rows of checks") for rows in checked]
        if "verify" in tables:
            found.append(_verify_verdict(self.verify))
        return combine(found)

    def _checks_of(self, name: str, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
        own = self.bounds["check"].str.partition(" ")[0].isin(CHECKS_OF[name])
        if name == "bandit":
            own &= self.bounds["algorithm"].isin(tables[name]["bandit"])
        return self.bounds[own]

    def _figure(self, name: str) -> FigureView:
        path = self._sources.captions / f"{name}.rst"
        try:
            caption = " ".join(path.read_text(encoding="utf-8").split())
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}; write the caption of {name}") from None
        return figure_view(self._sources.figures / name, caption, self._folder)

    def _command(self, claim: Claim) -> str:
        if self._origin.name == "paper":
            return claim.command
        return f"{claim.command} --configfile config/{self._origin.config_file}"

    def _core_time(self, claim: Claim) -> str:
        if self._cost is None:
            return "not recorded for this configuration"
        own = self._cost["experiment"].isin(claim.experiments)
        rows = self._cost if claim.experiments == (EVERYTHING,) else self._cost[own]
        seconds = rows["core_seconds"].sum()
        return (
            f"{seconds / 60:.0f} core minutes" if seconds >= 90 else f"{seconds:.0f} core seconds"
        )


def _exponent(row: Mapping[Any, Any]) -> dict[str, str]:
    kinds = {**dict.fromkeys(AGREES, "agrees"), **dict.fromkeys(MISSES, "misses")}
    return {
        "algorithm": label(row["algorithm"]),
        "bound": bound_term(row),
        "measured": with_interval(row["measured"], row["ci_low"], row["ci_high"]),
        "last": number(round(row["local_slope"], 2)),
        "verdict": row["verdict"],
        "kind": kinds.get(row["verdict"], "open"),
    }


def _verify_verdict(compared: pd.DataFrame) -> Verdict:
    if (compared["verdict"] == NO_REFERENCE).any():
        return Verdict("none", "nothing to compare with", "This configuration has no reference.")
    return judge(
        compared,
        lambda row: (
            f"{row['claim']}: {row['quantity']}: expected {row['expected']}, got {row['got']}"
        ),
        "quantities",
    )
