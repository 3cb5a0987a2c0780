"""Tuning: which setting of a learner's two scales the experiments use, and how it was chosen.

Every setting on the grid is run to the same target on games that nothing else uses. The rule: of
the settings that reach the target within the interval of the best one, take that nearest to the
learner's defaults, 1 and 1, in the sum of the absolute logarithms. A setting far from the defaults
is thus taken only if it is measurably better. A setting that is below the target from the first
budget on might be the best one: then nothing is chosen, and the budgets must start lower.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ccerates.analysis.sample_complexity import BELOW_GRID, MEASURED, samples_to_target

SCALES = ("rate_scale", "bonus_scale")
TUNING_COLUMNS = (
    "setting", "algorithm", *SCALES, "samples_to_target", "ci_low", "ci_high", "status", "chosen",
    "used",
)  # fmt: skip


def tuning_table(
    runs: Sequence[pd.DataFrame],
    learners: Mapping[str, Mapping[str, Any]],
    *,
    root_seed: int,
    resamples: int,
) -> pd.DataFrame:
    """Return samples to target of every setting, and the setting chosen by the rule.

    Parameters
    ----------
    runs
        One table for each learner, as `ccerates.experiments.tuning_runs.run_tuning` returns it.
    learners
        The config's learners, whose scales the experiments use; 1 if they are not stated.
    root_seed
        The project's seed.
    resamples
        Number of bootstrap resamples.

    Returns
    -------
    pandas.DataFrame
        Columns `TUNING_COLUMNS`; learners in the order of `runs`, each by its scales. `chosen`
        marks the setting that the rule takes, if any; `used` that of the experiments.
    """
    tables = []
    for table in runs:
        learner = str(table["algorithm"].iloc[0])
        points = []
        for _, rows in table.groupby(list(SCALES), sort=True):
            point = samples_to_target(
                rows,
                {str(rows["experiment"].iloc[0]): (0.0, math.inf)},
                root_seed=root_seed,
                resamples=resamples,
            )
            points.append(point.assign(**{name: rows[name].iloc[0] for name in SCALES}))
        settings = pd.concat(points, ignore_index=True)
        settings["chosen"] = settings.index == _chosen(settings)
        used = [float(learners[learner].get(name, 1.0)) for name in SCALES]
        settings["used"] = (settings[list(SCALES)] == used).all(axis=1)
        tables.append(settings[list(TUNING_COLUMNS)])
    return pd.concat(tables, ignore_index=True)


def _chosen(settings: pd.DataFrame) -> int:
    """Return the row that the rule takes, or -1 if the best setting is not known."""
    measured = settings[settings["status"] == MEASURED]
    if measured.empty or (settings["status"] == BELOW_GRID).any():
        return -1
    best = measured.sort_values("samples_to_target").iloc[0]
    limit = best["samples_to_target"] if np.isnan(best["ci_high"]) else best["ci_high"]
    close = measured[measured["samples_to_target"] <= limit]
    distance = np.abs(np.log(close[list(SCALES)])).sum(axis=1).round(9)
    # Among equally near settings the faster one.
    order = pd.DataFrame({"distance": distance, "samples": close["samples_to_target"]})
    return int(order.sort_values(["distance", "samples"]).index[0])
