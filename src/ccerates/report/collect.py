"""Everything that a page shows, read from what the pipeline made."""

from dataclasses import dataclass
from pathlib import Path

from ccerates.errors import InputError
from ccerates.report.cells import mathematics
from ccerates.report.claims import EVERYTHING, Claim, read_claims
from ccerates.report.figures import FigureView, figure_view
from ccerates.report.findings import FINDINGS
from ccerates.report.judgement import (
    ExponentRow,
    Judged,
    exponent_row,
    exponents_of,
    judge_checks,
    judge_claim,
    judge_exponents,
)
from ccerates.report.provenance import Provenance, provenance
from ccerates.report.sources import COST, Sources
from ccerates.report.tables import TableView, table_view
from ccerates.report.verdicts import Verdict, verification
from ccerates.theory.checks.registry import CHECKS

HEADLINES = ("sim-players", "online-horizon")
"""Claims whose figures a reader sees first."""


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
        The exponents that it is about.
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
    exponents: list[ExponentRow]
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
    judged = Judged(*map(sources.table, Judged._fields))
    claims = [
        _claim_view(claim, sources, judged, origin, folder) for claim in read_claims(sources.claims)
    ]
    by_name = {claim.name: claim for claim in claims}
    missing = [name for name in HEADLINES if name not in by_name]
    if missing:
        raise InputError(f"{sources.claims}: no claim {', '.join(missing)} to begin with")
    return Report(
        claims=claims,
        headlines=[by_name[name] for name in HEADLINES],
        exponents=judge_exponents(judged),
        bounds=judge_checks(judged),
        verification=verification(judged.verify, None, origin.name),
        checks=[(check.name, check.statement) for check in CHECKS.values()],
        provenance=origin,
    )


def _claim_view(
    claim: Claim, sources: Sources, judged: Judged, origin: Provenance, folder: Path
) -> ClaimView:
    tables = {name: sources.table(name) for name in claim.tables if sources.has_table(name)}
    exponents = exponents_of(tables, judged.exponents)
    alone = "" if origin.name == "paper" else f" --configfile {origin.config_file}"
    return ClaimView(
        name=claim.name,
        sentence=mathematics(claim.sentence),
        command=claim.command + alone,
        cost=_core_time(claim, sources),
        verdict=judge_claim(tables, judged),
        exponents=[exponent_row(row) for row in exponents.to_dict("records")],
        findings=[
            line for name in tables if name in FINDINGS for line in FINDINGS[name](tables[name])
        ],
        verification=verification(
            judged.verify, None if "verify" in tables else list(tables), origin.name
        ),
        figures=[
            figure_view(sources.figures / name, sources.caption(name), folder)
            for name in claim.figures
        ],
        tables=[
            table_view(name, table, sources.table_path(name), folder)
            for name, table in tables.items()
        ],
    )


def _core_time(claim: Claim, sources: Sources) -> str:
    if not sources.has_table(COST):
        return "not recorded for this configuration"
    cost = sources.table(COST)
    whole = claim.experiments == (EVERYTHING,)
    rows = cost if whole else cost[cost["experiment"].isin(claim.experiments)]
    seconds = rows["core_seconds"].sum()
    return f"{seconds / 60:.0f} core minutes" if seconds >= 90 else f"{seconds:.0f} core seconds"
