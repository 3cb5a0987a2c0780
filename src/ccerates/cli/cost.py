"""``ccerates cost``: what a config will cost."""

import argparse
from typing import Any

from ccerates import api
from ccerates.cli.output import write, write_json, write_table
from ccerates.cli.parser import Commands, add_command, add_json, integer

EXAMPLES = """\
ccerates cost --config config/smoke.yaml
ccerates cost --config config/smoke.yaml --cores 8 --json
"""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "cost",
        summary="predict the core time of a config's runs",
        details="Planned samples are multiplied by measured rates: those of the machine behind\n"
        "reference/ unless --rates names others. Figures, tables and pages take some minutes\n"
        "more. Another machine may well be twice as slow or as fast.",
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument("--config", required=True, metavar="FILE", help="a config of the workflow")
    parser.add_argument(
        "--cores", type=integer, default=2, metavar="N", help="jobs at a time (default: 2)"
    )
    parser.add_argument("--rates", metavar="FILE", help="a table as reference/rates.csv (.csv)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the prediction."""
    cost = api.predict_cost(arguments.config, cores=arguments.cores, rates=arguments.rates)
    if arguments.json:
        write_json(cost)
        return 0
    rows: list[list[Any]] = [
        [name, jobs, seconds / 60] for name, (jobs, seconds) in cost.experiments.items()
    ]
    total = sum(jobs for jobs, _ in cost.experiments.values())
    write_table(
        ["experiment", "jobs", "core minutes"], [*rows, ["total", total, cost.core_seconds / 60]]
    )
    write(f"{arguments.cores} cores: {cost.wall_seconds / 60:.3g} minutes")
    write(f"longest job: {cost.longest_job / 60:.3g} minutes")
    return 0
