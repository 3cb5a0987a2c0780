"""The table of runs, checked, and its cells as arrays.

The table holds one row for each (replicate, budget) of an algorithm in a cell. A cell is one
value on the axis of a sweep, or one game if the experiment sweeps nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ccerates.errors import InputError

NEEDED_COLUMNS = (
    "experiment", "setting", "algorithm", "axis", "value", "game", "players", "states", "horizon",
    "target", "replicate", "samples", "gap_kind", "gap", "uniform_gap",
)  # fmt: skip


class CellKey(NamedTuple):
    """Name of a cell: `label` is the value on the axis in at most ten digits, or the game."""

    experiment: str
    setting: str
    algorithm: str
    axis: str
    label: str


@dataclass(frozen=True)
class Cell:
    """All runs of one algorithm in one cell.

    Attributes
    ----------
    key
        Name of the cell.
    value
        Place on the axis; NaN without an axis.
    samples
        (budgets,) float64, increasing.
    gap
        (budgets, replicates) float64: exact CCE gap or upper bound on it, in units of reward.
    replicates
        (replicates,) int64, increasing: numbers of the replicates.
    target
        Gap to reach; NaN without an axis.
    uniform_gap
        Mean gap of uniform play over the replicates' games.
    game, players, states, horizon, gap_kind
        As in the table.
    """

    key: CellKey
    value: float
    samples: np.ndarray
    gap: np.ndarray
    replicates: np.ndarray
    target: float
    uniform_gap: float
    game: str
    players: int
    states: int
    horizon: int
    gap_kind: str

    def mean_gap(self, replicates: np.ndarray) -> np.ndarray:
        """Return the mean curve of (re)sampled replicates.

        Parameters
        ----------
        replicates
            (..., n) int: positions in `replicates`, repeats allowed.

        Returns
        -------
        numpy.ndarray
            (..., budgets) float64.
        """
        return np.moveaxis(self.gap[:, replicates].mean(axis=-1), 0, -1)


def read_runs(paths: Iterable[str | Path]) -> list[pd.DataFrame]:
    """Read tables of runs.

    Parameters
    ----------
    paths
        Parquet files.

    Returns
    -------
    list of pandas.DataFrame
        One for each file.

    Raises
    ------
    InputError
        If a file is missing or damaged; the message names it.
    """
    tables = []
    for path in paths:
        try:
            tables.append(pd.read_parquet(path))
        except (OSError, ValueError) as error:
            reason = (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
            raise InputError(
                f"{path}: not a usable table of runs ({reason}); delete the file and run again"
            ) from None
    return tables


def _single(rows: pd.DataFrame, column: str, place: str) -> Any:
    values = rows[column].unique()
    if len(values) != 1:
        raise InputError(
            f"{place}: column {column!r} takes {len(values)} values; write one for each cell"
        )
    return values[0]


def _cell(key: CellKey, rows: pd.DataFrame) -> Cell:
    place = "runs, cell " + " ".join(part for part in key if part)
    repeated = rows.duplicated(["replicate", "samples"])
    if repeated.any():
        row = rows[repeated].iloc[0]
        raise InputError(
            f"{place}: replicate {row['replicate']} at {row['samples']} samples stands there twice;"
            " give each (replicate, budget) one row"
        )
    gap = rows.pivot(index="samples", columns="replicate", values="gap").sort_index(axis=1)
    if not np.isfinite(gap.to_numpy()).all():
        raise InputError(
            f"{place}: a gap is missing or not finite; give every replicate a finite gap at every"
            " budget"
        )
    target = float(_single(rows, "target", place))
    if key.axis and not target > 0:
        raise InputError(f"{place}: target {target} is not positive; write a target gap above 0")
    uniform_gap = float(rows.groupby("replicate")["uniform_gap"].first().mean())
    return Cell(
        key=key,
        value=float(_single(rows, "value", place)),
        samples=gap.index.to_numpy(np.float64),
        gap=gap.to_numpy(np.float64),
        replicates=gap.columns.to_numpy(np.int64),
        target=target,
        uniform_gap=uniform_gap,
        game=str(_single(rows, "game", place)),
        players=int(_single(rows, "players", place)),
        states=int(_single(rows, "states", place)),
        horizon=int(_single(rows, "horizon", place)),
        gap_kind=str(_single(rows, "gap_kind", place)),
    )


def axis_label(value: float) -> str:
    """Return the label of a place on an axis, for example ``"8"`` or ``"0.25"``."""
    return f"{value:.10g}"


def cells(runs: pd.DataFrame) -> dict[CellKey, Cell]:
    """Check a table of runs and split it into cells.

    Parameters
    ----------
    runs
        One row for each (replicate, budget), with at least `NEEDED_COLUMNS`; tables of several
        experiments, cells and algorithms may be stacked. `axis` is empty for experiments whose
        cells are games.

    Returns
    -------
    dict of CellKey to Cell
        Ordered by experiment, setting, algorithm, axis, value, game.

    Raises
    ------
    InputError
        If columns or rows are missing, a cell is not one budget grid times one set of
        replicates, a gap is not finite, or a target is not positive.
    """
    missing = [column for column in NEEDED_COLUMNS if column not in runs.columns]
    if missing:
        raise InputError(f"runs: no column {', '.join(missing)}; write the tables again")
    if runs.empty:
        raise InputError("runs: the table is empty; give at least one run")
    axis = runs["axis"].fillna("").astype(str)
    label = runs["value"].map(axis_label).where(axis != "", runs["game"])
    named = runs.assign(axis=axis, label=label)
    columns = ["experiment", "setting", "algorithm", "axis", "value", "label"]
    split = named.groupby(columns, sort=True, dropna=False)
    result = {}
    for _, rows in split:
        first = rows.iloc[0]
        key = CellKey(*(str(first[name]) for name in CellKey._fields))
        result[key] = _cell(key, rows)
    return result
