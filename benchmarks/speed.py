"""Measure everything: `python -m benchmarks.speed --output benchmarks`, in about ten minutes.

Writes speed.csv, scale.csv and the figure of both; run it alone on the machine.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figure import speed_figure
from benchmarks.scale import measure_scale
from benchmarks.table import measure_speed
from benchmarks.timing import REPETITIONS
from ccerates.analysis.tables import write_csv
from ccerates.plots.style import save_figure


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write what was found, all of it or nothing."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.speed")
    parser.add_argument("--output", type=Path, required=True, help="folder to write to")
    parser.add_argument(
        "--cache", type=Path, default=Path("build/benchmarks"), help="folder for imported games"
    )
    parser.add_argument(
        "--share",
        type=float,
        default=1.0,
        help="share of the samples to run: a small one shows whether all works, and no speed",
    )
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="times of each")
    given = parser.parse_args(arguments)
    speed = measure_speed(given.cache, given.share, given.repetitions)
    scale = measure_scale(given.cache, given.share, given.repetitions)
    given.output.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=given.output) as work:
        made = Path(work)
        figure, points = speed_figure(speed, scale)
        save_figure(figure, points, made / "speed")  # its points, replaced by the whole table
        write_csv(speed, made / "speed.csv")
        write_csv(scale, made / "scale.csv")
        for path in sorted(made.iterdir()):
            path.replace(given.output / path.name)


if __name__ == "__main__":
    main()
