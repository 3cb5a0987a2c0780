"""A table whose rows are written as a run reaches its checkpoints."""

import sys

from ccerates import api
from ccerates.cli.output import shown, write


class CheckpointTable:
    """Gap bounds and certificates of all runs at each checkpoint.

    Columns are as wide as a number can be, since later rows are not known yet.

    Parameters
    ----------
    game
        Name of the game, for the title.
    """

    def __init__(self, game: str) -> None:
        self._game, self._started = game, False

    def write(self, checkpoint: api.Checkpoint) -> None:
        """Write a row for each run, before the first of all the titles, and let them be seen.

        Parameters
        ----------
        checkpoint
            What was reached; always with gap bounds or always without.
        """
        titles = ["episodes", "samples", "run"]
        if checkpoint.gaps is not None:
            titles += ["upper bound on the gap", "from the worst state"]
        titles += ["certificate", "confidence"]
        if not self._started:
            first = checkpoint.results[0]
            write(f"{first.algorithm} with {first.constants} constants on {self._game}")
            _write_row(titles, titles)
            self._started = True
        for run, each in enumerate(api.certify(checkpoint.results)):
            row: list[object] = [each.rounds, each.samples, run]
            if checkpoint.gaps is not None:
                row += [checkpoint.gaps[run].gap, checkpoint.gaps[run].gap_worst]
            _write_row(titles, [*row, each.certificate, each.confidence])
        sys.stdout.flush()


def _write_row(titles: list[str], cells: list[object] | list[str]) -> None:
    widths = [max(len(title), _WIDTHS.get(title, 0)) for title in titles]
    texts = [shown(cell).rjust(width) for cell, width in zip(cells, widths, strict=True)]
    write("  ".join(texts))


_WIDTHS = {"episodes": 10, "samples": 11}
