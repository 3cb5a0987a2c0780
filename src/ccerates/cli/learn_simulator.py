"""``ccerates learn`` with a simulator learner."""

import argparse
from collections.abc import Mapping
from typing import Any

from ccerates import api
from ccerates.cli.certify_stored import describe_certificates, write_certificates
from ccerates.cli.interrupt import interruptible
from ccerates.cli.output import write, write_json
from ccerates.cli.simulators import load_game_or_simulator


def run(
    arguments: argparse.Namespace, learner: str | api.PythonLearner, options: Mapping[str, Any]
) -> int:
    """Learn, store and print the certificates."""
    game = load_game_or_simulator(arguments.game)
    results = interruptible(
        lambda: api.learn(
            game,
            learner,
            rounds=arguments.rounds,
            samples=arguments.samples,
            seed=arguments.seed,
            options=options,
            replicates=arguments.replicates,
            threads=arguments.threads,
        )
    )
    api.save_results(results, arguments.output)
    certificates = api.certify(results)
    first = results[0]
    if arguments.json:
        write_json(
            {
                "file": arguments.output,
                "algorithm": first.algorithm,
                "constants": first.constants,
                "game_hash": first.game_hash,
                "runs": describe_certificates(certificates, "rounds"),
            }
        )
        return 0
    write(f"{first.algorithm} with {first.constants} constants on {game.name}")
    write_certificates(certificates, "rounds")
    write(f"wrote {arguments.output}")
    return 0
