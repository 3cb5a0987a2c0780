"""Exponents with a target relative to uniform play's gap, from curves with known answers.

Uniform play's gap is 1 - 1/A. Between A = 3 and A = 8 it grows by 0.875 / (2/3) = 1.3125, so that
samples that go with its square have ``EXTRA`` more in their exponent.
"""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from ccerates.analysis.exponents import exponents
from ccerates.analysis.relative_exponents import RELATIVE_COLUMNS, relative_exponents
from ccerates.analysis.sample_complexity import samples_to_target

MakeRuns = Callable[..., pd.DataFrame]
Curve = Callable[[float, np.ndarray], np.ndarray]
FITS = {"sim-actions": (3.0, 8.0), "online-actions": (3.0, 8.0)}
SETTINGS = {"root_seed": 3, "resamples": 300}
EXTRA = 2.0 * math.log(1.3125) / math.log(8.0 / 3.0)
TARGET = 0.125


def uniform(num_actions):
    return 1.0 - 1.0 / num_actions


def follows_uniform_play(value: float, samples: np.ndarray) -> np.ndarray:
    return uniform(value) * TARGET * np.sqrt(1e4 * value / samples)


def ignores_uniform_play(value: float, samples: np.ndarray) -> np.ndarray:
    return TARGET * np.sqrt(1e4 * value / samples)


def budgets(value: float) -> np.ndarray:
    return np.round(1e4 * value * 2.0 ** np.arange(-5, 4)).astype(np.int64)


def sweep(make_runs: MakeRuns, curve: Curve, values=(3, 8), **options) -> pd.DataFrame:
    names = {"axis": "actions", "experiment": "sim-actions", "target": TARGET} | options
    runs = make_runs(curve, values, budgets, **names)
    # Games of a cell differ: only their mean counts.
    return runs.assign(uniform_gap=uniform(runs["value"]) * (0.9 + 0.1 * runs["replicate"]))


def both(runs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the exponents with relative and with fixed targets."""
    points = samples_to_target(runs, FITS, **SETTINGS)
    relative = relative_exponents(runs, points, FITS, **SETTINGS)
    return relative, exponents(runs, points, **SETTINGS)


def test_the_share_of_uniform_play_in_a_fixed_target_is_taken_out(make_runs: MakeRuns) -> None:
    relative, fixed = (table.iloc[0] for table in both(sweep(make_runs, follows_uniform_play)))
    assert fixed["measured"] == pytest.approx(1.0 + EXTRA, abs=1e-9)
    assert pytest.approx(1.554, abs=1e-3) == 1.0 + EXTRA
    for column in ("measured", "ci_low", "ci_high", "local_slope"):
        assert relative[column] == pytest.approx(1.0, abs=1e-9)
    assert relative["share"] == pytest.approx(TARGET / (2.0 / 3.0))
    assert relative["points"] == 2


def test_it_understates_where_gaps_do_not_depend_on_uniform_play(make_runs: MakeRuns) -> None:
    relative, fixed = (table.iloc[0] for table in both(sweep(make_runs, ignores_uniform_play)))
    assert fixed["measured"] == pytest.approx(1.0, abs=1e-9)
    assert relative["measured"] == pytest.approx(1.0 - EXTRA, abs=1e-9)
    assert pytest.approx(0.446, abs=1e-3) == 1.0 - EXTRA


def test_the_reference_is_the_smallest_value_that_was_fitted(make_runs: MakeRuns) -> None:
    # Two actions lie out of the range; the baseline ends above its target at three of them.
    ours = sweep(make_runs, follows_uniform_play, (2, 3, 4, 8))
    baseline = sweep(make_runs, follows_uniform_play, (2, 3, 4, 8), algorithm="q-ftrl")
    cut = baseline[(baseline["value"] != 3) | (baseline["gap"] > TARGET)]
    table = both(pd.concat([ours, cut]).sample(frac=1.0, random_state=1))[0]
    table = table.set_index("algorithm")
    assert table.loc["evb-sim", "share"] == pytest.approx(TARGET / (2.0 / 3.0))
    assert table.loc["q-ftrl", "share"] == pytest.approx(TARGET / 0.75)
    assert table["points"].to_dict() == {"evb-sim": 3, "q-ftrl": 2}
    assert table["measured"].to_numpy() == pytest.approx([1.0, 1.0], abs=1e-9)


def test_equal_games_give_the_exponents_of_fixed_targets_to_the_last_digit(
    make_runs: MakeRuns,
) -> None:
    """So the resamples are the same, and the two exponents of a sweep are paired."""

    def noise(value: float) -> np.ndarray:
        return np.random.default_rng(int(value)).normal(1.0, 0.1, size=20)

    runs = pd.concat(
        [
            sweep(make_runs, follows_uniform_play, factors=noise),
            sweep(
                make_runs, ignores_uniform_play, factors=noise, algorithm="v-learning",
                setting="online", experiment="online-actions",
            ),
        ]
    ).assign(uniform_gap=0.5)  # fmt: skip
    relative, fixed = both(runs)
    same = ["experiment", "setting", "algorithm", "axis", "measured", "ci_low", "ci_high",
            "local_slope", "points", "ci_method"]  # fmt: skip
    pd.testing.assert_frame_equal(relative[same], fixed[same])
    assert (relative["ci_high"] - relative["ci_low"]).min() > 0.01
    assert relative["share"].tolist() == [0.25, 0.25]


def test_other_axes_are_left_out_and_there_is_no_verdict(make_runs: MakeRuns) -> None:
    actions = sweep(make_runs, follows_uniform_play)
    states = sweep(make_runs, follows_uniform_play, axis="states", experiment="sim-states")
    runs = pd.concat([states, actions])
    points = samples_to_target(runs, FITS | {"sim-states": (3.0, 8.0)}, **SETTINGS)
    table = relative_exponents(runs, points, FITS, **SETTINGS)
    assert table["experiment"].tolist() == ["sim-actions"]
    assert tuple(table.columns[: len(RELATIVE_COLUMNS)]) == RELATIVE_COLUMNS
    assert not {"theory", "verdict"} & set(table.columns)


@pytest.mark.parametrize("alone", [True, False])
def test_without_a_fitted_cell_there_is_neither_share_nor_exponent(
    make_runs: MakeRuns, alone: bool
) -> None:
    unsolved = sweep(make_runs, follows_uniform_play, algorithm="q-ftrl")
    unsolved = unsolved[unsolved["gap"] > TARGET]
    others = [] if alone else [sweep(make_runs, follows_uniform_play)]
    table = both(pd.concat([unsolved, *others]))[0].set_index("algorithm")
    row = table.loc["q-ftrl"]
    assert (row["points"], row["ci_method"]) == (0, "none")
    assert row[["share", "measured", "ci_low", "ci_high", "local_slope"]].isna().all()
    if not alone:
        assert table.loc["evb-sim", "measured"] == pytest.approx(1.0, abs=1e-9)
