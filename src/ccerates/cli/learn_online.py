"""``ccerates learn`` with an online learner."""

import argparse
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ccerates import api
from ccerates.cli.certify_stored import describe_certificates, write_worth
from ccerates.cli.checkpoint_table import CheckpointTable
from ccerates.cli.files import check_output
from ccerates.cli.interrupt import interruptible
from ccerates.cli.output import write, write_json
from ccerates.errors import InputError
from ccerates.games.store import load_game


def run(
    arguments: argparse.Namespace, learner: str | api.PythonLearner, options: Mapping[str, Any]
) -> int:
    """Learn and print gap bounds and certificates of each checkpoint; store the last results."""
    if arguments.state is not None:
        if Path(arguments.state).absolute() == Path(arguments.output).absolute():
            raise InputError("--state: is the output, too; name another file")
        check_output(arguments.state, force=True, inputs=(arguments.game,))
    game = load_game(arguments.game)
    table = CheckpointTable(game.name)
    stopping = threading.Event()

    def stop() -> None:
        sys.stderr.write("\nstopping after these episodes; Ctrl-C again ends at once")
        sys.stderr.flush()
        stopping.set()

    def report(checkpoint: api.Checkpoint) -> None:
        # A reader that closes early must not end the run: what is learnt is still stored.
        with suppress(BrokenPipeError):
            table.write(checkpoint)

    def resume(episode: int) -> None:
        sys.stderr.write(
            f"going on from episode {episode}, kept in {arguments.state}; rows of checkpoints "
            "passed before are not shown again\n"
        )

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
                report=None if arguments.json else report,
                resume=resume,
            ),
            stop=None if arguments.state is None else stop,
        )
    except api.Stopped as stopped:
        sys.stderr.write(
            f"\nkept in {arguments.state} at episode {stopped.episode}; the same command goes on "
            "from there"
        )
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
    if checkpoints[-1].gaps is not None:
        write("upper bounds from the model, of the policies learnt over so many episodes")
    write_worth(api.certify(checkpoints[-1].results))
    if arguments.state is not None:
        write(f"{arguments.state} stays, at the last episode; delete it when you are done")
    write(f"wrote {arguments.output}")
    return 0


def _describe(checkpoint: api.Checkpoint) -> dict[str, object]:
    """Return a checkpoint for JSON: certificates and gap bounds of all runs."""
    return {
        "episodes": checkpoint.episodes,
        "samples": checkpoint.results[0].samples,
        "certificates": describe_certificates(api.certify(checkpoint.results), "episodes"),
        "gap_kind": "upper bound",
        "gaps": checkpoint.gaps,
    }
