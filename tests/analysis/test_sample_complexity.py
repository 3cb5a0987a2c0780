"""Samples to target on curves whose crossings are known."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from ccerates.analysis.sample_complexity import SAMPLE_COLUMNS, gap_curves, samples_to_target
from ccerates.errors import InputError

MakeRuns = Callable[..., pd.DataFrame]

GRID = 1000 * 2 ** np.arange(8)
FITS = {"sim-horizon": (8.0, 24.0)}


def falling(value: float, samples: np.ndarray) -> np.ndarray:
    """Reach 0.125 after ``value**4`` samples."""
    return 0.125 * np.sqrt(value**4 / samples)


def measure(runs: pd.DataFrame, resamples: int = 500) -> pd.DataFrame:
    return samples_to_target(runs, FITS, root_seed=11, resamples=resamples)


def test_power_laws_are_measured_exactly(make_runs: MakeRuns) -> None:
    table = measure(make_runs(falling, [12, 8, 16], lambda value: GRID))
    assert tuple(table.columns) == SAMPLE_COLUMNS
    assert table["value"].tolist() == [8, 12, 16]
    assert table["samples_to_target"].to_numpy() == pytest.approx([8**4, 12**4, 16**4], rel=1e-9)
    assert set(table["status"]) == {"measured"}
    assert table["fitted"].all()
    assert set(table["ci_method"]) == {"percentile"}, "equal replicates have no BCa interval"


def test_a_cell_is_censored_below_its_grid_or_left_out_by_rule(make_runs: MakeRuns) -> None:
    table = measure(make_runs(falling, [4, 8, 24], lambda value: GRID)).set_index("value")
    assert table["status"].tolist() == ["below-grid", "measured", "censored"]
    assert table["samples_to_target"].tolist() == pytest.approx([GRID[0], 8**4, GRID[-1]])
    assert table["in_range"].tolist() == [False, True, True]
    assert table["fitted"].tolist() == [False, True, False]
    assert table.loc[[4, 24], ["ci_low", "ci_high"]].isna().all(axis=None)


@pytest.mark.parametrize(("uniform_gap", "status"), [(0.2084, "measured"), (0.2083, "invalid")])
def test_targets_above_six_tenths_of_uniform_play_are_invalid(
    make_runs: MakeRuns, uniform_gap: float, status: str
) -> None:
    runs = make_runs(falling, [8], lambda value: GRID, uniform_gap=uniform_gap)
    row = measure(runs).iloc[0]
    assert row["status"] == status
    assert row["fitted"] == (status == "measured")
    assert np.isnan(row["samples_to_target"]) == (status == "invalid")


def test_the_mean_of_the_gaps_crosses_not_the_mean_of_the_crossings(make_runs: MakeRuns) -> None:
    factors = np.array([0.5, 1.0, 3.0])
    runs = make_runs(falling, [8], lambda value: GRID, factors=lambda value: factors)
    found = measure(runs)["samples_to_target"].iloc[0]
    assert found == pytest.approx(1.5**2 * 8**4, rel=1e-9)


def test_variance_of_the_logarithm_agrees_with_the_delta_method(make_runs: MakeRuns) -> None:
    factors = np.random.default_rng(5).normal(1.0, 0.1, size=40)
    runs = make_runs(falling, [8], lambda value: GRID, factors=lambda value: factors)
    row = measure(runs, 5000).iloc[0]
    # ln(samples) is twice ln(mean factor) plus a constant.
    expected = 4.0 * factors.var() / 40 / factors.mean() ** 2
    assert row["log_variance"] == pytest.approx(expected, rel=0.1)
    half_width = 1.96 * np.sqrt(expected)
    centre = np.log(row["samples_to_target"])
    assert np.log(row["ci_high"]) - centre == pytest.approx(half_width, rel=0.15)
    assert centre - np.log(row["ci_low"]) == pytest.approx(half_width, rel=0.15)
    assert row["open_resamples"] == 0.0


def test_an_end_beyond_the_grid_is_reported_as_missing(make_runs: MakeRuns) -> None:
    factors = np.random.default_rng(6).normal(1.0, 0.3, size=20)
    factors /= factors.mean()
    grid = np.array([1000, 2000, 4000, 4300])  # the crossing, 4096, lies close to the end
    row = measure(make_runs(falling, [8], lambda value: grid, factors=lambda value: factors)).iloc[
        0
    ]
    assert row["status"] == "measured"
    assert np.isnan(row["ci_high"])
    assert 2000 < row["ci_low"] < 4096
    assert 0.1 < row["open_resamples"] < 0.6


def test_order_of_rows_does_not_matter(make_runs: MakeRuns) -> None:
    factors = np.array([0.9, 1.0, 1.2])
    runs = make_runs(falling, [8, 12], lambda value: GRID, factors=lambda value: factors)
    pd.testing.assert_frame_equal(measure(runs), measure(runs.sample(frac=1.0, random_state=1)))


def test_curves_hold_mean_and_quartiles(make_runs: MakeRuns) -> None:
    factors = np.array([1.0, 2.0, 3.0, 4.0, 10.0])
    runs = make_runs(falling, [8], lambda value: GRID, factors=lambda value: factors)
    curves = gap_curves(runs)
    base = falling(8, GRID)
    assert curves["samples"].tolist() == GRID.tolist()
    assert curves["gap_mean"].to_numpy() == pytest.approx(4.0 * base)
    assert curves["gap_quartile_low"].to_numpy() == pytest.approx(2.0 * base)
    assert curves["gap_median"].to_numpy() == pytest.approx(3.0 * base)
    assert curves["gap_quartile_high"].to_numpy() == pytest.approx(4.0 * base)
    assert set(curves["gap_kind"]) == {"exact"}
    assert set(gap_curves(runs.assign(gap_kind="upper"))["gap_kind"]) == {"upper"}


BAD_TABLES = {
    "a column is missing": (lambda runs: runs.drop(columns="gap"), "no column gap"),
    "no rows": (lambda runs: runs.iloc[:0], "empty"),
    "a run is missing": (lambda runs: runs.drop(index=3), "horizon 8.*missing or not finite"),
    "a gap is NaN": (lambda runs: runs.assign(gap=np.nan), "missing or not finite"),
    "a run stands twice": (lambda runs: pd.concat([runs, runs.iloc[:1]]), "stands there twice"),
    "target is zero": (lambda runs: runs.assign(target=0.0), "target 0.0 is not positive"),
    "target is NaN": (lambda runs: runs.assign(target=np.nan), "not positive"),
    "two targets": (
        lambda runs: runs.assign(target=np.linspace(0.1, 0.2, len(runs))),
        "'target' takes 24 values",
    ),
    "no range": (lambda runs: runs.assign(experiment="sim-vertical"), "no range to fit on"),
}


@pytest.mark.parametrize("case", BAD_TABLES)
def test_tables_that_cannot_be_used_are_refused(make_runs: MakeRuns, case: str) -> None:
    change, message = BAD_TABLES[case]
    with pytest.raises(InputError, match=message):
        measure(change(make_runs(falling, [8], lambda value: GRID)))
