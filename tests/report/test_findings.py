"""Sentences about tables without verdicts, for tables written by hand."""

import pandas as pd

from ccerates.report.findings import FINDINGS


def curves(rows, columns=("game", "algorithm", "samples", "gap")):
    table = pd.DataFrame(rows, columns=list(columns))
    return table.assign(gap_mean=table["gap"], gap_median=table["gap"], uniform_gap=0.5)


def test_curves_that_do_not_fall_are_named():
    table = curves(
        [
            ("lock", "q-ftrl", 100, 0.1),
            ("lock", "q-ftrl", 10, 0.4),
            ("lock", "evb-sim", 10, 0.25),
            ("lock", "evb-sim", 1000, 0.75),
        ]
    )
    first = "From the smallest budget to the largest the gap falls on 1 of 2 pairs of a game and"
    named = "Not so for EVB-sim on lock: from 0.25 to 0.75."
    assert FINDINGS["real-games"](table) == [f"{first} an algorithm.", named]
    above = "At the largest budget still above the gap of uniform play: EVB-sim on lock."
    assert FINDINGS["gap-decay"](table) == [f"{first} an algorithm.", named, above]


def test_ablation_compares_with_the_whole_algorithm_at_the_largest_budget():
    table = curves(
        [
            ("lock", "evb-sim", 10, 1.0),
            ("lock", "evb-sim", 100, 0.2),
            ("lock", "evb-sim-no-bias", 100, 0.1),
            ("lock", "evb-sim-no-bonus", 100, 0.6),
            ("lock", "evb-online", 100, 0.3),
        ]
    )
    (sentence,) = FINDINGS["ablation"](table)
    assert sentence.startswith("EVB-sim on lock, ")
    assert sentence.endswith(": no variance bias 0.5, no bonus 3.")


def test_bandits_that_exceed_their_bounds_are_named():
    table = pd.DataFrame(
        [
            ("evb-practical", "late", 100, 3, 0),
            ("evb-practical", "switching", 100, 0, 0),
            ("evb-rigorous", "late", 100, 0, 0),
            ("exp3-ix", "late", 100, None, 2),
        ],
        columns=["bandit", "adversary", "runs", "analytic_violations", "certificate_violations"],
    )
    assert FINDINGS["bandit"](table) == [
        "EVB, practical: in 3 of 200 runs the regret exceeds the analytic bound (by late).",
        "EVB, rigorous: in 0 of 100 runs the regret exceeds the analytic bound.",
        "Any bandit: in 2 of 400 runs the regret exceeds its certificate.",
    ]


def test_lower_bound_tells_the_smallest_share_below_it():
    table = pd.DataFrame({"below_bound": [True, True, False], "failure_rate": [1.0, 0.75, 0.1]})
    (sentence,) = FINDINGS["lower-bound"](table)
    assert "the smallest share that fails is 0.75 (over 2 pairs" in sentence
    assert FINDINGS["lower-bound"](table.assign(below_bound=False)) == []


def test_tuning_says_whether_runs_use_what_was_chosen():
    columns = ["setting", "algorithm", "rate_scale", "bonus_scale", "chosen", "used"]
    rows = [
        ("simulator", "q-ftrl", 16, 1.0, True, False),
        ("simulator", "q-ftrl", 4, 1.0, False, True),
    ]
    table = pd.DataFrame(rows, columns=columns)
    said = FINDINGS["tuning"](table)
    assert said[0] == "Q-FTRL: rate times 16, bonus times 1 was chosen on the held-out games."
    assert said[1] == "This configuration uses other scales than the chosen ones for Q-FTRL."
    agreed = FINDINGS["tuning"](table.assign(used=table["chosen"]))
    assert agreed[1] == "Runs use the scales that were chosen."


def test_certificates_and_cost_are_summed():
    certificates = pd.DataFrame({"runs": [10, 1000], "violations": [0, 3]})
    assert FINDINGS["certificate"](certificates) == [
        "In 3 of 1010 runs the gap is above its certificate."
    ]
    cost = pd.DataFrame({"core_seconds": [1800.0, 5400.0], "peak_memory_mb": [250.5, 300.0]})
    machine = "one core of the machine that made the reference"
    assert FINDINGS["cost"](cost) == [
        f"Together 2.00 hours on {machine}, at most 300 MB for a job."
    ]
