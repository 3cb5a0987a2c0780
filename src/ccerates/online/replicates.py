"""The replicates of a batch of online runs: do they fit together, and which lanes do they take."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ccerates.errors import InputError
from ccerates.online.baseline import Shape
from ccerates.online.registry import OnlineLearner
from ccerates.online.result import History
from ccerates.online.source import Episodes
from ccerates.online.visits import Observer

MAX_HISTORY_BYTES = 2 * 1024**3
_HISTORY_TYPE = np.uint16
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


def check_options(learner: OnlineLearner, options: Any) -> Any:
    """Return the options, the defaults for None.

    Raises
    ------
    InputError
        If they are those of another learner.
    """
    if options is None:
        return learner.options_type()
    if type(options) is not learner.options_type:
        expected = learner.options_type.__name__
        raise InputError(f"{learner.name}: options must be {expected}, got {options!r}")
    return options


def empty_history(shape: Shape, episodes: int) -> History:
    """Return room for the history of one run.

    Raises
    ------
    InputError
        If it would be too large, or the numbers of states or joint actions are.
    """
    num_actions, num_states, horizon = shape
    limit = np.iinfo(_HISTORY_TYPE).max + 1
    if max(num_states, int(np.prod(num_actions))) > limit:
        raise InputError(f"record: takes games of at most {limit} states and joint actions")
    needed = 2 * episodes * horizon * np.dtype(_HISTORY_TYPE).itemsize
    if needed > MAX_HISTORY_BYTES:
        raise InputError(
            f"record: the history of {episodes} episodes needs {needed / 2**30:.1f} GiB, more than "
            f"the {MAX_HISTORY_BYTES / 2**30:g} GiB allowed; plan fewer episodes"
        )
    size = (episodes, horizon)
    return History(np.zeros(size, _HISTORY_TYPE), np.zeros(size, _HISTORY_TYPE))
