"""Parsers that raise InputError in place of leaving, and what commands have in common."""

import argparse
import textwrap
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from ccerates.errors import InputError


class Parser(argparse.ArgumentParser):
    """An argument parser without abbreviations, whose errors are `InputError`.

    Attributes
    ----------
    late_help
        If not None, called when help is asked for; its text is added at the end.
    """

    late_help: Callable[[], str] | None = None

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **settings)

    def format_help(self) -> str:
        """Return the text of ``--help``."""
        text = super().format_help()
        return f"{text}\n{self.late_help()}" if self.late_help else text

    def error(self, message: str) -> NoReturn:
        """Raise InputError that says where to read more."""
        raise InputError(f"{message}; see `{self.prog} --help`")


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def add_command(
    commands: Commands,
    name: str,
    *,
    summary: str,
    details: str = "",
    examples: str,
    run: Callable[[argparse.Namespace], int],
) -> Parser:
    """Add a command and return its parser.

    Parameters
    ----------
    commands
        Where to add it.
    name
        Its name.
    summary
        What it does, in one line.
    details
        More on it, lines of at most 80 characters.
    examples
        Command lines, each ended by a newline, shown in its help; tests run them.
    run
        Called with the arguments; returns the exit code.
    """
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.\n\n{details}".rstrip(),
        epilog=f"examples:\n{textwrap.indent(examples, '  ')}",
    )
    parser.set_defaults(run=run)
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--json``."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def add_output(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options ``--output`` and ``--force``."""
    parser.add_argument(
        "--output", "-o", required=True, metavar="FILE", help=f"where to write {what} (.npz)"
    )
    parser.add_argument("--force", action="store_true", help="replace the output if it exists")


def integer(text: str) -> int:
    """Return the integer that `text` stands for: 100000, 100_000 or 1e5."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        number = 0.5
    if not number.is_integer():
        raise argparse.ArgumentTypeError(f"expected an integer, got {text!r}")
    return int(number)
