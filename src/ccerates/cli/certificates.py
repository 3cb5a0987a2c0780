"""Certificates as text."""

from collections.abc import Sequence

from ccerates.api import Certificate
from ccerates.cli.output import write, write_table


def write_certificates(certificates: Sequence[Certificate]) -> None:
    """Write a row for each run, and what the certificates are worth."""
    compared = certificates[0].gap is not None
    titles = ["run", "rounds", "samples", "certificate", *(["gap", "slack"] if compared else [])]
    rows = [
        [run, each.rounds, each.samples, each.certificate]
        + ([each.gap, each.slack] if compared else [])
        for run, each in enumerate(certificates)
    ]
    write_table(titles, rows)
    first = certificates[0]  # all runs of a file are of one algorithm with the same options
    if first.confidence is not None:
        write(
            f"certified: each certificate bounds the CCE gap with probability {first.confidence:g}"
            " or more"
        )
    else:
        write("estimate only: with these constants no certificate promises to bound the CCE gap")
    trivial = sum(each.trivial for each in certificates)
    if trivial:
        write(f"{trivial} of {len(certificates)} say nothing: no gap exceeds the horizon")
    below = sum(each.slack is not None and each.slack < 0.0 for each in certificates)
    if below:
        write(f"{below} of {len(certificates)} lie below the exact gap")
