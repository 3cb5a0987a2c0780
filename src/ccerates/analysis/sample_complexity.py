"""Samples to target: how many samples bring the mean CCE gap down to a target for good.

The mean gap over replicates crosses its target where `ccerates.analysis.crossing` says. A curve
that ends above the target is `censored` (the last budget bounds the samples from below) and one
that never leaves the region below is `below-grid` (the first budget bounds them from above);
neither is extrapolated or dropped. A cell whose target exceeds 0.6 times the gap of uniform play
asks for next to no learning and is `invalid`.

In the bootstrap a resampled curve that does not cross counts as the end of the grid that it ran
into. Such resamples lie at the extreme of the distribution, where they belong, so an interval's
end is right as long as it falls inside the grid; an end that falls on the end of the grid is
not known and is reported as missing. The table states the share of such resamples.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ccerates.analysis.crossing import last_crossing, log_samples_to_target
from ccerates.analysis.runs import Cell, CellKey, cells
from ccerates.analysis.statistics import bootstrap
from ccerates.errors import InputError
from ccerates.streams import BOOTSTRAP_STREAM, seed_sequence

LARGEST_TARGET = 0.6
"""A valid target is at most this share of the gap of uniform play."""

MEASURED, CENSORED, BELOW_GRID, INVALID = "measured", "censored", "below-grid", "invalid"

SAMPLE_COLUMNS = (
    "experiment", "setting", "algorithm", "axis", "value", "samples_to_target", "ci_low",
    "ci_high", "ci_method", "status", "target", "uniform_gap", "budget_low", "budget_high",
    "replicates", "open_resamples", "log_variance", "in_range", "fitted",
)  # fmt: skip


def bootstrap_seed(root_seed: int, key: CellKey, what: str) -> np.random.SeedSequence:
    """Return the stream for the bootstrap of `what`; algorithms of one cell share it, as pairs."""
    cell = " ".join([what, key.setting, key.axis, key.label])
    return seed_sequence(root_seed, key.experiment, cell, 0, BOOTSTRAP_STREAM)


def _status(cell: Cell) -> str:
    if cell.target > LARGEST_TARGET * cell.uniform_gap:
        return INVALID
    everyone = np.arange(cell.replicates.size)
    crossing = last_crossing(cell.samples, cell.mean_gap(everyone), cell.target)
    if crossing.ends_above:
        return CENSORED
    return BELOW_GRID if crossing.stays_below else MEASURED


def _row(cell: Cell, fit: tuple[float, float], root_seed: int, resamples: int) -> dict[str, object]:
    status = _status(cell)
    in_range = fit[0] <= cell.value <= fit[1]
    first, last = np.log(cell.samples[[0, -1]])
    row: dict[str, object] = {
        **cell.key._asdict(),
        "value": cell.value,
        "status": status,
        "target": cell.target,
        "uniform_gap": cell.uniform_gap,
        "budget_low": int(cell.samples[0]),
        "budget_high": int(cell.samples[-1]),
        "replicates": cell.replicates.size,
        "ci_method": "none",
        "in_range": in_range,
        "fitted": in_range and status == MEASURED,
    }
    if status == CENSORED:
        return row | {"samples_to_target": cell.samples[-1]}
    if status == BELOW_GRID:
        return row | {"samples_to_target": cell.samples[0]}
    if status == INVALID:
        return row
    estimate = bootstrap(
        lambda replicates: log_samples_to_target(cell, replicates),
        [cell.replicates.size],
        bootstrap_seed(root_seed, cell.key, "samples to target"),
        resamples,
    )
    drawn = estimate.distribution
    if drawn.size:
        is_open = (drawn <= first) | (drawn >= last)
        row |= {"open_resamples": is_open.mean(), "log_variance": drawn.var(ddof=1)}
    return row | {
        "samples_to_target": np.exp(estimate.value),
        "ci_low": np.exp(estimate.low) if estimate.low > first else np.nan,
        "ci_high": np.exp(estimate.high) if estimate.high < last else np.nan,
        "ci_method": estimate.method,
    }


def samples_to_target(
    runs: pd.DataFrame,
    fits: Mapping[str, tuple[float, float]],
    *,
    root_seed: int,
    resamples: int,
) -> pd.DataFrame:
    """Return the samples to target of every cell that has an axis.

    Parameters
    ----------
    runs
        Table of runs, see `ccerates.analysis.runs.cells`.
    fits
        Range of the axis that exponents are fitted on, for each experiment, ends included.
    root_seed
        The project's seed.
    resamples
        Number of bootstrap resamples.

    Returns
    -------
    pandas.DataFrame
        One row for each cell and algorithm, columns `SAMPLE_COLUMNS`. `status` is ``measured``,
        ``censored``, ``below-grid`` or ``invalid`` (see the module); `samples_to_target` is a
        bound for the second and third and missing for the last. `open_resamples` is the share
        of bootstrap resamples that do not cross, `log_variance` the bootstrap variance of
        ln(samples), `in_range` whether the cell lies in the range of the fit and `fitted` whether
        it enters the fit.

    Raises
    ------
    InputError
        If the table is not usable or an experiment has no range.
    """
    rows = []
    for key, cell in cells(runs).items():
        if not key.axis:
            continue
        if key.experiment not in fits:
            raise InputError(
                f"experiment {key.experiment}: no range to fit on; write `fit: [low, high]`"
            )
        rows.append(_row(cell, fits[key.experiment], root_seed, resamples))
    return pd.DataFrame(rows, columns=list(SAMPLE_COLUMNS))


def gap_curves(runs: pd.DataFrame) -> pd.DataFrame:
    """Return gap against samples for every cell: mean, median and quartiles over replicates.

    Parameters
    ----------
    runs
        Table of runs, see `ccerates.analysis.runs.cells`.

    Returns
    -------
    pandas.DataFrame
        One row for each cell, algorithm and budget: the cell's names (`label` is the value or the
        game), value, game, players, states, horizon, samples, gap_kind, gap_mean, gap_median,
        gap_quartile_low, gap_quartile_high, target, uniform_gap, replicates.
    """
    tables = []
    for key, cell in cells(runs).items():
        low, median, high = np.quantile(cell.gap, [0.25, 0.5, 0.75], axis=1)
        columns = {
            **key._asdict(),
            "value": cell.value,
            "game": cell.game,
            "players": cell.players,
            "states": cell.states,
            "horizon": cell.horizon,
            "samples": cell.samples.astype(np.int64),
            "gap_kind": cell.gap_kind,
            "gap_mean": cell.gap.mean(axis=1),
            "gap_median": median,
            "gap_quartile_low": low,
            "gap_quartile_high": high,
            "target": cell.target,
            "uniform_gap": cell.uniform_gap,
            "replicates": cell.replicates.size,
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)
