"""Four ways to compare a row of results with a row of the reference.

* ``exact``: counts, words and closed forms are equal;
* ``relative``: deterministic floats agree to a relative 1e-6, which leaves room for another
  machine's arithmetic and for nothing else;
* ``statistical``: measured values agree if their 95 % intervals overlap. With the same seeds they
  are equal up to rounding; a run with other seeds usually passes, but with many comparisons at
  once some may fail. The intervals' widths must agree within a factor of 3, or else a result that
  is nothing but noise would overlap with everything;
* ``close``: medians over runs, of tables without intervals, agree to a tenth. Single runs of some
  learners amplify rounding, so that another machine's medians are not the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ccerates.analysis.tables import CSV_FLOAT

RELATIVE_TOLERANCE = 1e-6
WIDTH_FACTOR = 3.0
CLOSE_TOLERANCE = 0.1
SMALLEST_CLOSE = 1e-9
"""Medians that differ by less are close: a gap of zero is known up to rounding only."""


class Outcome(NamedTuple):
    """One compared quantity, as text; `tolerance` is the largest difference that passes.

    For ``relative`` it is divided by the expected value, for a width it is the largest ratio.
    """

    quantity: str
    expected: str
    got: str
    tolerance: str
    comparator: str
    verdict: str


VERIFY_COLUMNS = ("claim", *Outcome._fields)
"""Of the table of all comparisons."""


@dataclass(frozen=True)
class Comparison:
    """How a table is compared: columns that name a row, and columns by comparator.

    `interval` names the ends of the interval about a statistical column: of confidence, or the
    quartiles of what was measured.
    """

    keys: tuple[str, ...]
    exact: tuple[str, ...] = ()
    relative: tuple[str, ...] = ()
    statistical: tuple[str, ...] = ()
    close: tuple[str, ...] = ()
    interval: tuple[str, str] = ("ci_low", "ci_high")

    @property
    def columns(self) -> list[str]:
        """Columns that a reference holds."""
        interval = self.interval if self.statistical else ()
        return [*self.keys, *self.exact, *self.relative, *self.statistical, *interval, *self.close]


def text(value: object) -> str:
    """Return a cell as a CSV file shows it, so that results and references read alike."""
    if isinstance(value, bool | np.bool_ | str):
        return str(value)
    number = float(str(value))
    return "" if np.isnan(number) else CSV_FLOAT % number


def outcome(
    quantity: str, want: object, have: object, tolerance: float, comparator: str, passes: bool
) -> Outcome:
    """Return an outcome, written out."""
    verdict = "pass" if passes else "fail"
    return Outcome(quantity, text(want), text(have), f"{tolerance:.3g}", comparator, verdict)


def _reach(row: pd.Series, interval: tuple[str, str], value: float, *, upwards: bool) -> float:
    """Return how far the interval of a measured value reaches from it on one side.

    An unknown end reaches nowhere. A reach is at most the interval's length, so that a value
    changed by hand cannot hide behind an interval that was left as it was.
    """
    low, high = (value if np.isnan(row[end]) else float(row[end]) for end in interval)
    return float(np.clip(high - value if upwards else value - low, 0.0, high - low))


def _statistical(
    column: str, interval: tuple[str, str], expected: pd.Series, got: pd.Series
) -> Iterator[Outcome]:
    want, have = float(expected[column]), float(got[column])
    slack = RELATIVE_TOLERANCE * abs(want)
    # The intervals overlap just when the values differ by no more than the two reaches towards
    # each other.
    upwards = have > want
    reach = _reach(expected, interval, want, upwards=upwards)
    reach += _reach(got, interval, have, upwards=not upwards)
    passes = text(want) == text(have) or abs(have - want) <= max(reach, slack)
    yield outcome(column, want, have, max(reach, slack), "statistical", passes)

    low, high = interval
    want, have = (float(row[high] - row[low]) for row in (expected, got))
    # A missing width on one side only makes this comparison false.
    fits = bool(np.maximum(want, have) <= WIDTH_FACTOR * np.minimum(want, have) + slack)
    passes = text(want) == text(have) or fits
    yield outcome(f"interval width of {column}", want, have, WIDTH_FACTOR, "statistical", passes)


def compare(comparison: Comparison, expected: pd.Series, got: pd.Series) -> Iterator[Outcome]:
    """Compare two rows of one name.

    Parameters
    ----------
    comparison
        Which columns are compared in which way.
    expected, got
        Row of the reference and row of the results.

    Yields
    ------
    Outcome
        One or, for statistical columns, two for each compared column. Missing values equal
        missing values only.
    """
    for column in comparison.exact:
        equal = text(expected[column]) == text(got[column])
        yield outcome(column, expected[column], got[column], 0.0, "exact", equal)
    for column in comparison.relative:
        want, have = float(expected[column]), float(got[column])
        close = text(want) == text(have) or abs(have - want) <= RELATIVE_TOLERANCE * abs(want)
        yield outcome(column, want, have, RELATIVE_TOLERANCE, "relative", close)
    for column in comparison.statistical:
        yield from _statistical(column, comparison.interval, expected, got)
    for column in comparison.close:
        want, have = float(expected[column]), float(got[column])
        reach = CLOSE_TOLERANCE * abs(want) + SMALLEST_CLOSE
        near = text(want) == text(have) or abs(have - want) <= reach
        yield outcome(column, want, have, reach, "close", near)
