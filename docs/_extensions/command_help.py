"""The directive `command-help`: a section with the ``--help`` of every command of ``ccerates``."""

import os
from collections.abc import Iterator
from unittest.mock import patch

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ccerates.cli.main import build_parser
from ccerates.cli.parser import Parser

# The terminal of whoever builds the pages must not show in them.
TERMINAL = {"COLUMNS": "80", "NO_COLOR": "1"}


def commands(parser: Parser) -> Iterator[Parser]:
    """Yield the parsers of all commands below `parser` that have none below them."""
    groups = [action.choices for action in parser._actions if hasattr(action, "add_parser")]
    if not groups:
        yield parser
    for choices in groups:
        for below in choices.values():
            yield from commands(below)


class CommandHelp(SphinxDirective):
    """All commands, each in a section of its own."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        sections: list[nodes.Node] = []
        with patch.dict(os.environ, TERMINAL):
            for parser in commands(build_parser()):
                section = nodes.section(ids=[parser.prog.replace(" ", "-")], names=[parser.prog])
                section += nodes.title("", "", nodes.literal("", parser.prog))
                text = parser.format_help()
                section += nodes.literal_block(text, text, language="text")
                sections.append(section)
        return sections


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}
