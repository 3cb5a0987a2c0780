"""Exponents recovered from synthetic runs, and what is said of them."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from ccerates.analysis.exponents import (
    DIFFERENCE_COLUMNS,
    EXPONENT_COLUMNS,
    exponent_differences,
    exponents,
)
from ccerates.analysis.sample_complexity import samples_to_target
from ccerates.errors import InputError

MakeRuns = Callable[..., pd.DataFrame]
VALUES = (8, 12, 16, 24)
FITS = {"sim-horizon": (8.0, 24.0), "sim-epsilon": (0.1, 1.0), "online-horizon": (8.0, 24.0)}


def power_law(power: float, constant: float = 1.0):
    """Return curves that reach 0.125 after ``constant * value**power`` samples."""
    return lambda value, samples: 0.125 * np.sqrt(constant * value**power / samples)


def around(power: float, constant: float = 1.0):
    """Return budgets at factors 1/16 to 16 of where the curves cross."""
    return lambda value: np.round(1e4 * constant * value**power * 2.0 ** np.arange(-4, 5)).astype(
        np.int64
    )


def sweep(make_runs: MakeRuns, power: float, constant: float = 1e4, **options) -> pd.DataFrame:
    return make_runs(power_law(power, constant), VALUES, around(power, constant / 1e4), **options)


def noise(seed: int, spread: float = 0.05, replicates: int = 20):
    """Return independent factors for every cell, the same for every call with one seed."""
    return lambda value: np.random.default_rng([seed, int(1000 * value)]).normal(
        1.0, spread, size=replicates
    )


def fit(runs: pd.DataFrame, function=exponents, resamples: int = 400) -> pd.DataFrame:
    points = samples_to_target(runs, FITS, root_seed=3, resamples=resamples)
    return function(runs, points, root_seed=3, resamples=resamples)


def test_power_laws_are_recovered_to_rounding(make_runs: MakeRuns) -> None:
    runs = pd.concat(
        [sweep(make_runs, 4.0), sweep(make_runs, 3.5, algorithm="q-ftrl"),
         sweep(make_runs, 4.4, algorithm="home-made")]
    )  # fmt: skip
    table = fit(runs).set_index("algorithm")
    expected = {"evb-sim": 4.0, "home-made": 4.4, "q-ftrl": 3.5}
    for column in ("measured", "ci_low", "ci_high", "local_slope"):
        assert table[column].to_dict() == pytest.approx(expected, abs=1e-9)
    assert table["theory"].to_dict() == pytest.approx(
        {"evb-sim": 4.0, "home-made": np.nan, "q-ftrl": 4.0}, nan_ok=True
    )
    assert table["verdict"].to_dict() == {
        "evb-sim": "confirmed", "home-made": "no rate", "q-ftrl": "miss",
    }  # fmt: skip
    assert table["points"].tolist() == [4, 4, 4]
    assert (table["fit_low"] == 8).all()
    assert (table["fit_high"] == 24).all()


def test_online_bounds_are_judged_from_above_and_baselines_paired(make_runs: MakeRuns) -> None:
    slopes = {"v-learning": 6.1, "cce-v-learning": 5.4, "stage-v-learning": 6.4, "evb-online": 4.6}
    runs = pd.concat(
        [
            sweep(make_runs, slope, algorithm=name, setting="online", experiment="online-horizon")
            for name, slope in slopes.items()
        ]
    )
    table = fit(runs).set_index("algorithm")
    assert table["theory"].to_dict() == dict.fromkeys(slopes, 6.0) | {"evb-online": 5.0}
    assert table["measured"].to_dict() == pytest.approx(slopes, abs=1e-9)
    assert table["verdict"].to_dict() == dict.fromkeys(slopes, "within bound") | {
        "stage-v-learning": "miss"
    }
    differences = fit(runs, exponent_differences).set_index("baseline")
    assert set(differences["algorithm"]) == {"evb-online"}
    assert differences["difference"].to_dict() == pytest.approx(
        {"v-learning": 1.5, "cce-v-learning": 0.8, "stage-v-learning": 1.8}, abs=1e-9
    )


def test_settings_are_not_compared_with_each_other(make_runs: MakeRuns) -> None:
    runs = pd.concat(
        [
            sweep(make_runs, 4.0),
            sweep(make_runs, 6.0, algorithm="v-learning", setting="online"),
            sweep(make_runs, 5.0, algorithm="evb-online", setting="online"),
        ]
    )
    table = fit(runs, exponent_differences)
    assert table[["setting", "baseline", "algorithm"]].to_numpy().tolist() == [
        ["online", "v-learning", "evb-online"]
    ]


def test_columns_start_with_those_promised(make_runs: MakeRuns) -> None:
    runs = pd.concat([sweep(make_runs, 4.0), sweep(make_runs, 5.0, algorithm="q-ftrl")])
    assert tuple(fit(runs).columns[: len(EXPONENT_COLUMNS)]) == EXPONENT_COLUMNS
    table = fit(runs, exponent_differences)
    assert tuple(table.columns[: len(DIFFERENCE_COLUMNS)]) == DIFFERENCE_COLUMNS


def test_epsilon_falls_and_the_local_slope_is_at_its_small_end(make_runs: MakeRuns) -> None:
    def needed(epsilon: float) -> float:
        return 1e4 * epsilon**-2 * (4.0 if epsilon < 0.2 else 1.0)

    def curve(epsilon: float, samples: np.ndarray) -> np.ndarray:
        return 0.25 * epsilon * np.sqrt(needed(epsilon) / samples)

    runs = make_runs(
        curve, [0.125, 0.25, 0.5, 1.0],
        lambda epsilon: np.round(needed(epsilon) * 2.0 ** np.arange(-3, 4)).astype(np.int64),
        axis="epsilon", experiment="sim-epsilon", target=lambda epsilon: 0.25 * epsilon,
    )  # fmt: skip
    row = fit(runs).iloc[0]
    assert row["theory"] == -2.0
    assert row["local_slope"] == pytest.approx(-4.0, abs=1e-3)
    assert -3.0 < row["measured"] < -2.2


def test_weights_are_inverse_bootstrap_variances(make_runs: MakeRuns) -> None:
    spread = {8: 0.02, 12: 0.3, 16: 0.1, 24: 0.04}
    runs = sweep(make_runs, 4.0, factors=lambda value: noise(1, spread[value])(value))
    points = samples_to_target(runs, FITS, root_seed=3, resamples=400)
    x, y = np.log(points["value"]), np.log(points["samples_to_target"])
    expected = np.polyfit(x, y, 1, w=1.0 / np.sqrt(points["log_variance"]))[0]
    row = exponents(runs, points, root_seed=3, resamples=400).iloc[0]
    assert row["measured"] == pytest.approx(expected, abs=1e-9)
    assert row["measured"] != pytest.approx(np.polyfit(x, y, 1)[0], abs=1e-3)


def test_intervals_cover_the_true_exponent(make_runs: MakeRuns) -> None:
    tables = [fit(sweep(make_runs, 4.0, factors=noise(seed)), resamples=200) for seed in range(40)]
    table = pd.concat(tables)
    covered = (table["ci_low"] <= 4.0) & (table["ci_high"] >= 4.0)
    assert set(table["ci_method"]) == {"bca"}
    assert 0.83 <= covered.mean() < 1.0  # 95 %, less what 20 replicates and 40 trials cost


def test_paired_differences_are_sharper_than_unpaired_ones(make_runs: MakeRuns) -> None:
    shared = noise(2, spread=0.2)
    sharp = sweep(make_runs, 4.0, factors=shared)
    same_games = sweep(make_runs, 4.5, algorithm="q-ftrl", factors=shared)
    other_games = sweep(
        make_runs, 4.5, algorithm="q-ftrl", factors=lambda value: shared(value)[::-1]
    )
    widths = []
    for baseline in (same_games, other_games):
        row = fit(pd.concat([sharp, baseline]), exponent_differences).iloc[0]
        assert (row["baseline"], row["algorithm"]) == ("q-ftrl", "evb-sim")
        assert row["ci_low"] - 1e-9 <= 0.5 <= row["ci_high"] + 1e-9
        assert row["difference"] == pytest.approx(0.5, abs=0.05)
        widths.append(row["ci_high"] - row["ci_low"])
    assert widths[0] < 1e-6 < 0.1 < widths[1], "the noise is shared, so that it cancels in pairs"


def test_a_censored_cell_leaves_the_fit_but_not_the_verdict(make_runs: MakeRuns) -> None:
    runs = sweep(make_runs, 4.0)
    cut = runs[(runs["value"] < 24) | (runs["gap"] > 0.126)]
    row = fit(cut).iloc[0]
    assert row["measured"] == pytest.approx(4.0, abs=1e-9)
    assert (row["points"], row["fit_high"], row["verdict"]) == (3, 16.0, "inconclusive")


def test_an_invalid_cell_is_left_out_by_rule(make_runs: MakeRuns) -> None:
    runs = sweep(make_runs, 4.0)
    runs.loc[runs["value"] == 8, "uniform_gap"] = 0.2
    row = fit(runs).iloc[0]
    assert (row["points"], row["fit_low"], row["verdict"]) == (3, 12.0, "confirmed")


def test_one_point_is_not_fitted(make_runs: MakeRuns) -> None:
    runs = sweep(make_runs, 4.0)
    row = fit(runs[runs["value"] == 8]).iloc[0]
    assert (row["points"], row["verdict"]) == (1, "not fitted")
    assert row[["measured", "ci_low", "ci_high", "local_slope"]].isna().all()


def test_no_interval_when_resamples_often_miss_the_grid(make_runs: MakeRuns) -> None:
    factors = noise(4, spread=0.2)
    runs = sweep(make_runs, 4.0, factors=lambda value: factors(value) / factors(value).mean())
    # The last budget of the last cell now lies just behind the crossing.
    near = runs[(runs["value"] < 24) | (runs["samples"] <= 1.05e4 * 24**4)]
    row = fit(near).iloc[0]
    assert np.isfinite(row["measured"])
    assert row[["ci_low", "ci_high"]].isna().all()
    assert (row["ci_method"], row["verdict"]) == ("none", "inconclusive")


def test_algorithms_on_other_replicates_are_not_compared(make_runs: MakeRuns) -> None:
    baseline = sweep(make_runs, 4.0, algorithm="q-ftrl")
    runs = pd.concat([sweep(make_runs, 4.0), baseline.assign(replicate=baseline["replicate"] + 1)])
    with pytest.raises(InputError, match="different replicates"):
        fit(runs, exponent_differences)


def test_results_do_not_depend_on_the_order_of_rows_or_on_other_algorithms(
    make_runs: MakeRuns,
) -> None:
    alone = sweep(make_runs, 4.0, factors=noise(5))
    both = pd.concat([sweep(make_runs, 5.0, algorithm="q-ftrl", factors=noise(6)), alone])
    shuffled = both.sample(frac=1.0, random_state=1)
    expected = fit(alone)
    found = fit(shuffled)
    found = found[found["algorithm"] == "evb-sim"].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, expected)
