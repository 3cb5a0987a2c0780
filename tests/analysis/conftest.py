"""Synthetic tables of runs with known crossings."""

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
import pytest

MakeRuns = Callable[..., pd.DataFrame]


def _make_runs(
    curve: Callable[[float, np.ndarray], np.ndarray],
    values: Iterable[float],
    budgets: Callable[[float], np.ndarray],
    *,
    algorithm: str = "evb-sim",
    setting: str = "simulator",
    axis: str = "horizon",
    experiment: str = "sim-horizon",
    target: float | Callable[[float], float] = 0.125,
    factors: Callable[[float], np.ndarray] = lambda value: np.ones(3),
    uniform_gap: float = 0.6,
) -> pd.DataFrame:
    """Return runs whose gap is ``curve(value, samples)`` times ``factors(value)[replicate]``."""
    tables = []
    for value in values:
        samples, scale = budgets(value), factors(value)
        replicate = np.repeat(np.arange(scale.size), samples.size)
        columns = {
            "experiment": experiment, "setting": setting, "algorithm": algorithm,
            "constants": "practical", "axis": axis, "value": value if axis else np.nan,
            "game": "survival" if axis else "goofspiel", "game_hash": "0123", "players": 2,
            "states": 3, "horizon": 8, "max_actions": 3, "eps_game": 0.5,
            "target": target(value) if callable(target) else target, "replicate": replicate,
            "rounds": np.tile(samples // 24, scale.size), "samples": np.tile(samples, scale.size),
            "gap_kind": "exact", "gap": np.outer(scale, curve(value, samples)).ravel(),
            "gap_worst": np.nan, "uniform_gap": uniform_gap, "certificate": np.nan,
        }  # fmt: skip
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


@pytest.fixture
def make_runs() -> MakeRuns:
    return _make_runs
