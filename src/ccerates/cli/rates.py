"""``ccerates rates``: known bounds on the number of samples."""

import argparse

from ccerates import api
from ccerates.cli.output import write, write_json, write_table
from ccerates.cli.parser import Commands, add_command, add_json, integer

EXAMPLES = """\
ccerates rates
ccerates rates --setting simulator --horizon 8 --states 3 --actions 3 3 --epsilon 0.1
"""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "rates",
        summary="show known bounds on the number of samples",
        details="With sizes it evaluates them. A bound stands without its constant and its\n"
        "logarithmic factors: the numbers are good for comparison, not for prediction.",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument("--setting", help="simulator or online; both if left out")
    parser.add_argument("--horizon", type=integer, metavar="H", help="number of steps")
    parser.add_argument("--states", type=integer, metavar="S", help="number of states")
    parser.add_argument(
        "--actions", type=integer, nargs="+", metavar="A", help="actions of each player"
    )
    parser.add_argument("--epsilon", type=float, metavar="EPS", help="CCE gap to reach")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the bounds."""
    bounds = api.rates(
        arguments.setting,
        horizon=arguments.horizon,
        states=arguments.states,
        actions=arguments.actions,
        epsilon=arguments.epsilon,
    )
    if arguments.json:
        write_json(bounds)
        return 0
    evaluated = [] if arguments.horizon is None else ["samples"]
    titles = ["setting", "algorithm", "kind", "bound", *evaluated, "learn has it", "source"]
    rows = [
        [
            bound.setting,
            bound.algorithm,
            bound.kind,
            bound.formula,
            *[bound.samples for _ in evaluated],
            bound.available,
            bound.source,
        ]
        for bound in bounds
    ]
    write_table(titles, rows)
    write("Bounds are in samples, without constants and logarithmic factors; online, an episode")
    write("counts H samples.")
    return 0
