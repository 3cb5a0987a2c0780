"""``ccerates learn`` with an online learner."""

import argparse
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ccerates import api
from ccerates.cli.certify import write_worth
from ccerates.cli.files import check_output
from ccerates.cli.interrupt import interruptible
from ccerates.cli.output import write, write_json, write_table
from ccerates.errors import InputError
from ccerates.games.store import load_game


def run(
    arguments: argparse.Namespace, learner: str | api.PythonLearner, options: Mapping[str, Any]
) -> int:
    """Learn, store the last results and print gap bounds and certificates of all checkpoints."""
    if arguments.state is not None:
        if Path(arguments.state).absolute() == Path(arguments.output).absolute():
            raise InputError("--state: is the output, too; name another file")
        check_output(arguments.state, force=True, inputs=(arguments.game,))
    game = load_game(arguments.game)
    stopping = threading.Event()

    def stop() -> None:
        sys.stderr.write("\nstopping after these episodes; Ctrl-C again ends at once")
        sys.stderr.flush()
        stopping.set()

    try:
        checkpoints = interruptible(
            lambda: api.learn_online(
                game,
                learner,
                episodes=arguments.episodes,
                samples=arguments.samples,
                checkpoints=arguments.checkpoints or (),
                seed=arguments.seed,
                options=options,
                replicates=arguments.replicates,
                evaluate=not arguments.no_gap,
                threads=arguments.threads,
                state=arguments.state,
                stop=stopping.is_set,
            ),
            stop=None if arguments.state is None else stop,
        )
    except api.Stopped:
        sys.stderr.write(f"\nkept in {arguments.state}; the same command goes on from there")
        raise
    api.save_results(checkpoints[-1].results, arguments.output)
    first = checkpoints[-1].results[0]
    if arguments.json:
        write_json(
            {
                "file": arguments.output,
                "algorithm": first.algorithm,
                "constants": first.constants,
                "game_hash": first.game_hash,
                "checkpoints": [_describe(checkpoint) for checkpoint in checkpoints],
            }
        )
        return 0
    write(f"{first.algorithm} with {first.constants} constants on {game.name}")
    _write_checkpoints(checkpoints)
    write(f"wrote {arguments.output}")
    return 0


def _describe(checkpoint: api.Checkpoint) -> dict[str, object]:
    """Return a checkpoint for JSON: certificates and gap bounds of all runs."""
    return {
        "episodes": checkpoint.episodes,
        "samples": checkpoint.results[0].samples,
        "certificates": api.certify(checkpoint.results),
        "gap_kind": "upper bound",
        "gaps": checkpoint.gaps,
    }


def _write_checkpoints(checkpoints: list[api.Checkpoint]) -> None:
    """Write a row for each checkpoint and run, and what bounds and certificates are worth."""
    evaluated = checkpoints[0].gaps is not None
    titles = ["episodes", "samples", "run"]
    titles += ["upper bound on the gap", "from the worst state"] if evaluated else []
    titles += ["certificate", "confidence"]
    rows: list[list[object]] = []
    for checkpoint in checkpoints:
        for run, each in enumerate(api.certify(checkpoint.results)):
            row: list[object] = [each.rounds, each.samples, run]
            if checkpoint.gaps is not None:
                row += [checkpoint.gaps[run].gap, checkpoint.gaps[run].gap_worst]
            rows.append([*row, each.certificate, each.confidence])
    write_table(titles, rows)
    if evaluated:
        write("upper bounds from the model, of the policies learnt over so many episodes")
    write_worth(api.certify(checkpoints[-1].results))
