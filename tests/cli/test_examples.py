"""All examples in the help texts run, one after the other, in a folder of their own."""

import argparse
import json
import shlex
from pathlib import Path

from ccerates.cli.main import build_parser


def parsers(parser):
    """Return all parsers below one, itself first."""
    found = [parser]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                found += parsers(below)
    return found


def examples(parser):
    _, _, text = (parser.epilog or "").partition("examples:\n")
    return [shlex.split(line) for line in text.replace("\\\n", " ").splitlines() if line.strip()]


COMMANDS = [parser for parser in parsers(build_parser()) if parser._defaults.get("run")]


def test_every_command_has_examples_of_itself():
    names = [command.prog.split()[1:] for command in COMMANDS]
    expected = [["games", "list"], ["games", "make"], ["games", "show"]]
    expected += [["learn"], ["gap"], ["policies", "export"], ["certify"], ["rates"], ["cost"]]
    expected += [["doctor"]]
    assert names == expected
    for command in COMMANDS:
        own = examples(command)
        assert own
        assert all(
            shlex.join(words).startswith(f"{command.prog} ") or words == command.prog.split()
            for words in own
        )


def test_all_examples_run(ccerates, tmp_path):
    for name in ("examples", "config"):
        (tmp_path / name).symlink_to(Path(__file__).parents[2] / name)
    ran = 0
    for command in COMMANDS:
        for program, *arguments in examples(command):
            assert program == "ccerates"
            code, output, errors = ccerates(*arguments)
            assert (code, errors) == (0, ""), arguments
            assert output
            if "--json" in arguments:
                json.loads(output)
            ran += 1
    assert ran >= 15


def test_help_lines_are_short():
    for parser in parsers(build_parser()):
        assert all(len(line) <= 100 for line in parser.format_help().splitlines())
