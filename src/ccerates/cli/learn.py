"""``ccerates learn``: run a learner on a game and store what it learnt."""

import argparse
import textwrap

from ccerates import api
from ccerates.cli.certify import write_certificates
from ccerates.cli.files import check_output
from ccerates.cli.interrupt import interruptible
from ccerates.cli.output import write, write_json
from ccerates.cli.parser import Commands, add_command, add_json, add_output, integer
from ccerates.cli.values import read_settings
from ccerates.games.store import load_game
from ccerates.simulator.results_store import save_results

EXAMPLES = """\
ccerates learn game.npz --algorithm evb-sim --rounds 10000 --seed 2 --output result.npz
ccerates learn game.npz --algorithm evb-sim --rounds 1e5 --option constants=rigorous \\
    --output rigorous.npz
ccerates learn game.npz --algorithm q-ftrl --samples 500000 --replicates 5 --threads 2 \\
    --output q-ftrl.npz
"""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "learn",
        summary="run a learner on a simulator of a game, and store policies and bounds",
        details="The learner draws samples and never sees the model; `ccerates gap` does.",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument("game", metavar="GAME", help="file of the game (.npz)")
    parser.add_argument(
        "--algorithm", required=True, metavar="NAME", help=f"one of {', '.join(api.ALGORITHMS)}"
    )
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument(
        "--rounds", type=integer, metavar="K", help="rounds of play at each step and state"
    )
    budget.add_argument(
        "--samples", type=integer, metavar="N", help="samples of a run: the largest K that fits"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the learner, for example constants=rigorous",
    )
    parser.add_argument(
        "--seed", type=integer, default=0, metavar="N", help="of the random numbers (0)"
    )
    parser.add_argument(
        "--replicates", type=integer, default=1, metavar="R", help="number of runs (1)"
    )
    parser.add_argument(
        "--threads",
        type=integer,
        default=1,
        metavar="T",
        help="number of threads (1); no result depends on it",
    )
    add_output(parser, "the results")
    add_json(parser)
    parser.late_help = _options_help


def run(arguments: argparse.Namespace) -> int:
    """Learn, store and print the certificates."""
    check_output(arguments.output, force=arguments.force, inputs=(arguments.game,))
    options = read_settings("--option", arguments.option)
    game = load_game(arguments.game)
    results = interruptible(
        lambda: api.learn(
            game,
            arguments.algorithm,
            rounds=arguments.rounds,
            samples=arguments.samples,
            seed=arguments.seed,
            options=options,
            replicates=arguments.replicates,
            threads=arguments.threads,
        )
    )
    save_results(results, arguments.output)
    certificates = api.certify(results)
    first = results[0]
    if arguments.json:
        write_json(
            {
                "file": arguments.output,
                "algorithm": first.algorithm,
                "constants": first.constants,
                "game_hash": first.game_hash,
                "runs": certificates,
            }
        )
        return 0
    write(f"{first.algorithm} with {first.constants} constants on {game.name}")
    write_certificates(certificates)
    write(f"wrote {arguments.output}")
    return 0


def _options_help() -> str:
    """Return the options of all learners; reads them from the learners, which takes a second."""
    lines = []
    for algorithm in api.ALGORITHMS:
        lines.append(f"options of {algorithm}:")
        lines += [f"  {each.name}: {each.text()}" for each in api.list_options(algorithm)]
    return "\n".join(textwrap.fill(line, 98, subsequent_indent="      ") for line in lines) + "\n"
