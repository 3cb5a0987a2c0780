"""A learner in a process of its own, whose peak memory is thereby its own, too."""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.games import case_of, dense, goofspiel
from benchmarks.learners import LEARNERS, learner_task
from ccerates.games.model import MarkovGame

GAMES = ("main", "goofspiel-5", "dense-1000")


class Probe(NamedTuple):
    """Seconds of a warm run, its samples, and the most memory that the process had, in MB."""

    seconds: float
    samples: int
    peak_mb: float


def probe(learner: str, game: str, share: float, cache: Path) -> Probe:
    """Run a learner with evaluation in a fresh process.

    Parameters
    ----------
    learner
        Its name.
    game
        One of `GAMES`.
    share
        Of the usual samples, or a multiple.
    cache
        Folder of `benchmarks.games.goofspiel`.
    """
    arguments = [learner, game, str(share), str(cache.resolve())]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.probe", *arguments],
        cwd=Path(__file__).parents[1],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return Probe(**json.loads(done.stdout))


def make_game(name: str, cache: Path) -> MarkovGame:
    """Return one of `GAMES`."""
    if name == "goofspiel-5":
        return goofspiel(cache)
    return dense() if name == "main" else dense(actions=2, states=1_000, horizon=4)


def peak_memory() -> float:
    """Return the most memory that this process had, in MB; NaN where Linux does not say."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="utf-8").splitlines() if status.exists() else []
    kilobytes = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
    return float(kilobytes[0]) / 1024 if kilobytes else float("nan")


def main() -> None:
    """Run what the command line says and print a `Probe`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("learner", choices=LEARNERS)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("share", type=float)
    parser.add_argument("cache", type=Path)
    given = parser.parse_args()
    case = case_of(given.game, make_game(given.game, given.cache), given.share)
    task = learner_task(given.learner, case, gaps=True)
    task.run()
    start = time.perf_counter()
    task.run()
    seconds = time.perf_counter() - start
    json.dump(Probe(seconds, task.samples, peak_memory())._asdict(), sys.stdout)


if __name__ == "__main__":
    main()
