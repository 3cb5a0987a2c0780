"""Runs of a cell with every setting of a learner's two scales."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import pandas as pd

from ccerates.experiments.cells import CellPlan
from ccerates.games.model import MarkovGame

RunCell = Callable[..., tuple[pd.DataFrame, list[Any]]]


def run_tuning(
    run_cell: RunCell,
    cell: CellPlan,
    label: str,
    section: Mapping[str, Any],
    games: Sequence[MarkovGame],
    scales: Mapping[str, Sequence[float]],
    *,
    root_seed: int,
    report: Callable[[str], None],
) -> pd.DataFrame:
    """Run one learner with every setting of its two scales.

    Parameters
    ----------
    run_cell
        That of `ccerates.experiments.simulator_runs` or `ccerates.experiments.online_runs`.
    cell, label, section, games, root_seed, report
        As for `run_cell`.
    scales
        Values of ``rate_scale`` and of ``bonus_scale`` to combine.

    Returns
    -------
    pandas.DataFrame
        As of `run_cell`, for each setting, with columns rate_scale and bonus_scale.
    """
    tables = []
    for rate_scale, bonus_scale in product(scales["rate_scale"], scales["bonus_scale"]):
        setting = {"rate_scale": rate_scale, "bonus_scale": bonus_scale}
        runs, _ = run_cell(
            cell, label, {**section, **setting}, games, root_seed=root_seed, report=report
        )
        tables.append(runs.assign(**setting))
    return pd.concat(tables, ignore_index=True)
