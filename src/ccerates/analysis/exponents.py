"""Measured exponents and paired differences between algorithms.

An exponent is the slope of ln(samples to target) against ln(quantity): weighted least squares
over the fitted cells, each weighted by one over the bootstrap variance of its ln(samples), or all
equally if a variance is unknown or zero up to rounding. The interval resamples the replicates of
every cell and keeps the weights.

There is no interval if more than 2.5 % of the resamples have a cell whose curve does not cross
its target: either end could then rest on them.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ccerates.analysis.crossing import log_samples_to_target
from ccerates.analysis.runs import Cell, CellKey, axis_label, cells
from ccerates.analysis.sample_complexity import BELOW_GRID, CENSORED, bootstrap_seed
from ccerates.analysis.statistics import CONFIDENCE, Estimate, bootstrap, weighted_slope
from ccerates.analysis.verdicts import verdict
from ccerates.errors import InputError
from ccerates.theory.rates import RATES, SHARP_ALGORITHM

EXPONENT_COLUMNS = (
    "setting", "algorithm", "axis", "theory", "measured", "ci_low", "ci_high", "local_slope",
    "points", "fit_low", "fit_high", "verdict",
)  # fmt: skip
DIFFERENCE_COLUMNS = (
    "setting", "axis", "baseline", "algorithm", "difference", "ci_low", "ci_high",
)  # fmt: skip

MAX_OPEN_SHARE = (1.0 - CONFIDENCE) / 2.0
SMALLEST_VARIANCE = 1e-20


@dataclass(frozen=True)
class _Fit:
    """Fitted cells of one algorithm on one axis, in the order of `label`.

    `complete` tells whether every valid cell in the range was measured.
    """

    key: CellKey
    cells: dict[str, Cell]
    variance: dict[str, float]
    open_share: dict[str, float]
    complete: bool

    def slope(self, labels: list[str], replicates: tuple[np.ndarray, ...]) -> np.ndarray:
        """Return the slope over some cells, given (re)sampled replicates of each."""
        chosen = [self.cells[label] for label in labels]
        abscissa = np.log([cell.value for cell in chosen])
        pairs = zip(chosen, replicates, strict=True)
        ordinate = np.stack([log_samples_to_target(*pair) for pair in pairs], axis=-1)
        variance = np.array([self.variance[label] for label in labels])
        known = variance.min() > SMALLEST_VARIANCE
        return weighted_slope(abscissa, ordinate, 1.0 / variance if known else np.ones(len(chosen)))

    def local_slope(self) -> float:
        """Return the slope of the last two cells in the direction in which samples grow."""
        labels = list(self.cells)
        last_two = labels[:2] if self.key.axis == "epsilon" else labels[-2:]
        everyone = tuple(np.arange(self.cells[label].replicates.size) for label in last_two)
        return float(self.slope(last_two, everyone))


def _fits(runs: pd.DataFrame, points: pd.DataFrame) -> list[_Fit]:
    everything = cells(runs)
    fits = []
    columns = ["experiment", "setting", "algorithm", "axis"]
    for _, rows in points.groupby(columns, sort=True):
        key = CellKey._make([*(str(rows[name].iloc[0]) for name in columns), ""])
        fitted = rows[rows["fitted"]].sort_values("value")
        labels = [axis_label(value) for value in fitted["value"]]
        lacking = rows["in_range"] & rows["status"].isin([CENSORED, BELOW_GRID])
        fit = _Fit(
            key,
            {label: everything[key._replace(label=label)] for label in labels},
            dict(zip(labels, fitted["log_variance"], strict=True)),
            dict(zip(labels, fitted["open_resamples"], strict=True)),
            not lacking.any(),
        )
        fits.append(fit)
    return fits


def _estimate(fits: list[_Fit], labels: list[str], root_seed: int, resamples: int) -> Estimate:
    """Return the slope of one fit, or that of the first minus that of the second."""
    if len(labels) < 2:
        return Estimate(np.nan, np.nan, np.nan, "none", np.empty(0))

    def statistic(*replicates: np.ndarray) -> np.ndarray:
        slopes = [fit.slope(labels, replicates) for fit in fits]
        return slopes[0] if len(slopes) == 1 else slopes[0] - slopes[1]

    sizes = [fits[0].cells[label].replicates.size for label in labels]
    seed = bootstrap_seed(root_seed, fits[0].key, "exponent")
    estimate = bootstrap(statistic, sizes, seed, resamples)
    shares = np.array([[fit.open_share[label] for label in labels] for fit in fits])
    if 1.0 - np.prod(1.0 - shares) > MAX_OPEN_SHARE:
        return estimate._replace(low=np.nan, high=np.nan, method="none")
    return estimate


def exponents(
    runs: pd.DataFrame, points: pd.DataFrame, *, root_seed: int, resamples: int
) -> pd.DataFrame:
    """Fit an exponent for every experiment, setting, algorithm and axis.

    Parameters
    ----------
    runs
        Table of runs, see `ccerates.analysis.runs.cells`.
    points
        What `ccerates.analysis.sample_complexity.samples_to_target` made of them.
    root_seed
        The project's seed.
    resamples
        Number of bootstrap resamples.

    Returns
    -------
    pandas.DataFrame
        Columns `EXPONENT_COLUMNS`, then experiment and ci_method (``bca``, ``percentile`` or
        ``none``). `points`, `fit_low` and `fit_high` describe the cells that were fitted; the
        words of `verdict` are explained in `ccerates.analysis.verdicts`.
    """
    rows = []
    for fit in _fits(runs, points):
        _, setting, algorithm, axis, _ = fit.key
        labels = list(fit.cells)
        values = [cell.value for cell in fit.cells.values()]
        estimate = _estimate([fit], labels, root_seed, resamples)
        rate = RATES.get((setting, algorithm))
        row = {
            "setting": setting,
            "algorithm": algorithm,
            "axis": axis,
            "theory": rate.exponent(axis) if rate else np.nan,
            "measured": estimate.value,
            "ci_low": estimate.low,
            "ci_high": estimate.high,
            "local_slope": fit.local_slope() if len(labels) > 1 else np.nan,
            "points": len(labels),
            "fit_low": min(values, default=np.nan),
            "fit_high": max(values, default=np.nan),
            "verdict": verdict(rate, axis, estimate, complete=fit.complete),
            "experiment": fit.key.experiment,
            "ci_method": estimate.method,
        }
        rows.append(row)
    return pd.DataFrame(rows, columns=[*EXPONENT_COLUMNS, "experiment", "ci_method"])


def exponent_differences(
    runs: pd.DataFrame, points: pd.DataFrame, *, root_seed: int, resamples: int
) -> pd.DataFrame:
    """Compare every baseline's exponent with that of the setting's sharp algorithm.

    The difference is the baseline's slope minus the algorithm's over the cells that were fitted for
    both; a resample draws the same replicates for both.

    Parameters
    ----------
    runs, points, root_seed, resamples
        As for `exponents`.

    Returns
    -------
    pandas.DataFrame
        Columns `DIFFERENCE_COLUMNS`, then experiment, points and ci_method. An interval above
        0 means that the algorithm needs fewer samples as the quantity grows.

    Raises
    ------
    InputError
        If the two did not run on the same replicates.
    """
    fits = {fit.key: fit for fit in _fits(runs, points)}
    rows = []
    for key, baseline in fits.items():
        sharp = fits.get(key._replace(algorithm=SHARP_ALGORITHM.get(key.setting, "")))
        if sharp is None or sharp is baseline:
            continue
        labels = [label for label in baseline.cells if label in sharp.cells]
        for label in labels:
            pair = baseline.cells[label].replicates, sharp.cells[label].replicates
            if not np.array_equal(*pair):
                raise InputError(
                    f"runs, {key.experiment} {key.axis} {label}: {key.algorithm} and"
                    f" {sharp.key.algorithm} ran on different replicates; run both on the same"
                )
        estimate = _estimate([baseline, sharp], labels, root_seed, resamples)
        row = {
            "setting": key.setting,
            "axis": key.axis,
            "baseline": key.algorithm,
            "algorithm": sharp.key.algorithm,
            "difference": estimate.value,
            "ci_low": estimate.low,
            "ci_high": estimate.high,
            "experiment": key.experiment,
            "points": len(labels),
            "ci_method": estimate.method,
        }
        rows.append(row)
    columns = [*DIFFERENCE_COLUMNS, "experiment", "points", "ci_method"]
    return pd.DataFrame(rows, columns=columns)
