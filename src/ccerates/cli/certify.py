"""``ccerates certify``: is it an eps-CCE? What samples alone say about the CCE gap."""

import argparse

from ccerates.cli import certify_policy, certify_stored
from ccerates.cli.parser import Commands, add_command, add_json, integer
from ccerates.errors import InputError

EXAMPLES = """\
ccerates certify rigorous.npz
ccerates certify rigorous.npz game.npz
ccerates certify rigorous.npz --epsilon 1.5
ccerates certify online.npz
ccerates certify crossing.npz --simulator examples/crossing.py --epsilon 0.5
ccerates certify policy.parquet --simulator game.npz --epsilon 0.5 --samples 1e6
ccerates certify result.npz --simulator game.npz --epsilon 0.5 --delta 0.01 --samples 1e6 --json
"""
_SIMULATOR_ONLY = ("delta", "samples", "seed", "replicate", "option")


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "certify",
        summary="answer whether a policy is an eps-CCE, from samples alone",
        details="RESULT alone shows the certificates that learners made from their own samples: a\n"
        "bound on the CCE gap with the stated probability if it is certified, else an estimate.\n"
        "With GAME they are compared with the exact gap, for simulator learners only.\n\n"
        "With --simulator, fresh samples bound the CCE gap of any Markov policy from both sides,\n"
        "whoever made it: what a simulator learner learnt, what `ccerates policies export` wrote,\n"
        "or an array (horizon, states, joint actions) in a .npy or .npz file. All that is asked\n"
        "of the game is a Python file with a class Simulator (see examples/crossing.py); the file\n"
        "of a game (.npz) will do, too.\n"
        "Work ends as soon as the question is decided.\n\n"
        "With --epsilon the command leaves with 0 for yes, 1 for no and 3 for not yet.",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument(
        "result", metavar="RESULT", help="file that `ccerates learn` wrote, or of a policy"
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="file of the game (.npz)")
    parser.add_argument(
        "--epsilon", type=float, metavar="EPS", help="largest CCE gap that is accepted"
    )
    parser.add_argument(
        "--simulator",
        metavar="FILE",
        help="the game: a Python file with a class Simulator, or a .npz file",
    )
    parser.add_argument(
        "--option",
        action="append",
        metavar="KEY=VALUE",
        help="an argument of the class Simulator",
    )
    parser.add_argument(
        "--delta",
        type=float,
        metavar="DELTA",
        help="with --simulator: the answer may be wrong with this probability (0.05)",
    )
    parser.add_argument(
        "--samples",
        type=integer,
        metavar="N",
        help="with --simulator: draw at most so many samples (1e5); states that are never reached "
        "save their share",
    )
    parser.add_argument(
        "--seed", type=integer, metavar="N", help="with --simulator: of the random numbers (0)"
    )
    parser.add_argument(
        "--replicate",
        type=integer,
        metavar="R",
        help="with --simulator: which run of RESULT, from 0",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer from fresh samples or from stored results."""
    if arguments.simulator is not None:
        if arguments.game is not None:
            raise InputError("GAME: leave it out; with --simulator nothing but samples is used")
        if arguments.epsilon is None:
            raise InputError("--epsilon: missing; say which CCE gap is accepted")
        return certify_policy.run(arguments)
    for name in _SIMULATOR_ONLY:
        if getattr(arguments, name) is not None:
            raise InputError(
                f"--{name}: goes with --simulator, which draws fresh samples; RESULT alone holds "
                "what its learner certified"
            )
    return certify_stored.run(arguments)
