"""``ccerates doctor``: whether this installation can be relied on."""

import argparse

from ccerates import api
from ccerates.cli.output import shown, write, write_json
from ccerates.cli.parser import Commands, add_command, add_json

EXAMPLES = """\
ccerates doctor
ccerates doctor --json
"""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "doctor",
        summary="check the installation: packages, compiler, cache, a game with a known answer",
        details="Needs no network. The first time it compiles the learners, which takes a minute\n"
        "or two. Leaves with 1 if a check failed, with 0 if none did.",
        examples=EXAMPLES,
        run=run,
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print each check as soon as it is done."""
    checks = []
    for check in api.doctor():
        checks.append(check)
        if not arguments.json:
            write(f"{check.status:<8} {check.name:<15} {shown(check.detail)}")
    failed = any(check.status == "failed" for check in checks)
    if arguments.json:
        write_json({"healthy": not failed, "checks": checks})
    return int(failed)
