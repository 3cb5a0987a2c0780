"""The table of gaps on real games."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ccerates.analysis.real_games import REAL_GAME_COLUMNS, real_game_gaps

MakeRuns = Callable[..., pd.DataFrame]
GRID = np.array([1000, 2000, 4000])


def halving(_value: float, samples: np.ndarray) -> np.ndarray:
    return 100.0 / samples


def test_means_and_intervals(make_runs: MakeRuns) -> None:
    factors = np.random.default_rng(1).normal(1.0, 0.2, size=60)
    runs = make_runs(
        halving, [0.0], lambda value: GRID, axis="", experiment="real-games", target=np.nan,
        factors=lambda value: factors,
    )  # fmt: skip
    sweep = make_runs(halving, [8], lambda value: GRID, algorithm="q-ftrl")
    table = real_game_gaps(
        pd.concat([runs, sweep]), {"goofspiel": 8.0}, root_seed=5, resamples=3000
    )
    assert tuple(table.columns[: len(REAL_GAME_COLUMNS)]) == REAL_GAME_COLUMNS
    assert table["gap_own"].to_numpy() == pytest.approx(8.0 * table["gap_mean"].to_numpy())
    assert set(table["reward_scale"]) == {8.0}
    assert table["samples"].tolist() == GRID.tolist(), "the sweep is no real game"
    assert table["gap_mean"].to_numpy() == pytest.approx(100.0 / GRID * factors.mean())
    half_width = stats.t.ppf(0.975, 59) * factors.std(ddof=1) / np.sqrt(60)
    for end, sign in (("ci_low", -1.0), ("ci_high", 1.0)):
        expected = 100.0 / GRID * (factors.mean() + sign * half_width)
        assert table[end].to_numpy() == pytest.approx(expected, rel=0.02)
    first = table.iloc[0]
    assert first[["game", "players", "states", "horizon", "algorithm", "gap_kind"]].tolist() == [
        "goofspiel", 2, 3, 8, "evb-sim", "exact",
    ]  # fmt: skip


def test_rows_are_ordered_by_game_algorithm_and_samples(make_runs: MakeRuns) -> None:
    runs = [
        make_runs(
            halving, [0.0], lambda value: GRID, axis="", target=np.nan, algorithm=algorithm
        ).assign(game=game)
        for game in ("pathfinding", "goofspiel-4")
        for algorithm in ("q-ftrl", "evb-sim")
    ]
    scales = {"pathfinding": 200.01, "goofspiel-4": 1.0}
    table = real_game_gaps(pd.concat(runs), scales, root_seed=5, resamples=50)
    assert len(table) == 12
    assert table[["game", "algorithm", "samples"]].apply(tuple, axis=1).is_monotonic_increasing
