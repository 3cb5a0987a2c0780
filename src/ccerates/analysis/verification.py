"""Verify: compare what came out with the reference that is kept under version control.

Each table of a claim has rows named by key columns and columns compared in one of three ways:

* ``exact``: counts, words and closed forms are equal;
* ``relative``: deterministic floats agree to a relative 1e-6, which leaves room for another
  machine's arithmetic and for nothing else;
* ``statistical``: measured values agree if their 95 % intervals overlap, so that a run with other
  seeds passes too. With the same seeds they are equal. A value without an interval stands for
  itself and is compared like a deterministic float.

A row that only one side has fails. References are written by `update_reference` only, on request,
as tables that a person can review line by line.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ccerates.analysis.tables import CSV_FLOAT, read_csv, write_csv
from ccerates.errors import InputError

VERIFY_COLUMNS = (
    "claim", "quantity", "expected", "got", "tolerance", "comparator", "verdict",
)  # fmt: skip
RELATIVE_TOLERANCE = 1e-6
INTERVAL = ("ci_low", "ci_high")


@dataclass(frozen=True)
class Comparison:
    """How a table is compared: columns that name a row, and columns by comparator.

    A table with statistical columns has the columns `INTERVAL`.
    """

    keys: tuple[str, ...]
    exact: tuple[str, ...] = ()
    relative: tuple[str, ...] = ()
    statistical: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        """Columns that a reference holds."""
        interval = INTERVAL if self.statistical else ()
        return [*self.keys, *self.exact, *self.relative, *self.statistical, *interval]


COMPARISONS: Mapping[str, Comparison] = {
    "sim-horizon": Comparison(
        keys=("experiment", "setting", "algorithm", "axis", "value"),
        exact=("status", "fitted", "replicates", "budget_low", "budget_high"),
        relative=("target", "uniform_gap"),
        statistical=("samples_to_target",),
    ),
    "exponents": Comparison(
        keys=("setting", "algorithm", "axis"),
        exact=("theory", "points", "fit_low", "fit_high", "verdict"),
        statistical=("measured",),
    ),
    "exponent-differences": Comparison(
        keys=("setting", "axis", "baseline", "algorithm"), statistical=("difference",)
    ),
    "real-games": Comparison(
        keys=("game", "algorithm", "samples"),
        exact=("players", "states", "horizon", "gap_kind"),
        statistical=("gap_mean",),
    ),
}
"""Comparison of each verified table; a table's name is its file's name."""


def _text(value: object) -> str:
    """Return a cell as the CSV file shows it, so that both sides read alike."""
    if isinstance(value, bool | np.bool_ | str):
        return str(value)
    number = float(str(value))
    return "" if np.isnan(number) else CSV_FLOAT % number


def _row_names(table: pd.DataFrame, keys: tuple[str, ...], place: str) -> dict[str, pd.Series]:
    rows: dict[str, pd.Series] = {}
    for _, row in table.iterrows():
        name = ", ".join(f"{key}={_text(row[key])}" for key in keys)
        if name in rows:
            raise InputError(f"{place}: two rows for {name}; keep one")
        rows[name] = row
    return rows


def _interval(row: pd.Series, value: float) -> tuple[float, float]:
    """Return the interval of a measured value; an unknown end counts as the value itself."""
    low, high = (float(row[end]) for end in INTERVAL)
    return (value if np.isnan(low) else low), (value if np.isnan(high) else high)


def _compare_floats(expected: float, got: float, tolerance: float) -> bool:
    if np.isnan(expected) or np.isnan(got):
        return bool(np.isnan(expected) and np.isnan(got))
    return abs(got - expected) <= tolerance


def _compare(
    comparison: Comparison, expected: pd.Series, got: pd.Series
) -> Iterator[tuple[str, object, object, float, str, bool]]:
    """Yield column, expected, got, tolerance, comparator and whether it passes."""
    for column in comparison.exact:
        want, have = expected[column], got[column]
        yield column, want, have, 0.0, "exact", _text(want) == _text(have)
    for column in comparison.relative:
        want, have = float(expected[column]), float(got[column])
        passes = _compare_floats(want, have, RELATIVE_TOLERANCE * abs(want))
        yield column, want, have, RELATIVE_TOLERANCE, "relative", passes
    for column in comparison.statistical:
        want, have = float(expected[column]), float(got[column])
        want_low, want_high = _interval(expected, want)
        have_low, have_high = _interval(got, have)
        # The intervals overlap just when the values differ by no more than the two half-widths
        # that face each other.
        facing = (want_high - want) + (have - have_low)
        if have < want:
            facing = (want - want_low) + (have_high - have)
        tolerance = max(facing, RELATIVE_TOLERANCE * abs(want))
        yield column, want, have, tolerance, "statistical", _compare_floats(want, have, tolerance)


def _reference(name: str, folder: Path) -> pd.DataFrame:
    path = folder / f"{name}.csv"
    command = (
        f"`snakemake --cores 2 update_reference --configfile config/{folder.name}.yaml`, review"
        " the difference and commit it"
    )
    if not path.exists():
        raise InputError(f"{path}: no reference for this claim; run {command}")
    table = read_csv(path)
    if list(table.columns) != COMPARISONS[name].columns:
        raise InputError(f"{path}: its columns are not those that are compared; run {command}")
    return table


def _verify_table(name: str, results: pd.DataFrame, folder: Path) -> Iterator[tuple[object, ...]]:
    comparison = COMPARISONS[name]
    expected_rows = _row_names(_reference(name, folder), comparison.keys, f"{folder}/{name}.csv")
    got_rows = _row_names(results, comparison.keys, f"results of {name}")
    for row_name, expected in expected_rows.items():
        if row_name not in got_rows:
            yield name, row_name, "present", "missing", "0", "exact", "fail"
            continue
        for column, want, have, tolerance, comparator, passes in _compare(
            comparison, expected, got_rows[row_name]
        ):
            texts = _text(want), _text(have), f"{tolerance:.3g}"
            verdict = "pass" if passes else "fail"
            yield name, f"{column} [{row_name}]", *texts, comparator, verdict
    for row_name in got_rows:
        if row_name not in expected_rows:
            yield name, row_name, "missing", "present", "0", "exact", "fail"


def verify(results: Mapping[str, pd.DataFrame], reference: Path) -> pd.DataFrame:
    """Compare tables with their references.

    Parameters
    ----------
    results
        Tables by name, a key of `COMPARISONS`.
    reference
        Folder of the references of one config, ``reference/<config>``.

    Returns
    -------
    pandas.DataFrame
        One row for each compared quantity, columns `VERIFY_COLUMNS`, all text. `tolerance` is the
        largest difference that passes, divided by the expected value for ``relative``; `verdict`
        is ``pass`` or ``fail``.

    Raises
    ------
    InputError
        If a reference is missing or made for other columns: the message holds the command that
        makes it.
    """
    rows = [row for name, table in results.items() for row in _verify_table(name, table, reference)]
    return pd.DataFrame(rows, columns=list(VERIFY_COLUMNS))


def update_reference(results: Mapping[str, pd.DataFrame], reference: Path) -> list[Path]:
    """Write the references of tables; for a person who then reviews the difference.

    Parameters
    ----------
    results
        Tables by name, a key of `COMPARISONS`.
    reference
        Folder of the references of one config, ``reference/<config>``.

    Returns
    -------
    list of pathlib.Path
        Files written.
    """
    paths = []
    for name, table in results.items():
        path = reference / f"{name}.csv"
        write_csv(table[COMPARISONS[name].columns], path)
        paths.append(path)
    return paths
