"""Rates of algorithms, fitted to what their jobs cost."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.optimize import nnls

from ccerates.experiments.prediction import Job, Rates, sizes


def fit_rates(jobs: Sequence[Job], costs: pd.DataFrame) -> dict[str, Rates]:
    """Fit the rates of each algorithm by non-negative least squares of relative errors.

    Parameters
    ----------
    jobs
        The jobs that were run.
    costs
        The table that `ccerates.analysis.cost.cost` made of them.

    Returns
    -------
    dict
        Rates by algorithm. Of an algorithm with few rows in the table, one rate for a sample.
    """
    numbers: dict[tuple[str, str], np.ndarray] = {}
    algorithms = {}
    for job in jobs:
        key = (job.experiment, job.learner)
        algorithms[key] = job.algorithm
        numbers[key] = numbers.get(key, 0.0) + np.array(sizes(job))
    measured: dict[str, list[tuple[np.ndarray, float]]] = {}
    columns = ("experiment", "algorithm", "jobs", "core_seconds")
    for experiment, learner, count, seconds in zip(*map(costs.get, columns), strict=True):
        key = (experiment, learner)
        # The table may be of a time at which the same runs were cut into other jobs.
        own = np.array([count, *numbers[key][1:]])
        measured.setdefault(algorithms[key], []).append((own, seconds))
    return {algorithm: _fit(*zip(*rows, strict=True)) for algorithm, rows in measured.items()}


def _fit(rows: Sequence[np.ndarray], core_seconds: Sequence[float]) -> Rates:
    numbers, seconds = np.array(rows), np.array(core_seconds)
    if len(seconds) <= len(Rates._fields):
        return Rates(0.0, 0.0, float(seconds.sum() / numbers[:, 2].sum()), 0.0)
    scale = numbers.max(axis=0)
    found, _ = nnls(numbers / scale / seconds[:, np.newaxis], np.ones(len(seconds)))
    return Rates(*(found / scale).tolist())


def rates_table(rates: Mapping[str, Rates]) -> pd.DataFrame:
    """Return rates as the table that `ccerates.experiments.prediction.read_rates` reads."""
    return pd.DataFrame([{"algorithm": name, **own._asdict()} for name, own in rates.items()])
