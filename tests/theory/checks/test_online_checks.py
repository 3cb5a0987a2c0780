"""Checks of online learners: honest runs pass, a planted error fails the check it concerns."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from ccerates.analysis.bounds import bounds_table
from ccerates.errors import InputError
from ccerates.online.results_store import load_online_results, save_online_results
from ccerates.theory.checks.run import check_results, name_runs
from theory.checks.online_runs import EPISODES, run

PATHWISE, BOUNDS = "C1 pathwise inequality", "C5 value bounds of stages"
OPTIMISTIC, CHAIN = "C5 optimistic value of stages", "C7 chain identity of stages"


def rows_of(games, results):
    return check_results(games, results, [f"run {place}" for place in range(len(results))])


def failures(games, results):
    rows = rows_of(games, results)
    return rows[~rows["holds"]].groupby("check").size().to_dict()


def with_audit(result, **changes):
    return dataclasses.replace(result, audit=result.audit._replace(**changes))


def with_trace(result, **changes):
    return dataclasses.replace(result, trace=result.trace._replace(**changes))


def at(values, place, number):
    changed = values.copy()
    changed[place] = number
    return changed


# ---------------------------------------------------------------- honest runs


@pytest.mark.parametrize("kind", ["rigorous", "practical"])
def test_audited_runs_of_evb_online_pass(games, played, kind) -> None:
    rows = rows_of(games, played[kind])
    assert set(rows["check"]) == {PATHWISE, BOUNDS, CHAIN}
    assert (rows.groupby("check").size() == len(games)).all()
    assert rows[rows["kind"] == "deterministic"]["holds"].all()
    assert set(rows[rows["check"] == CHAIN]["kind"]) == {"deterministic"}
    if kind == "rigorous":
        assert rows["holds"].all()
        assert rows[rows["check"] == BOUNDS]["slack"].min() > 0.0
    for result in played[kind]:
        assert (result.audit.commits > 10).all()
        assert (result.audit.chain_error < 1e-12).all()


def test_bounds_promise_something_unless_trivial(games, played) -> None:
    result = played["rigorous"][0]
    for certificate, kind in ((2.9, "confidence"), (3.0, "informative")):
        changed = dataclasses.replace(result, certificate=certificate)
        assert rows_of(games, [changed]).set_index("check").loc[BOUNDS, "kind"] == kind
    row = rows_of(games, played["practical"][:1]).set_index("check").loc[BOUNDS]
    assert row["kind"] == "informative"


def test_learners_without_lower_values(games, played) -> None:
    rows = rows_of(games, played["stage-v-learning"])
    assert set(rows["check"]) == {OPTIMISTIC}
    assert set(rows["kind"]) == {"informative"}
    assert rows_of(games, played["v-learning"]).empty


def test_runs_that_nothing_applies_to_leave_the_types_of_a_stacked_table_alone(
    games, played
) -> None:
    none = rows_of(games, played["v-learning"])
    some = rows_of(games, played["practical"])
    assert none.empty
    assert bounds_table(pd.concat([none, some], ignore_index=True), 0.05)["runs"].sum() == len(some)


def test_without_an_audit_only_the_trace_is_checked(games, played) -> None:
    bare = [dataclasses.replace(each, audit=None) for each in played["rigorous"]]
    assert set(rows_of(games, bare)["check"]) == {PATHWISE}
    short = run(games, "evb-online", episodes=2)
    assert rows_of(games, short).empty


# ---------------------------------------------------------------- planted errors


@pytest.mark.parametrize("number", [-1e-4, np.nan])
def test_one_wrong_slack_fails_the_pathwise_inequality(games, played, number) -> None:
    first, *others = played["rigorous"]
    slack = at(first.trace.pathwise_slack, (1, 2, 1), number)
    rows = rows_of(games, [with_trace(first, pathwise_slack=slack), *others])
    failed = rows[~rows["holds"]]
    assert list(failed["check"]) == [PATHWISE]
    assert list(failed["run"]) == ["run 0"]


def test_stages_shorter_than_the_arms_are_not_counted(games, played) -> None:
    """Three visits are enough for three arms, two are not; the trace is NaN there."""
    first = played["rigorous"][0]
    visits = at(first.visits, (0, 0), 2)
    slack = at(first.trace.pathwise_slack, (0, 0), np.nan)
    changed = dataclasses.replace(with_trace(first, pathwise_slack=slack), visits=visits)
    assert failures(games, [changed]) == {}
    enough = dataclasses.replace(changed, visits=at(first.visits, (0, 0), 3))
    assert failures(games, [enough]) == {PATHWISE: 1}


@pytest.mark.parametrize(
    ("field", "shift"),
    [("upper_value", -5.0), ("best_response_bound", np.nan), ("lower_value", 5.0), ("value", -5.0)],
)
def test_a_wrong_side_in_one_place_fails_the_value_bounds(games, played, field, shift) -> None:
    result = played["rigorous"][1]
    values = getattr(result.audit, field)
    changed = with_audit(result, **{field: at(values, (2, 1), values[2, 1] + shift)})
    assert failures(games, [changed]) == {BOUNDS: 1}


def test_an_optimistic_value_that_is_too_small_is_counted(games, played) -> None:
    result = played["stage-v-learning"][0]
    low = np.zeros_like(result.audit.upper_value)
    assert failures(games, [with_audit(result, upper_value=low)]) == {OPTIMISTIC: 1}


@pytest.mark.parametrize("error", [1e-6, np.nan])
def test_an_error_along_the_chain_is_noticed(games, played, error) -> None:
    result = played["practical"][2]
    changed = with_audit(result, chain_error=at(result.audit.chain_error, (0, 1), error))
    assert failures(games, [changed])[CHAIN] == 1


def test_steps_without_a_completed_stage_do_not_count(games, played) -> None:
    """Their sides are 0 and inf."""
    result = played["rigorous"][0]
    audit = result.audit
    changed = with_audit(
        result,
        commits=at(audit.commits, 1, 0),
        upper_value=at(audit.upper_value, 1, -np.inf),
    )
    assert failures(games, [changed]) == {}
    assert np.isfinite(rows_of(games, [changed])["rhs"]).all()


def test_a_game_of_another_shape_is_refused(games, played) -> None:
    result = played["v-learning"][0]
    changed = dataclasses.replace(result, upper_value=result.upper_value[:2])
    with pytest.raises(InputError, match=r"upper_value has shape \(2, 3, 2\)"):
        rows_of(games, [changed])


def test_names_tell_the_episodes(played) -> None:
    names = name_runs("audit/cell/evb", played["practical"][:2])
    assert names == [f"audit/cell/evb, K={EPISODES}, replicate {place}" for place in range(2)]


@pytest.mark.parametrize("kind", ["rigorous", "stage-v-learning"])
def test_stored_audits_give_the_same_rows(games, played, kind, tmp_path) -> None:
    save_online_results(played[kind], tmp_path / "runs.npz")
    stored = rows_of(games, load_online_results(tmp_path / "runs.npz"))
    pd.testing.assert_frame_equal(stored, rows_of(games, played[kind]))
