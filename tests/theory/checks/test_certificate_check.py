"""C6 on runs whose certificates and gaps are written out, and on runs that were learnt."""

import dataclasses
import math

import numpy as np
import pytest

from ccerates.analysis.bounds import bounds_table
from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap
from ccerates.theory.checks.run import check_certificates


def row_of(result, gap, **changes):
    """Return the only row of a run; the games of the fixtures have three steps."""
    changed = dataclasses.replace(result, **changes)
    return check_certificates([changed], [gap], ["run"], plant=False).iloc[0]


@pytest.mark.parametrize(
    ("gap", "certificate", "holds"),
    [(0.5, 0.75, True), (0.75, 0.75, True), (0.7500001, 0.75, False), (-0.25, 0.0, True),
     (math.nan, 0.75, False)],
)  # fmt: skip
def test_sides_and_slack(learnt, gap, certificate, holds) -> None:
    row = row_of(learnt["rigorous"][0], gap, certificate=certificate)
    assert (row["check"], row["algorithm"], row["kind"]) == (
        "C6 certificate", "evb-sim", "confidence",
    )  # fmt: skip
    np.testing.assert_array_equal(
        [row["lhs"], row["rhs"], row["slack"]], [gap, certificate, certificate - gap]
    )
    assert row["holds"] == holds


@pytest.mark.parametrize(
    ("certified", "certificate", "kind"),
    [(True, 2.999, "confidence"), (True, 3.0, "informative"), (False, 0.5, "informative")],
)
def test_only_what_is_certified_and_not_trivial_promises_something(
    learnt, certified, certificate, kind
) -> None:
    row = row_of(learnt["rigorous"][0], 0.1, certified=certified, certificate=certificate)
    assert row["kind"] == kind


def test_learners_without_value_bounds_have_rows_of_their_own(played) -> None:
    learner = played["v-learning"][0]
    row = row_of(learner, 0.4, certified=True, certificate=0.5)
    assert (row["check"], row["algorithm"]) == ("C6 any-learner certificate", "v-learning")
    assert check_certificates([learner], [0.4], ["run"], plant=True).empty
    own = row_of(played["rigorous"][0], 0.4, certificate=0.5)
    assert own["check"] == "C6 certificate"


def test_certificates_of_learnt_runs_hold(games, learnt) -> None:
    for kind in ("rigorous", "q-ftrl"):
        gaps = [cce_gap(*pair).gap for pair in
                zip(games, (result.policy for result in learnt[kind]), strict=True)]  # fmt: skip
        rows = check_certificates(learnt[kind], gaps, list("abcdef"), plant=False)
        assert rows["holds"].all()
        assert rows["rhs"].tolist() == [result.certificate for result in learnt[kind]]
        assert rows["lhs"].tolist() == gaps


def test_a_twentieth_of_the_certificate_is_planted_for_rigorous_constants(learnt) -> None:
    for kind, constants in (("rigorous", ["confidence", "planted"]), ("q-ftrl", ["confidence"])):
        result = dataclasses.replace(learnt[kind][0], certificate=1.0, certified=True)
        rows = check_certificates([result], [0.25], ["run"], plant=True)
        assert rows["kind"].tolist() == constants
        assert rows["rhs"].tolist() == [1.0, 0.05][: len(constants)]
        assert rows["holds"].tolist() == [True, False][: len(constants)]


@pytest.mark.parametrize(("gap", "verdict"), [(0.25, "caught"), (0.04, "not caught")])
def test_the_table_says_whether_the_planted_error_was_caught(learnt, gap, verdict) -> None:
    result = dataclasses.replace(learnt["rigorous"][0], certificate=1.0)
    names = [f"cell, run {number}" for number in range(100)]
    rows = check_certificates([result] * 100, [gap] * 100, names, plant=True)
    table = bounds_table(rows, 0.05).set_index("kind")
    assert table.loc["confidence", "verdict"] == "pass"
    assert table.loc["planted", "verdict"] == verdict


def test_missing_gaps_and_names_are_told(learnt) -> None:
    with pytest.raises(InputError, match="gaps: expected 6, got 1"):
        check_certificates(learnt["rigorous"], [0.0], list("abcdef"), plant=False)
    with pytest.raises(InputError, match="run_names: expected 6, got 1"):
        check_certificates(learnt["rigorous"], [0.0] * 6, ["a"], plant=False)
