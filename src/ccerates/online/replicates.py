"""The replicates of a batch of online runs: do they fit together, and which lanes do they take."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ccerates.errors import InputError
from ccerates.online.baseline import Shape
from ccerates.online.source import Episodes
from ccerates.online.visits import Observer

# Numbers of lanes, the smallest first. Wider groups are faster for each lane that is in use.
_WIDTHS = (4, 8, 16)


class LaneSpan(NamedTuple):
    """Consecutive replicates that share a group of lanes.

    Attributes
    ----------
    replicates
        The lanes' replicates, from the first lane on.
    lanes
        Number of lanes, at least as many.
    """

    replicates: range
    lanes: int

    @property
    def members(self) -> list[int]:
        """What every lane runs: those beyond the replicates repeat replicate 0."""
        return [*self.replicates, *[0] * (self.lanes - len(self.replicates))]


def divide_into_lanes(count: int, lanes: int | None, threads: int) -> list[LaneSpan]:
    """Return spans that hold a number of replicates.

    Parameters
    ----------
    count
        Number of replicates.
    lanes
        Number of lanes of every group; None takes wide groups, but enough of them to keep all
        threads busy, each with no more lanes than it needs.
    threads
        Number of threads.
    """
    most = lanes or min(math.ceil(count / threads), max(_WIDTHS))
    spans = []
    for first in range(0, count, most):
        replicates = range(first, min(first + most, count))
        enough = (width for width in _WIDTHS if width >= len(replicates))
        spans.append(LaneSpan(replicates, lanes or next(enough)))
    return spans


def check_replicates(
    sources: Sequence[Episodes],
    seeds: Sequence[np.random.SeedSequence],
    observers: Sequence[Observer | None],
) -> Shape:
    """Return the common shape of all replicates.

    Raises
    ------
    InputError
        If there are none, the numbers of sources, seeds and observers differ, a seed is not a
        SeedSequence or shapes differ.
    """
    if not sources or not len(sources) == len(seeds) == len(observers):
        raise InputError(
            f"online runs: {len(sources)} sources, {len(seeds)} seeds and {len(observers)} "
            "observers; give one of each for each run, and at least one run"
        )
    for place, seed in enumerate(seeds):
        if not isinstance(seed, np.random.SeedSequence):
            raise InputError(
                f"online runs: seed {place} is {seed!r}; give a numpy.random.SeedSequence"
            )
    for place, source in enumerate(sources):
        if source.shape != sources[0].shape:
            raise InputError(
                f"online runs: source {place} has shape {source.shape}, the first "
                f"{sources[0].shape}; run games of different shapes in separate batches"
            )
    return sources[0].shape
