"""``ccerates certify``: what the samples alone say about the CCE gap."""

import argparse

from ccerates import api
from ccerates.cli.certificates import write_certificates
from ccerates.cli.output import write, write_json
from ccerates.cli.parser import Commands, add_command, add_json
from ccerates.games.store import load_game
from ccerates.simulator.results_store import load_results

EXAMPLES = """\
ccerates certify rigorous.npz
ccerates certify rigorous.npz game.npz
"""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "certify",
        summary="show the sample-only certificates of learnt policies",
        details="A certificate bounds the CCE gap with the stated probability if it is certified,\n"
        "and is an estimate otherwise. With GAME it is compared with the exact gap.",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument("result", metavar="RESULT", help="file that `ccerates learn` wrote")
    parser.add_argument("game", nargs="?", metavar="GAME", help="file of the game (.npz)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the certificates."""
    results = load_results(arguments.result)
    game = None if arguments.game is None else load_game(arguments.game)
    certificates = api.certify(results, game)
    if arguments.json:
        write_json(certificates)
        return 0
    constants = dict.fromkeys(result.constants for result in results)
    write(f"{results[0].algorithm} with {', '.join(constants)} constants")
    write_certificates(certificates)
    return 0
