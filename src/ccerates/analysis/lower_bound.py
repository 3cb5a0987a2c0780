"""How often learners fail on hidden-action games, and where they begin to succeed.

Samples are also shown as `scaled_samples`, in units of H^4 S max_i A_i/eps^2: curves of one learner
coincide in these units if it needs samples at the rate of the lower bound. Where a learner begins
to succeed is its *crossing*, the number of samples from which on it fails in less than half of the
runs, by interpolation on a logarithmic axis.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ccerates.analysis.statistics import bootstrap, clopper_pearson
from ccerates.errors import InputError
from ccerates.streams import BOOTSTRAP_STREAM, seed_sequence
from ccerates.theory.rates import RATES, Rate

EXPERIMENT, BASE, ALL = "lower-bound", "base", "all"

AXIS_COLUMNS = {
    "horizon": "horizon",
    "players": "players",
    "actions": "max_actions",
    "states": "states",
    "epsilon": "eps_game",
}
"""The column that each axis varies."""

_CELL = ("cell", "axis", "algorithm", *AXIS_COLUMNS.values(), "failing_samples")

FAILURE_COLUMNS = (
    *(*_CELL, "samples", "scaled_samples", "below_bound"),
    *("runs", "failures", "failure_rate", "ci_low", "ci_high"),
)
CROSSING_COLUMNS = (
    *("algorithm", "axis", "theory", "bound_exponent", "exponent", "ci_low", "ci_high"),
    *("crossing_low", "crossing_high", "spread", "cells", "censored"),
)

HALF = 0.5


def unit(table: pd.DataFrame) -> pd.Series:
    """Return H^4 S max_i A_i/eps^2 of each row."""
    rate = table["horizon"] ** 4 * table["states"] * table["max_actions"]
    return rate / table["eps_game"] ** 2


def failure_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each cell, learner and budget.

    Parameters
    ----------
    runs
        `ccerates.experiments.lower_bound.COLUMNS`.

    Returns
    -------
    pandas.DataFrame
        `FAILURE_COLUMNS`; `ci_low` and `ci_high` are the exact 95 % interval of `failure_rate`,
        `below_bound` says whether the lower bound proves that it is 1/4 or more on average.
    """
    counts = runs.groupby([*_CELL, "samples"], as_index=False).agg(
        runs=("fails", "size"), failures=("fails", "sum")
    )
    pairs = zip(counts["failures"], counts["runs"], strict=True)
    intervals = np.array([clopper_pearson(int(failed), int(count)) for failed, count in pairs])
    table = counts.assign(
        scaled_samples=counts["samples"] / unit(counts),
        failure_rate=counts["failures"] / counts["runs"],
        ci_low=intervals[:, 0],
        ci_high=intervals[:, 1],
        below_bound=counts["samples"] <= counts["failing_samples"],
    )
    return table[list(FAILURE_COLUMNS)]


class Curve(NamedTuple):
    """Failures of one learner in one cell.

    Attributes
    ----------
    log_samples
        (budgets,) float64, increasing; budgets without samples are left out.
    fails
        (budgets, replicates) bool.
    """

    log_samples: np.ndarray
    fails: np.ndarray

    def log_crossing(self, replicates: np.ndarray) -> np.ndarray:
        """Return ln(samples) at the crossing of (re)sampled replicates.

        Parameters
        ----------
        replicates
            (..., n) int: positions of replicates.

        Returns
        -------
        numpy.ndarray
            (...) float64; an end of the grid for curves that do not cross.
        """
        rate = self.fails[:, replicates].mean(axis=-1)  # (budgets, ...)
        above = rate >= HALF
        last = np.where(above.any(axis=0), len(rate) - 1 - np.argmax(above[::-1], axis=0), 0)
        after = np.minimum(last + 1, len(rate) - 1)
        high, low = (np.take_along_axis(rate, each[None], axis=0)[0] for each in (last, after))
        drop = high - low
        crosses = above.any(axis=0) & (drop > 0.0)
        share = np.where(crosses, (high - HALF) / np.where(crosses, drop, 1.0), 0.0)
        left, right = self.log_samples[last], self.log_samples[after]
        log_crossing: np.ndarray = left + share * (right - left)
        return log_crossing

    @property
    def is_censored(self) -> bool:
        """Whether the rate of failures does not fall through one half on the grid."""
        rate = self.fails.mean(axis=1)
        return bool(rate[0] < HALF or rate[-1] >= HALF)


def _curve(runs: pd.DataFrame) -> Curve:
    sampled = runs[runs["samples"] > 0]
    table = sampled.pivot(index="samples", columns="replicate", values="fails").sort_index()
    return Curve(np.log(table.index.to_numpy(dtype=float)), table.to_numpy(dtype=bool))


def crossing_table(runs: pd.DataFrame, *, root_seed: int, resamples: int) -> pd.DataFrame:
    """Return one row for each learner and axis, and one for each learner over all cells.

    Parameters
    ----------
    runs
        `ccerates.experiments.lower_bound.COLUMNS`.
    root_seed, resamples
        Stream and number of bootstrap resamples.

    Returns
    -------
    pandas.DataFrame
        `theory` and `exponent`, of the crossing along the axis, with its 95 % bootstrap interval
        `ci_low`, `ci_high`; missing in the rows `ALL`. `bound_exponent` is that of the number of
        samples up to which failure is proved, on the same games. `crossing_low` and
        `crossing_high` are the least and largest scaled crossing of the row's cells, `spread` their
        ratio; `cells` counts them, without the `censored` ones, which never fall through one half
        on their grid.

    Raises
    ------
    InputError
        If there is no base cell.
    """
    if BASE not in set(runs["cell"]):
        raise InputError(f"{EXPERIMENT}: no runs of the cell {BASE!r}; run it")
    rows = []
    for algorithm, own in runs.groupby("algorithm"):
        for axis, column in AXIS_COLUMNS.items():
            if (own["axis"] == axis).any():
                part = own[(own["axis"] == axis) | (own["cell"] == BASE)]
                seed = seed_sequence(
                    root_seed, EXPERIMENT, f"{algorithm} {axis}", 0, BOOTSTRAP_STREAM
                )
                rows.append(_row(part, str(algorithm), axis, column, seed, resamples))
        placed = own[(own["axis"] != "") | (own["cell"] == BASE)]
        rows.append({"algorithm": algorithm, "axis": ALL, **_spread(placed)})
    return pd.DataFrame(rows, columns=list(CROSSING_COLUMNS))


def _row(
    runs: pd.DataFrame,
    algorithm: str,
    axis: str,
    column: str,
    seed: np.random.SeedSequence,
    resamples: int,
) -> dict[str, object]:
    groups = [(value, _curve(part)) for value, part in runs.groupby(column)]
    crossing = [(value, curve) for value, curve in groups if not curve.is_censored]
    # The uniform sampler has no published rate; what the lower bound says is possible is its own.
    rate = RATES.get(("simulator", algorithm), Rate(4, "max"))
    proved = runs.groupby(column)["failing_samples"].first()
    places = _centred_logs(proved.index)
    slope_of_bound = float(np.log(proved.to_numpy()) @ places / (places @ places))
    row: dict[str, object] = {
        "algorithm": algorithm,
        "axis": axis,
        "theory": rate.exponent(axis),
        "bound_exponent": round(slope_of_bound, 9) + 0.0,  # no rounding errors, no negative zero
    }
    if len(crossing) > 1:
        centred = _centred_logs([value for value, _ in crossing])
        curves = [curve for _, curve in crossing]

        def slope(*replicates: np.ndarray) -> np.ndarray:
            logs = [c.log_crossing(each) for c, each in zip(curves, replicates, strict=True)]
            return np.asarray(np.stack(logs, axis=-1) @ centred / (centred @ centred))

        sizes = [curve.fails.shape[1] for curve in curves]
        estimate = bootstrap(slope, sizes, seed, resamples)
        row |= {"exponent": estimate.value, "ci_low": estimate.low, "ci_high": estimate.high}
    return row | _spread(runs)


def _centred_logs(values: Sequence[Any] | pd.Index) -> np.ndarray:
    logs = np.log(np.asarray(values, dtype=float))
    centred: np.ndarray = logs - logs.mean()
    return centred


def _spread(runs: pd.DataFrame) -> dict[str, object]:
    scaled = []
    cells = runs.groupby("cell")
    for _, part in cells:
        curve = _curve(part)
        if not curve.is_censored:
            every = np.arange(curve.fails.shape[1])
            scaled.append(float(np.exp(curve.log_crossing(every)) / unit(part).iloc[0]))
    if not scaled:
        return {"cells": 0, "censored": len(cells)}
    low, high = min(scaled), max(scaled)
    return {
        "crossing_low": low,
        "crossing_high": high,
        "spread": high / low,
        "cells": len(scaled),
        "censored": len(cells) - len(scaled),
    }
