"""Failures on hidden-action games: crossings by hand, exponents of exact powers, C10 caught out."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ccerates.analysis.c10_lower_bound import allowed_successes, c10_rows
from ccerates.analysis.lower_bound import (
    CROSSING_COLUMNS,
    FAILURE_COLUMNS,
    crossing_table,
    failure_table,
)
from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap
from ccerates.experiments.lower_bound_cells import game_bound
from ccerates.games.cell_games import make_cell_game

BASE = {
    "horizon": 8,
    "players": 2,
    "max_actions": 4,
    "states": 4,
    "eps_game": 0.25,
    "failing_samples": 100.0,
}
REPLICATES = 40


def runs_of(cell, axis, rates, algorithm="evb-sim", replicates=REPLICATES, **changes):
    """Return runs of a cell: at each number of samples the first ones fail, at the given rate."""
    shape = BASE | changes | {"cell": cell, "axis": axis, "algorithm": algorithm}
    rows = [
        shape | {"samples": samples, "replicate": number, "fails": number < rate * replicates}
        for samples, rate in rates.items()
        for number in range(replicates)
    ]
    return pd.DataFrame(rows)


def unit_of(**changes):
    cell = BASE | changes
    return cell["horizon"] ** 4 * cell["states"] * cell["max_actions"] / cell["eps_game"] ** 2


def test_failures_are_counted_with_exact_intervals():
    table = failure_table(runs_of("base", "", {64: 1.0, 1024: 0.25, 0: 0.5}))
    assert tuple(table.columns) == FAILURE_COLUMNS
    assert table["samples"].tolist() == [0, 64, 1024]
    assert table["failures"].tolist() == [20, 40, 10]
    assert table["failure_rate"].tolist() == [0.5, 1.0, 0.25]
    assert table["below_bound"].tolist() == [True, True, False]
    np.testing.assert_allclose(table["scaled_samples"], np.array([0, 64, 1024]) / unit_of())
    # P(at least 10 of 40) at the lower end is 2.5 %, and all fail with 2.5 % at that of the other.
    assert stats.binom.sf(9, 40, table["ci_low"].iloc[2]) == pytest.approx(0.025)
    assert table["ci_low"].iloc[1] == pytest.approx(0.025 ** (1 / 40))


def test_crossing_is_the_last_one_by_interpolation():
    rates = {0: 0.2, 100: 0.9, 200: 0.4, 400: 0.75, 800: 0.25, 1600: 0.0}
    (row,) = crossing_table(runs_of("base", "", rates), root_seed=1, resamples=99).to_dict(
        "records"
    )
    assert (row["algorithm"], row["axis"], row["cells"], row["censored"]) == (
        "evb-sim",
        "all",
        1,
        0,
    )
    assert row["crossing_low"] == pytest.approx(400 * math.sqrt(2) / unit_of())
    assert row["spread"] == 1.0
    assert math.isnan(row["exponent"])


@pytest.mark.parametrize("rates", [{100: 1.0, 200: 0.5}, {100: 0.4, 200: 0.1}])
def test_curves_that_do_not_cross_are_counted_apart(rates):
    runs = pd.concat(
        [
            runs_of("base", "", {100: 1.0, 1000: 0.0}),
            runs_of("horizon-16", "horizon", rates, horizon=16),
        ]
    )
    table = crossing_table(runs, root_seed=1, resamples=99)
    assert table["cells"].tolist() == [1, 1]
    assert table["censored"].tolist() == [1, 1]
    assert table["exponent"].isna().all()


def powers(algorithm, exponent):
    """Cells on the axis of the horizon whose crossings grow with an exact power."""
    return pd.concat(
        [
            runs_of(
                "base" if horizon == 8 else f"horizon-{horizon}",
                "" if horizon == 8 else "horizon",
                {(horizon / 8) ** exponent * scale: rate for scale, rate in grid.items()},
                algorithm,
                horizon=horizon,
                failing_samples=0.5 * horizon**3,
            )
            for horizon in (4, 8, 16)
            for grid in [{1000: 1.0, 2000: 0.8, 4000: 0.2, 8000: 0.0}]
        ]
    )


def test_exponent_of_an_exact_power_and_its_interval():
    runs = pd.concat([powers("evb-sim", 4), powers("q-ftrl", 5), powers("uniform-sampler", 4)])
    table = crossing_table(runs.sample(frac=1, random_state=3), root_seed=1, resamples=199)
    assert tuple(table.columns) == CROSSING_COLUMNS
    horizon = table[table["axis"] == "horizon"].set_index("algorithm")
    assert horizon["theory"].tolist() == [4.0, 4.0, 4.0]
    np.testing.assert_allclose(horizon["exponent"], [4.0, 5.0, 4.0])
    np.testing.assert_allclose(horizon["bound_exponent"], 3.0)
    assert (horizon["ci_low"] < horizon["exponent"]).all()
    assert (horizon["exponent"] < horizon["ci_high"]).all()
    assert (horizon["ci_high"] - horizon["ci_low"] < 0.5).all()
    every = table[table["axis"] == "all"].set_index("algorithm")
    np.testing.assert_allclose(every["spread"], [1.0, 4.0, 1.0])
    assert every["cells"].tolist() == [3, 3, 3]
    again = crossing_table(runs, root_seed=1, resamples=199)
    pd.testing.assert_frame_equal(table, again)


def test_a_base_cell_is_needed():
    runs = runs_of("horizon-16", "horizon", {1: 1.0})
    with pytest.raises(InputError, match="no runs of the cell 'base'"):
        crossing_table(runs, root_seed=1, resamples=99)


# C10
GAME = {
    "family": "hidden-action",
    "num_players": 2,
    "num_actions": 4,
    "num_blocks": 2,
    "horizon": 6,
    "eps_game": 0.05,
    "advantage_constant": 8,
}


def test_a_learner_that_is_told_the_hidden_actions_is_caught():
    """It plays them with probability `told`, without a single sample."""
    bound, rows = game_bound(GAME), []
    for told, label in ((0.95, "cheater"), (0.25, "guesser")):
        for number in range(60):
            game = make_cell_game(
                GAME, root_seed=1, experiment="lower-bound", cell="base", replicate=number
            )
            policy = np.full((6, 4, 16), (1 - told) / 12)
            for step, keys in enumerate(game.metadata["keys"]):
                for block, key in enumerate(keys):
                    policy[step, 2 * block, 4 * key : 4 * key + 4] = told / 4
            policy /= policy.sum(axis=-1, keepdims=True)
            fails = cce_gap(game, policy).gap > 0.05
            shape = {**BASE, "cell": "base", "axis": "", "algorithm": label, "replicate": number}
            proved = {"failing_samples": bound.failing_samples}
            rows.append(shape | proved | {"samples": 0, "fails": fails})
    table = c10_rows(failure_table(pd.DataFrame(rows))).set_index("algorithm")
    assert table.loc["cheater", ["runs", "violations", "verdict"]].tolist() == [60, 60, "fail"]
    assert table.loc["cheater", "worst_slack"] == -0.25
    assert table.loc["guesser", ["violations", "verdict"]].tolist() == [0, "pass"]
    assert table.loc["guesser", "worst_slack"] == 0.75


def test_one_bad_budget_is_not_hidden_by_good_ones():
    good = dict.fromkeys(range(10, 60, 10), 1.0)
    runs = runs_of("base", "", good | {60: 0.0, 1000: 0.0})
    (row,) = c10_rows(failure_table(runs)).to_dict("records")
    assert (row["check"], row["kind"]) == ("C10 lower bound", "confidence")
    assert (row["runs"], row["violations"], row["verdict"]) == (240, 40, "fail")
    (row,) = c10_rows(failure_table(runs_of("base", "", good | {60: 0.2}))).to_dict("records")
    assert row["verdict"] == "pass"  # a fifth, but within the noise of a quarter
    (row,) = c10_rows(failure_table(runs_of("base", "", {10: 0.0}, replicates=5))).to_dict(
        "records"
    )
    assert (row["allowed"], row["verdict"]) == ("5", "too few runs")


def test_allowed_successes_are_those_of_the_lower_limit():
    for runs in (12, 13, 40, 100):
        allowed = allowed_successes(runs, 0.025)
        limits = [
            stats.binomtest(count, runs).proportion_ci(0.95, "exact").low
            for count in range(runs + 1)
        ]
        assert allowed == sum(limit <= 0.75 for limit in limits) - 1


def test_a_learner_without_a_budget_below_the_bound_is_named():
    with pytest.raises(InputError, match="no budget of evb-sim is below the bound"):
        c10_rows(failure_table(runs_of("base", "", {1000: 1.0})))
