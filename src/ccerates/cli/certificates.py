"""Certificates as text."""

from collections.abc import Sequence

from ccerates.api import Certificate
from ccerates.cli.output import write, write_table


def write_certificates(certificates: Sequence[Certificate]) -> None:
    """Write a row for each run, and what the certificates are worth."""
    compared = certificates[0].gap is not None
    titles = ["run", "rounds", "samples", "certificate", "confidence"]
    titles += ["gap", "slack"] if compared else []
    rows = [
        [run, each.rounds, each.samples, each.certificate, each.confidence]
        + ([each.gap, each.slack] if compared else [])
        for run, each in enumerate(certificates)
    ]
    write_table(titles, rows)
    certified = sum(each.certified for each in certificates)
    total = len(certificates)
    if certified:
        write(f"{certified} of {total} certified: a bound on the CCE gap, with that confidence")
    if certified < total:
        write(f"{total - certified} of {total} estimated: these constants promise no bound")
    trivial = sum(each.trivial for each in certificates)
    if trivial:
        write(f"{trivial} of {total} say nothing: no gap exceeds the horizon")
    below = sum(each.slack is not None and each.slack < 0.0 for each in certificates)
    if below:
        write(f"{below} of {total} lie below the exact gap")
