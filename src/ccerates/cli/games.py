"""``ccerates games``: which games there are, making one, looking at one."""

import argparse
import json

from ccerates import api
from ccerates.cli.files import check_output
from ccerates.cli.output import shown, write, write_json
from ccerates.cli.parser import Commands, add_command, add_json, add_output, integer
from ccerates.cli.values import read_settings
from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.games.store import load_game, save_game

# Where a game may come from: names of the arguments, and what the user writes.
_SOURCES = {
    "family": "FAMILY",
    "openspiel": "--openspiel",
    "gambit": "--gambit",
    "gambit_catalogue": "--gambit-catalogue",
    "arrays": "--arrays",
}
LIST_EXAMPLES = """\
ccerates games list
ccerates games list --json
"""
MAKE_DETAILS = """\
`ccerates games list` shows families and parameters. Plain arrays are what
numpy.savez(FILE, payoffs=...) writes, payoffs with the axes player, A_1, .., A_m; for a Markov game
they are reward (player, state, A_1, .., A_m), transition (state, A_1, .., A_m, next state) and
horizon, and perhaps start; both arrays may begin with an axis for the steps.
"""
MAKE_EXAMPLES = """\
ccerates games make survival --param num_players=2 --param num_actions=3 \\
    --param alive_states=2 --param horizon=4 --param eps_game=0.5 --seed 1 --output game.npz
ccerates games make dense-random -p num_players=2 -p num_actions=2,3 -p num_states=4 \\
    -p horizon=3 -o random.npz
ccerates games make --openspiel "goofspiel(num_cards=3,points_order=descending)" \\
    --output goofspiel.npz
ccerates games make --gambit examples/shapley.nfg --output shapley.npz
"""
SHOW_EXAMPLES = """\
ccerates games show game.npz
ccerates games show game.npz --json
"""


def add_parser(commands: Commands) -> None:
    """Add the commands."""
    games = commands.add_parser(
        "games",
        help="list the families of games, make a game, show a game",
        epilog="`ccerates games make --help` and so on show examples",
    )
    below = games.add_subparsers(required=True, metavar="COMMAND", title="commands")

    listing = add_command(
        below,
        "list",
        summary="list the families of games with their parameters",
        examples=LIST_EXAMPLES,
        run=run_list,
    )
    add_json(listing)

    making = add_command(
        below,
        "make",
        summary="make a game of a family, or of OpenSpiel, Gambit or plain arrays",
        details=MAKE_DETAILS,
        examples=MAKE_EXAMPLES,
        run=run_make,
    )
    making.add_argument("family", nargs="?", metavar="FAMILY", help="name of a family")
    making.add_argument(
        "--param",
        "-p",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a parameter of the family; a list is written a,b",
    )
    making.add_argument("--seed", type=integer, metavar="N", help="of the family's draws (0)")
    making.add_argument("--openspiel", metavar="STRING", help="what pyspiel.load_game takes")
    making.add_argument(
        "--horizon", type=integer, metavar="H", help="steps, if the OpenSpiel game may never end"
    )
    making.add_argument(
        "--max-states",
        type=integer,
        metavar="N",
        help="most states of an OpenSpiel game (10000)",
    )
    making.add_argument("--gambit", metavar="FILE", help="a Gambit file (.nfg)")
    making.add_argument(
        "--gambit-catalogue", metavar="NAME", help="what pygambit.catalog.load takes"
    )
    making.add_argument("--arrays", metavar="FILE", help="plain arrays (.npz)")
    add_output(making, "the game")
    add_json(making)

    showing = add_command(
        below,
        "show",
        summary="show dimensions, hash and uniform-play gap of a stored game",
        examples=SHOW_EXAMPLES,
        run=run_show,
    )
    showing.add_argument("game", metavar="GAME", help="file of the game (.npz)")
    add_json(showing)


def run_list(arguments: argparse.Namespace) -> int:
    """Print the families and their parameters."""
    families, openspiel = api.list_games(), api.has_openspiel()
    if arguments.json:
        write_json({"families": families, "openspiel": openspiel})
        return 0
    for family in families:
        write(f"{family.name}: {family.description}")
        width = max(len(parameter.name) for parameter in family.parameters)
        for parameter in family.parameters:
            write(f"  {parameter.name:<{width}}  {parameter.text()}")
        write("")
    installed = "" if openspiel else " (needs open_spiel, which is not installed)"
    write(f"OpenSpiel's games of perfect information: games make --openspiel STRING{installed}")
    write("Gambit's games in normal form: games make --gambit FILE")
    write("Your own games as plain arrays: games make --arrays FILE")
    return 0


def run_make(arguments: argparse.Namespace) -> int:
    """Make a game and store it."""
    given = [getattr(arguments, name) is not None for name in _SOURCES]
    if sum(given) != 1:
        raise InputError(f"{', '.join(_SOURCES.values())}: give exactly one of them")
    inputs = [each for each in (arguments.gambit, arguments.arrays) if each is not None]
    check_output(arguments.output, force=arguments.force, inputs=tuple(inputs))
    game = _make(arguments)
    summary = api.show_game(game)
    save_game(game, arguments.output)
    if arguments.json:
        write_json({"file": arguments.output, **summary._asdict()})
    else:
        _write_summary(summary)
        write(f"wrote {arguments.output}")
    return 0


def _make(arguments: argparse.Namespace) -> MarkovGame:
    """Return the game that the arguments ask for."""
    if arguments.horizon is not None and arguments.openspiel is None:
        instead = "write --param horizon=... here" if arguments.family else "remove it"
        raise InputError(f"--horizon: goes with --openspiel; {instead}")
    if arguments.max_states is not None and arguments.openspiel is None:
        raise InputError("--max-states: goes with --openspiel; remove it")
    if arguments.family is not None:
        parameters = read_settings("--param", arguments.param)
        return api.make_game(arguments.family, parameters, seed=arguments.seed or 0)
    if arguments.param or arguments.seed is not None:
        raise InputError("--param, --seed: go with FAMILY; remove them, what is named says it all")
    if arguments.openspiel is not None:
        limit = {} if arguments.max_states is None else {"max_states": arguments.max_states}
        return api.import_openspiel(arguments.openspiel, horizon=arguments.horizon, **limit)
    if arguments.gambit is not None:
        return api.import_gambit(arguments.gambit)
    if arguments.gambit_catalogue is not None:
        return api.import_gambit_catalogue(arguments.gambit_catalogue)
    return api.load_arrays(arguments.arrays)


def run_show(arguments: argparse.Namespace) -> int:
    """Print what a stored game is."""
    summary = api.show_game(load_game(arguments.game))
    if arguments.json:
        write_json(summary)
    else:
        _write_summary(summary)
    return 0


def _write_summary(summary: api.GameSummary) -> None:
    rows = [(name, value) for name, value in summary._asdict().items() if name != "metadata"]
    for key, value in summary.metadata.items():
        text = json.dumps(value)
        rows.append((f"metadata.{key}", text if len(text) <= 80 else f"{text[:77]}..."))
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        write(f"{shown(name):<{width}}  {shown(value)}")
