"""The parser of all commands, and what becomes of errors.

Exit codes: 0 for success, 1 if a check failed, 2 for bad input, 130 after Ctrl-C; of `certify` with
an epsilon see `answers`.
"""

import os
import sys
import warnings
from collections.abc import Sequence

from ccerates import __version__
from ccerates.cli import certify, cost, doctor, games, gap, learn, policies, rates
from ccerates.cli.parser import Parser
from ccerates.errors import InputError

BAD_INPUT, INTERRUPTED = 2, 130


def build_parser() -> Parser:
    """Return the parser of ``ccerates`` with all its commands."""
    parser = Parser(
        prog="ccerates",
        description="Learn coarse correlated equilibria of Markov games from samples, and measure\n"
        "what was learnt. The --help of each command has examples.",
    )
    parser.add_argument("--version", action="version", version=f"ccerates {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for command in (games, learn, gap, policies, certify, rates, cost, doctor):
        command.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments
        What follows ``ccerates`` on the command line; None takes it from there.

    Returns
    -------
    int
        Exit code.
    """
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning  # type: ignore[assignment]
        try:
            chosen = build_parser().parse_args(arguments)
            code: int = chosen.run(chosen)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader, such as `head`, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except (InputError, OSError) as error:
            return _complain(error)
        except MemoryError:
            return _complain("not enough memory; take fewer replicates or a smaller game")
        except KeyboardInterrupt:
            sys.stderr.write("\ninterrupted\n")
            return INTERRUPTED
    return code


def run() -> None:
    """Run the command on the command line and end the process."""
    for stream in (sys.stdout, sys.stderr):  # names in files may hold any character
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    code = main()
    if code == INTERRUPTED:
        sys.stderr.flush()
        os._exit(code)  # kernels still run in threads, for which a normal exit would wait
    sys.exit(code)


def _complain(error: object) -> int:
    sys.stderr.write(f"error: {' '.join(str(error).split())}\n")
    return BAD_INPUT


def _show_warning(message: Warning | str, *_: object) -> None:
    sys.stderr.write(f"warning: {message}\n")
