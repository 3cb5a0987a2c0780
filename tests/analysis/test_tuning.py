"""The rule of tuning on made-up curves whose crossings are known."""

import numpy as np
import pandas as pd
import pytest

from ccerates.analysis.tuning import TUNING_COLUMNS, tuning_table

SAMPLES = np.array([100.0, 1000.0, 10000.0])
LUCK = np.array([0.96, 1.0, 1.04, 0.98, 1.02])


def runs(crossings):
    """Return runs in which the mean gap falls as 1/samples, through 0.1 at the crossing."""
    tables = []
    for (rate, bonus), crossing in crossings.items():
        for replicate, luck in enumerate(LUCK):
            tables.append(
                pd.DataFrame(
                    {
                        "experiment": "tuning", "setting": "simulator", "algorithm": "evb-sim",
                        "axis": "horizon", "value": 8.0, "game": "survival", "players": 2,
                        "states": 3, "horizon": 8, "target": 0.1, "replicate": replicate,
                        "samples": SAMPLES, "gap_kind": "exact",
                        "gap": luck * 0.1 * crossing / SAMPLES, "uniform_gap": 0.5,
                        "rate_scale": rate, "bonus_scale": bonus,
                    }
                )
            )  # fmt: skip
    return pd.concat(tables, ignore_index=True)


def table(crossings, learner=None):
    settings = {"root_seed": 1, "resamples": 199}
    return tuning_table([runs(crossings)], {"evb-sim": learner or {}}, **settings)


def marked(rows, column):
    return [
        tuple(pair) for pair in rows.loc[rows[column], ["rate_scale", "bonus_scale"]].to_numpy()
    ]


def test_every_setting_has_its_crossing():
    rows = table({(1.0, 1.0): 800.0, (4.0, 1.0): 400.0})
    assert tuple(rows.columns) == TUNING_COLUMNS
    assert rows["samples_to_target"].to_numpy() == pytest.approx([800.0, 400.0], rel=1e-9)


def test_learners_of_both_settings_are_chosen_for_apart():
    online = runs({(1.0, 1.0): 500.0, (2.0, 1.0): 300.0})
    online = online.assign(setting="online", algorithm="v-learning", gap_kind="upper")
    tables = [runs({(1.0, 1.0): 800.0, (4.0, 1.0): 400.0}), online]
    learners = {"evb-sim": {"rate_scale": 4}, "v-learning": {}}
    rows = tuning_table(tables, learners, root_seed=1, resamples=199)
    assert rows["setting"].tolist() == ["simulator", "simulator", "online", "online"]
    assert marked(rows[rows["setting"] == "online"], "chosen") == [(2.0, 1.0)]
    assert marked(rows[rows["setting"] == "online"], "used") == [(1.0, 1.0)]
    assert marked(rows[rows["setting"] == "simulator"], "chosen") == [(4.0, 1.0)]


def test_a_measurably_better_setting_is_chosen_however_far():
    rows = table({(1.0, 1.0): 800.0, (0.25, 1.0): 900.0, (64.0, 3.0): 400.0})
    assert marked(rows, "chosen") == [(64.0, 3.0)]


def test_within_the_interval_of_the_best_the_nearest_to_the_defaults_is_chosen():
    rows = table({(16.0, 1.0): 400.0, (4.0, 1.0): 402.0, (1.0, 0.1): 404.0, (1.0, 1.0): 800.0})
    # ln 4 = 1.39 is nearer than ln 10 = 2.30 and ln 16 = 2.77.
    assert marked(rows, "chosen") == [(4.0, 1.0)]


def test_of_equally_near_settings_the_faster_one_is_chosen():
    rows = table({(0.25, 1.0): 402.0, (4.0, 1.0): 401.0})
    assert marked(rows, "chosen") == [(4.0, 1.0)]


def test_nothing_is_chosen_if_nothing_reaches_the_target():
    rows = table({(1.0, 1.0): 1e6, (4.0, 1.0): 2e6})
    assert set(rows["status"]) == {"censored"}
    assert marked(rows, "chosen") == []


def test_nothing_is_chosen_if_a_better_setting_may_lie_below_the_budgets():
    rows = table({(1.0, 1.0): 800.0, (4.0, 1.0): 10.0})
    assert set(rows["status"]) == {"measured", "below-grid"}
    assert marked(rows, "chosen") == []


def test_what_the_experiments_use_is_marked_with_defaults_of_one():
    crossings = {(1.0, 1.0): 800.0, (4.0, 1.0): 400.0, (4.0, 0.5): 500.0}
    assert marked(table(crossings), "used") == [(1.0, 1.0)]
    assert marked(table(crossings, {"rate_scale": 4}), "used") == [(4.0, 1.0)]
    assert marked(table(crossings, {"rate_scale": 4, "bonus_scale": 0.5}), "used") == [(4.0, 0.5)]
    assert marked(table(crossings, {"rate_scale": 3}), "used") == []
