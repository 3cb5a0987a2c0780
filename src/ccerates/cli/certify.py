"""``ccerates certify``: what the samples alone say about the CCE gap."""

import argparse
from collections.abc import Sequence
from typing import Any

from ccerates import api
from ccerates.cli.output import write, write_json, write_table
from ccerates.cli.parser import Commands, add_command, add_json
from ccerates.games.store import load_game
from ccerates.online.result import OnlineResult

EXAMPLES = """\
ccerates certify rigorous.npz
ccerates certify rigorous.npz game.npz
ccerates certify online.npz
"""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "certify",
        summary="show the sample-only certificates of learnt policies",
        details="A certificate bounds the CCE gap with the stated probability if it is certified,\n"
        "and is an estimate otherwise. With GAME it is compared with the exact gap, for simulator\n"
        "learners only.",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument("result", metavar="RESULT", help="file that `ccerates learn` wrote")
    parser.add_argument("game", nargs="?", metavar="GAME", help="file of the game (.npz)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the certificates."""
    results = api.load_results(arguments.result)
    game = None if arguments.game is None else load_game(arguments.game)
    certificates = api.certify(results, game)
    unit = "episodes" if isinstance(results[0], OnlineResult) else "rounds"
    if arguments.json:
        write_json(describe_certificates(certificates, unit))
        return 0
    constants = dict.fromkeys(result.constants for result in results)
    write(f"{results[0].algorithm} with {', '.join(constants)} constants")
    write_certificates(certificates, unit)
    return 0


def describe_certificates(
    certificates: Sequence[api.Certificate], unit: str
) -> list[dict[str, Any]]:
    """Return certificates for JSON: a unit of budget is named, what was not compared left out."""
    described = []
    for each in certificates:
        fields = each._asdict()
        if each.gap is None:
            del fields["gap"], fields["slack"]
        described.append({unit if key == "rounds" else key: fields[key] for key in fields})
    return described


def write_certificates(certificates: Sequence[api.Certificate], unit: str) -> None:
    """Write a row for each run, and what the certificates are worth; a unit of budget is named."""
    compared = certificates[0].gap is not None
    titles = ["run", unit, "samples", "certificate", "confidence"]
    titles += ["gap", "slack"] if compared else []
    rows = [
        [run, each.rounds, each.samples, each.certificate, each.confidence]
        + ([each.gap, each.slack] if compared else [])
        for run, each in enumerate(certificates)
    ]
    write_table(titles, rows)
    write_worth(certificates)


def write_worth(certificates: Sequence[api.Certificate]) -> None:
    """Write what the certificates of some runs are worth."""
    total = len(certificates)
    given = [each for each in certificates if each.certificate is not None]
    certified = sum(each.certified for each in given)
    if certified:
        write(f"{certified} of {total} certified: a bound on the CCE gap, with that confidence")
    if certified < len(given):
        write(f"{len(given) - certified} of {total} estimated: these constants promise no bound")
    if len(given) < total:
        write(f"{total - len(given)} of {total} without: the learner gives no bound")
    trivial = sum(each.trivial for each in certificates)
    if trivial:
        write(f"{trivial} of {total} say nothing: no gap exceeds the horizon")
    below = sum(each.slack is not None and each.slack < 0.0 for each in certificates)
    if below:
        write(f"{below} of {total} lie below the exact gap")
