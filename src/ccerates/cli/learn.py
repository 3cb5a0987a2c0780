"""``ccerates learn``: run a learner on a game and store what it learnt."""

import argparse
import textwrap

from ccerates import api
from ccerates.cli import learn_online, learn_simulator
from ccerates.cli.files import check_output
from ccerates.cli.parser import Commands, add_command, add_json, add_output, integer
from ccerates.cli.values import read_settings
from ccerates.errors import InputError

EXAMPLES = """\
ccerates learn game.npz --algorithm evb-sim --rounds 10000 --seed 2 --output result.npz
ccerates learn game.npz --algorithm evb-sim --rounds 1e5 --option constants=rigorous \\
    --output rigorous.npz
ccerates learn game.npz --algorithm q-ftrl --samples 500000 --replicates 5 --threads 2 \\
    --output q-ftrl.npz
ccerates learn game.npz --algorithm evb-online --episodes 1e5 --checkpoints 1e3 1e4 \\
    --state unfinished.npz --output online.npz
ccerates learn examples/crossing.py --learner examples/evb.py --rounds 1000 \\
    --output crossing.npz
"""
_ONLINE_ONLY = ("episodes", "checkpoints", "state", "no_gap")


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "learn",
        summary="run a learner on a game, and store what it learnt",
        details="The learner draws samples and never sees the model. A simulator learner asks for\n"
        "any step, state and actions; `ccerates gap` then evaluates its policy. An online learner\n"
        "plays episodes from the start; an upper bound on the gap of what it learnt is computed\n"
        "beside the run, and shown at each checkpoint (with --json all at the end).",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument(
        "game",
        metavar="GAME",
        help="file of the game (.npz); for a simulator learner of your own also a Python file with "
        "a class Simulator",
    )
    learner = parser.add_mutually_exclusive_group(required=True)
    learner.add_argument("--algorithm", metavar="NAME", help=f"one of {', '.join(api.ALGORITHMS)}")
    learner.add_argument(
        "--learner",
        metavar="FILE",
        help="a learner of your own, one Python file (see examples/)",
    )
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument(
        "--rounds", type=integer, metavar="K", help="simulator: rounds at each step and state"
    )
    budget.add_argument("--episodes", type=integer, metavar="K", help="online: episodes of a run")
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
    parser.add_argument(
        "--checkpoints",
        type=integer,
        nargs="+",
        metavar="K",
        help="online: earlier numbers of episodes to report at, increasing",
    )
    parser.add_argument(
        "--state",
        metavar="FILE",
        help="online, compiled learners only: keep the run there, at checkpoints and on Ctrl-C; "
        "the same command goes on from it and does not show again the rows of checkpoints that "
        "were passed before; FILE stays after the end",
    )
    parser.add_argument(
        "--no-gap", action="store_true", help="online: do not bound the gap, which takes time"
    )
    add_output(parser, "the results")
    add_json(parser)
    parser.late_help = _options_help


def run(arguments: argparse.Namespace) -> int:
    """Learn in the learner's setting."""
    options = read_settings("--option", arguments.option)
    learner: str | api.PythonLearner
    if arguments.learner is None:
        if arguments.algorithm.endswith(".py"):
            raise InputError(f"--algorithm: write --learner {arguments.algorithm} for a file")
        learner, name = arguments.algorithm, arguments.algorithm
        setting = api.setting_of(arguments.algorithm)
    else:
        if not arguments.learner.endswith(".py"):
            raise InputError(f"--learner: expected a Python file (.py), got {arguments.learner!r}")
        learner, name = api.load_learner(arguments.learner, options), arguments.learner
        setting, options = learner.setting, {}  # it holds them now
    check_output(arguments.output, force=arguments.force, inputs=(arguments.game,))
    if setting == "simulator":
        for each in _ONLINE_ONLY:
            if getattr(arguments, each) not in (None, False):
                option = f"--{each.replace('_', '-')}"
                raise InputError(
                    f"{option}: goes with online learners; {name} is a simulator learner, "
                    "which takes --rounds"
                )
        return learn_simulator.run(arguments, learner, options)
    if arguments.rounds is not None:
        raise InputError(
            f"--rounds: goes with simulator learners; {name} is an online learner, which "
            "takes --episodes"
        )
    if arguments.game.endswith(".py"):
        raise InputError(
            f"{arguments.game}: is a simulator, for simulator learners of your own; {name} is an "
            "online learner"
        )
    return learn_online.run(arguments, learner, options)


def _options_help() -> str:
    """Return the options of all learners; reads them from the learners, which takes a second."""
    lines = []
    for algorithm, setting in api.ALGORITHMS.items():
        lines.append(f"options of {algorithm} ({setting}):")
        lines += [f"  {each.name}: {each.text()}" for each in api.list_options(algorithm)]
    return "\n".join(textwrap.fill(line, 98, subsequent_indent="      ") for line in lines) + "\n"
