"""The table of bounds: counts, Clopper-Pearson limits worked out by hand, verdicts, messages."""

import math

import pandas as pd
import pytest
from scipy.optimize import brentq

from ccerates.analysis.bounds import (
    allowed_violations,
    bounds_table,
    check_deterministic,
    check_planted,
)
from ccerates.analysis.publish import LATEX_TITLES
from ccerates.analysis.statistics import clopper_pearson
from ccerates.analysis.tables import read_csv, write_csv, write_latex
from ccerates.errors import InputError
from ccerates.theory.checks.record import ROW_COLUMNS, CheckResult
from ccerates.theory.checks.registry import CHECKS

PATHWISE, DEVIATION, REGRET = "C1 pathwise inequality", "C2 deviation lemma", "C3 regret bound"


def rows_of(check, kind, slacks, algorithm="evb-sim"):
    """Return one row for each slack; a negative one is a violation."""
    return pd.DataFrame(
        [
            CheckResult(check, algorithm, kind, f"run {run}", 1.0, 1.0 + slack, slack, slack >= 0.0)
            for run, slack in enumerate(slacks)
        ]
    )


def verdict_of(violations, runs, failure=0.05):
    slacks = [-1.0] * violations + [1.0] * (runs - violations)
    row = bounds_table(rows_of(DEVIATION, "confidence", slacks), failure).iloc[0]
    assert (row["runs"], row["violations"]) == (runs, violations)
    return row["verdict"], row["allowed"]


def binomial_tail(violations, runs, probability):
    """Return P(Binomial <= violations) by summing it up."""
    return math.fsum(
        math.comb(runs, count) * probability**count * (1.0 - probability) ** (runs - count)
        for count in range(violations + 1)
    )


@pytest.mark.parametrize(("violations", "runs"), [(0, 20), (1, 20), (7, 60), (19, 20)])
def test_interval_solves_the_binomial_equations(violations, runs) -> None:
    low, high = clopper_pearson(violations, runs)
    upper = brentq(lambda p: binomial_tail(violations, runs, p) - 0.025, 1e-9, 1.0 - 1e-9)
    assert high == pytest.approx(upper)
    if violations == 0:
        assert low == 0.0
        assert high == pytest.approx(1.0 - 0.025 ** (1.0 / runs))
    else:
        lower = brentq(lambda p: binomial_tail(violations - 1, runs, p) - 0.975, 1e-9, 1 - 1e-9)
        assert low == pytest.approx(lower)
    assert clopper_pearson(20, 20)[1] == 1.0


@pytest.mark.parametrize("failure", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("runs", [1, 71, 72, 200, 1000])
def test_allowed_violations_are_those_whose_limit_is_low_enough(runs, failure) -> None:
    allowed = allowed_violations(runs, failure)
    if allowed is None:
        assert clopper_pearson(0, runs)[1] > failure
    else:
        assert clopper_pearson(allowed, runs)[1] <= failure
        assert clopper_pearson(allowed + 1, runs)[1] > failure


def test_verdicts_of_confidence_checks() -> None:
    """At delta = 0.05 no violation in 71 runs leaves 0.0507, in 72 runs 0.0499."""
    assert verdict_of(0, 71) == ("too few runs", "none")
    assert verdict_of(0, 72) == ("pass", "0")
    assert verdict_of(1, 72) == ("fail", "0")
    assert verdict_of(36, 1000) == ("pass", "36")
    assert verdict_of(37, 1000) == ("fail", "36")
    # Few runs, but 9 violations in 20 already show a frequency above 0.05; 1 does not.
    assert verdict_of(9, 20) == ("fail", "none")
    assert verdict_of(1, 20) == ("too few runs", "none")


def planted_verdict(violations, runs):
    rows = rows_of("C6 certificate", "planted", [-1.0] * violations + [1.0] * (runs - violations))
    row = bounds_table(rows, 0.05).iloc[0]
    assert (row["runs"], row["violations"]) == (runs, violations)
    return row["verdict"], row["allowed"], rows


def test_planted_errors_are_caught_where_the_test_of_confidence_checks_fails() -> None:
    for violations, runs in ((36, 1000), (37, 1000), (0, 72), (1, 72), (9, 20), (1, 20), (2, 2)):
        verdict, allowed, rows = planted_verdict(violations, runs)
        expected, expected_allowed = verdict_of(violations, runs)
        assert verdict == ("caught" if expected == "fail" else "not caught")
        assert allowed == expected_allowed
        if verdict == "caught":
            assert check_planted(rows, 0.05) == "all 1 planted errors are caught"
        else:
            with pytest.raises(InputError, match="planted errors are not caught, so that the ch"):
                check_planted(rows, 0.05)


def test_one_planted_error_that_is_not_caught_is_enough_to_fail() -> None:
    caught = planted_verdict(1000, 1000)[2]
    missed = planted_verdict(36, 1000)[2].assign(algorithm="evb-online")
    with pytest.raises(InputError, match="evb-online") as caught_error:
        check_planted(pd.concat([caught, missed]), 0.05)
    assert "evb-sim" not in str(caught_error.value)


def test_planted_errors_do_not_fail_the_deterministic_checks_and_may_be_absent() -> None:
    rows = pd.concat([rows_of(PATHWISE, "deterministic", [1.0]), planted_verdict(5, 5)[2]])
    assert check_deterministic(rows).startswith("1 deterministic checks of runs hold")
    assert check_planted(rows_of(PATHWISE, "deterministic", [1.0]), 0.05).startswith("no planted")


def test_a_cell_with_many_violations_is_not_hidden_by_others() -> None:
    """36 violations in 1000 runs are few enough, but not if all are in 100 runs alike."""
    rows = rows_of(DEVIATION, "confidence", [-1.0] * 36 + [1.0] * 964)
    spread = rows.assign(run=[f"cell {run % 10}, run {run}" for run in range(1000)])
    crowded = rows.assign(run=[f"cell {run // 100}, run {run}" for run in range(1000)])
    for named, verdict in ((spread, "pass"), (crowded, "fail")):
        row = bounds_table(named, 0.05).iloc[0]
        assert (row["violations"], row["allowed"], row["verdict"]) == (36, "36", verdict)


def test_rows_are_grouped_counted_and_ordered() -> None:
    rows = pd.concat(
        [
            rows_of(DEVIATION, "confidence", [0.5] * 100, "evb-rigorous"),
            rows_of(REGRET, "informative", [-3.0, 2.0], "evb-practical"),
            rows_of(PATHWISE, "deterministic", [4.0, 0.25, 8.0], "q"),
            rows_of(PATHWISE, "deterministic", [1.0, -1.0], "p"),
            rows_of(REGRET, "confidence", [7.0] * 80, "evb-rigorous"),
        ]
    )
    table = bounds_table(rows, 0.05)
    assert tuple(table.columns) == ROW_COLUMNS
    assert table.to_numpy().tolist() == [
        [PATHWISE, "p", "deterministic", 2, 1, "0", -1.0, "fail"],
        [PATHWISE, "q", "deterministic", 3, 0, "0", 0.25, "pass"],
        [DEVIATION, "evb-rigorous", "confidence", 100, 0, "0", 0.5, "pass"],
        [REGRET, "evb-practical", "informative", 2, 1, "any", -3.0, "informative"],
        [REGRET, "evb-rigorous", "confidence", 80, 0, "0", 7.0, "pass"],
    ]


def test_missing_slack_is_the_worst() -> None:
    rows = rows_of(PATHWISE, "deterministic", [1.0, math.nan, 2.0])
    row = bounds_table(rows, 0.05).iloc[0]
    assert math.isnan(row["worst_slack"])
    assert (row["violations"], row["verdict"]) == (1, "fail")
    with pytest.raises(InputError, match="worst in run 1"):
        check_deterministic(pd.concat([rows, rows_of(PATHWISE, "deterministic", [-9.0])]))


def test_table_survives_its_files(tmp_path) -> None:
    table = bounds_table(rows_of(DEVIATION, "confidence", [0.5] * 10), 0.05)
    write_csv(table, tmp_path / "bounds.csv")
    pd.testing.assert_frame_equal(read_csv(tmp_path / "bounds.csv"), table)
    write_latex(table, tmp_path / "bounds.tex", LATEX_TITLES["bounds"])
    assert r"C2 deviation lemma & evb-sim & confidence & $10$" in (
        tmp_path / "bounds.tex"
    ).read_text(encoding="utf-8")


def test_rows_survive_their_file(tmp_path) -> None:
    rows = rows_of(PATHWISE, "deterministic", [0.5, -0.5])
    write_csv(rows, tmp_path / "checks.csv")
    again = read_csv(tmp_path / "checks.csv")
    pd.testing.assert_frame_equal(bounds_table(again, 0.05), bounds_table(rows, 0.05))


def test_failed_deterministic_checks_name_the_worst_run() -> None:
    rows = pd.concat(
        [
            rows_of(PATHWISE, "deterministic", [1.0, -0.5, -2.0, 3.0]),
            rows_of("C4 bias cost", "deterministic", [-0.125]),
            rows_of("C7 chain identity", "deterministic", [0.0]),
            rows_of(DEVIATION, "confidence", [-9.0]),
        ]
    )
    with pytest.raises(InputError) as failure:
        check_deterministic(rows)
    message = str(failure.value)
    assert (
        "C1 pathwise inequality fails in 2 runs, worst in run 2 (evb-sim): 1 <= -1 is wrong by 2\n"
    ) in message
    assert "C4 bias cost fails in 1 runs, worst in run 0" in message
    assert CHECKS[PATHWISE].statement in message
    assert "C7" not in message
    assert "C2" not in message


def test_violations_of_other_kinds_do_not_fail_the_build() -> None:
    rows = pd.concat(
        [
            rows_of(PATHWISE, "deterministic", [0.0, 1.0]),
            rows_of(DEVIATION, "confidence", [-9.0]),
            rows_of(REGRET, "informative", [-9.0]),
        ]
    )
    sentence = check_deterministic(rows)
    assert sentence.startswith("2 deterministic checks of runs hold; no run to check for: C3 any")
    assert "C8 upper chain" in sentence
    assert "C2" not in sentence
    complete = pd.concat([rows_of(name, "deterministic", [1.0]) for name in CHECKS])
    assert check_deterministic(complete) == f"{len(CHECKS)} deterministic checks of runs hold"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows.drop(columns="slack"), "no column slack"),
        (lambda rows: rows.iloc[:0], "the table is empty"),
        (lambda rows: rows.assign(check="C9 exponents"), "unknown check 'C9 exponents'"),
        (lambda rows: rows.assign(kind="certain"), "unknown kind 'certain'"),
        (lambda rows: rows.assign(holds="yes"), "holds must be True or False"),
    ],
)
def test_wrong_tables_are_refused(change, message) -> None:
    rows = change(rows_of(PATHWISE, "deterministic", [1.0]))
    with pytest.raises(InputError, match=message):
        bounds_table(rows, 0.05)


def test_delta_is_a_probability() -> None:
    with pytest.raises(InputError, match="failure: expected a number > 0 and < 1"):
        bounds_table(rows_of(PATHWISE, "deterministic", [1.0]), 1.0)
