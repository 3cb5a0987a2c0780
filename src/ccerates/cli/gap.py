"""``ccerates gap``: exact CCE gaps of what was learnt."""

import argparse
from collections.abc import Sequence

import numpy as np

from ccerates import api
from ccerates.cli.output import write, write_json, write_table
from ccerates.cli.parser import Commands, add_command, add_json
from ccerates.evaluation.markov import GapReport
from ccerates.games.store import load_game

EXAMPLES = """\
ccerates gap game.npz result.npz
ccerates gap game.npz q-ftrl.npz --json
"""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "gap",
        summary="compute the exact CCE gaps of learnt policies, from the model",
        details="The gap is the largest gain of a player who deviates, averaged over the start\n"
        "distribution, or from the worst state. It is never clipped and may be negative. Rewards\n"
        "lie in [0, 1]; where an imported game's own do not, gaps in its units follow. Policies\n"
        "of online learners are evaluated while they learn: see `ccerates learn --help`.",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument("game", metavar="GAME", help="file of the game (.npz)")
    parser.add_argument("result", metavar="RESULT", help="file that `ccerates learn` wrote")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the gaps."""
    game, results = load_game(arguments.game), api.load_results(arguments.result)
    summary = api.gap(game, results)
    if arguments.json:
        write_json(summary)
        return 0
    _write_gaps(summary.runs, summary.uniform)
    if len(summary.runs) > 1:
        write(f"mean gap of {len(summary.runs)} runs: {np.mean([r.gap for r in summary.runs]):.5g}")
    if summary.reward_scale != 1.0:
        write(f"\nin {summary.reward_unit}, of which 1 above is {summary.reward_scale:.6g}:")
        _write_gaps(summary.own_runs, summary.own_uniform)
    return 0


def _write_gaps(runs: Sequence[GapReport], uniform: GapReport) -> None:
    titles = ["run", "gap", "from the worst state"]
    titles += [f"player {player}" for player in range(len(uniform.players))]
    named = [*((str(run), report) for run, report in enumerate(runs)), ("uniform", uniform)]
    write_table(titles, [[name, each.gap, each.gap_worst, *each.players] for name, each in named])
