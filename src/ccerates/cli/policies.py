"""``ccerates policies``: learnt policies for other programs."""

import argparse

from ccerates import api
from ccerates.cli.files import check_output
from ccerates.cli.output import write, write_json
from ccerates.cli.parser import Commands, add_command, add_json
from ccerates.errors import InputError
from ccerates.games.store import load_game

EXAMPLES = """\
ccerates policies export result.npz game.npz --output policy.parquet
ccerates policies export result.npz game.npz --output policy.parquet --force --json
"""


def add_parser(commands: Commands) -> None:
    """Add the commands."""
    policies = commands.add_parser(
        "policies",
        help="write learnt policies for other programs",
        epilog="`ccerates policies export --help` shows examples",
    )
    below = policies.add_subparsers(required=True, metavar="COMMAND", title="commands")
    parser = add_command(
        below,
        "export",
        summary="write the Markov policies of a simulator learner as a Parquet file",
        details="One row for each joint action that may be played: run, step, state, the state's\n"
        "label if the game has one, the action of each player, the probability. The schema's\n"
        "metadata (key ccerates) has algorithm, dimensions and hash of the game as JSON.\n"
        "`ccerates certify` and api.load_policy read the file, bit by bit what was learnt.\n"
        "For OpenSpiel see api.openspiel_policy and api.openspiel_device.",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument("result", metavar="RESULT", help="file that `ccerates learn` wrote")
    parser.add_argument("game", metavar="GAME", help="file of the game (.npz)")
    parser.add_argument(
        "--output", "-o", required=True, metavar="FILE", help="where to write (.parquet)"
    )
    parser.add_argument("--force", action="store_true", help="replace the output if it exists")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the policies."""
    if not arguments.output.endswith(".parquet"):
        raise InputError(f"--output {arguments.output}: the name must end in .parquet")
    inputs = (arguments.result, arguments.game)
    check_output(arguments.output, force=arguments.force, inputs=inputs)
    game, results = load_game(arguments.game), api.load_results(arguments.result)
    rows = api.save_policies(results, game, arguments.output)
    if arguments.json:
        write_json({"file": arguments.output, "runs": len(results), "rows": rows})
    else:
        write(f"{len(results)} runs of {results[0].algorithm} on {game.name}, {rows} rows")
        write(f"wrote {arguments.output}")
    return 0
