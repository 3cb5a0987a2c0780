"""Checks of simulator learners: honest runs pass, a planted error fails the check it concerns."""

import dataclasses

import numpy as np
import pytest

from ccerates.evaluation.markov import best_response_value, policy_value
from ccerates.games.model import MarkovGame
from ccerates.theory.checks import c8_total_variance, learner_run
from ccerates.theory.checks.learner_run import chain_sum
from ccerates.theory.checks.run import check_results
from theory.checks.bandit_simulation import rigorous_factors

PATHWISE, BIAS, BOUNDS = "C1 pathwise inequality", "C4 bias cost", "C5 value bounds"
OPTIMISTIC, CHAIN = "C5 optimistic value", "C7 chain identity"
TELESCOPING, DECOMPOSITION = "C7 telescoping sum", "C7 gap decomposition"
TOTAL, RETURN = "C8 law of total variance", "C8 variance of the return"
UPPER, LOWER = "C8 upper chain", "C8 lower chain"
ANY_LEARNER = (BOUNDS, TELESCOPING, DECOMPOSITION, TOTAL, RETURN)
EVB = (PATHWISE, BIAS, *ANY_LEARNER, CHAIN, UPPER, LOWER)


def rows_of(games, results):
    return check_results(games, results, [f"run {place}" for place in range(len(results))])


def failures(games, results):
    """Return the names of the checks that fail, with the number of runs."""
    rows = rows_of(games, results)
    return rows[~rows["holds"]].groupby("check").size().to_dict()


def with_trace(result, **changes):
    return dataclasses.replace(result, trace=result.trace._replace(**changes))


# ---------------------------------------------------------------- honest runs


@pytest.mark.parametrize("kind", ["rigorous", "practical"])
def test_runs_of_evb_sim_pass(games, learnt, kind) -> None:
    rows = rows_of(games, learnt[kind])
    assert set(rows["check"]) == set(EVB)
    assert (rows.groupby("check").size() == len(games)).all()
    wrong = set(rows[~rows["holds"]]["check"])
    assert wrong <= ({BOUNDS} if kind == "practical" else set())
    kinds = rows.groupby("check")["kind"].first()
    assert kinds[BOUNDS] == ("confidence" if kind == "rigorous" else "informative")
    assert set(kinds.drop(BOUNDS)) == {"deterministic"}


def test_runs_of_q_ftrl_pass(games, learnt) -> None:
    rows = rows_of(games, learnt["q-ftrl"])
    assert set(rows["check"]) == {*ANY_LEARNER, OPTIMISTIC}
    kinds = rows.groupby("check")["kind"].first()
    assert kinds[BOUNDS] == "confidence"
    assert kinds[OPTIMISTIC] == "informative"
    assert rows[rows["check"] != OPTIMISTIC]["holds"].all()


def test_chains_need_recorded_transitions(games, learnt) -> None:
    rows = rows_of(games, learnt["unrecorded"])
    assert set(EVB) - set(rows["check"]) == {CHAIN, UPPER, LOWER}


def test_two_rounds_are_enough_for_two_actions_only(games, learnt) -> None:
    rows = rows_of(games, learnt["two rounds"])
    assert set(rows["check"]) >= {*EVB} - {DECOMPOSITION}
    assert rows[rows["kind"] == "deterministic"]["holds"].all()
    hidden = np.full_like(learnt["two rounds"][0].trace.pathwise_slack[:, :, 0], np.nan)
    assert np.array_equal(
        learnt["two rounds"][0].trace.pathwise_slack[:, :, 0], hidden, equal_nan=True
    )


# ---------------------------------------------------------------- planted errors


def at(values, place, number):
    """Return a copy of `values` with another number at a place."""
    changed = values.copy()
    changed[place] = number
    return changed


@pytest.mark.parametrize("number", [-1e-4, np.nan])
def test_one_wrong_slack_fails_the_pathwise_inequality(games, learnt, number) -> None:
    """The last arm of one bandit in one run; beyond a player's own arms NaN is no error."""
    first, *others = learnt["rigorous"]
    slack = at(first.trace.pathwise_slack, (1, 2, 1, 1), number)
    rows = rows_of(games, [with_trace(first, pathwise_slack=slack), *others])
    failed = rows[~rows["holds"]]
    assert list(failed["check"]) == [PATHWISE]
    assert list(failed["run"]) == ["run 0"]
    terms = first.trace.penalty[1, 2, 1] + first.trace.stability[1, 2, 1]
    if np.isfinite(number):
        assert failed["rhs"].item() == terms
        assert failed["slack"].item() == pytest.approx(number)


def test_larger_stability_in_one_place_does_not_hide_the_tightest(games, learnt) -> None:
    """Slack is the pathwise inequality's own, whatever its terms are."""
    trace = learnt["practical"][0].trace
    rows = rows_of(games, learnt["practical"][:1]).set_index("check")
    assert rows.loc[PATHWISE, "slack"] in trace.pathwise_slack
    assert rows.loc[PATHWISE, "rhs"] in trace.penalty + trace.stability


@pytest.mark.parametrize("kind", ["rigorous", "practical"])
def test_bias_four_times_too_large_fails_its_cost(games, learnt, kind) -> None:
    wrong = [with_trace(each, bias=4.0 * each.trace.bias) for each in learnt[kind]]
    assert failures(games, wrong)[BIAS] == len(games)


@pytest.mark.parametrize("kind", ["rigorous", "practical"])
def test_bias_at_its_bound_passes_and_above_it_fails(games, learnt, kind) -> None:
    """Recomputed from the paper's formula at one place: step 1 of 3, so B = 2, and three arms."""
    result = learnt[kind][0]
    trace = result.trace
    # Delta is shared out over two players, three steps and three states.
    deviation, range_ = (
        (0.25, 0.0) if kind == "practical" else rigorous_factors(3, result.rounds, 0.05 / 18)
    )
    squares = sum(np.log(trace.square[1, 0, 0, arm] / 4.0) for arm in range(3))
    ranges = sum(np.log(trace.range_[1, 0, 0, arm] / 3.0) for arm in range(3))
    place = (1, 0, 0)
    bound = deviation * np.sqrt(trace.played_variance[place] * squares) + range_ * 2.0 * ranges
    for factor, wrong in ((1.0 - 1e-7, {}), (1.0 + 1e-7, {BIAS: 1})):
        changed = with_trace(result, bias=at(trace.bias, place, factor * bound))
        found = failures(games, [changed])
        found.pop(BOUNDS, None)
        assert found == wrong


@pytest.mark.parametrize(
    ("attribute", "shift"), [("upper_value", -0.2), ("lower_value", 0.2), ("upper_value", np.nan)]
)
def test_shifted_values_fail_the_value_bounds(games, learnt, attribute, shift) -> None:
    wrong = [
        dataclasses.replace(each, **{attribute: getattr(each, attribute) + shift})
        for each in learnt["q-ftrl"]
    ]
    assert failures(games, wrong)[BOUNDS] == len(games)


def test_value_bounds_hold_at_the_exact_values_and_not_below(games, learnt) -> None:
    """The bounds are the exact values: no slack; 0.05 less and both sides fail at once."""
    game, result = games[0], learnt["rigorous"][0]
    best, value = best_response_value(game, result.policy), policy_value(game, result.policy)
    exact = dataclasses.replace(result, upper_value=best, lower_value=value)
    row = rows_of(games, [exact]).set_index("check").loc[BOUNDS]
    assert row["holds"]
    assert row["slack"] == 0.0
    place = (2, 1, 0)
    upper = at(best, place, best[place] - 0.05)
    row = rows_of(games, [dataclasses.replace(exact, upper_value=upper)]).set_index("check")
    assert row.loc[BOUNDS, "slack"] == pytest.approx(-0.05)
    lower = at(value, place, value[place] + 0.05)
    row = rows_of(games, [dataclasses.replace(exact, lower_value=lower)]).set_index("check")
    assert row.loc[BOUNDS, "slack"] == pytest.approx(-0.05)


def test_too_small_optimistic_value_is_counted(games, learnt) -> None:
    wrong = [with_trace(each, value=each.trace.value - 0.5) for each in learnt["q-ftrl"]]
    assert failures(games, wrong) == {OPTIMISTIC: len(games)}


@pytest.mark.parametrize("kind", ["rigorous", "practical"])
def test_permuted_transitions_fail_the_chain_identity(games, learnt, kind) -> None:
    """Those of one state at one step, in every run."""
    wrong = []
    for each in learnt[kind]:
        counts = each.trace.transitions.copy()
        counts[0, 1] = np.roll(counts[0, 1], 1)
        assert (counts != each.trace.transitions).any()
        wrong.append(with_trace(each, transitions=counts))
    assert failures(games, wrong)[CHAIN] == len(games)


@pytest.mark.parametrize("field", ["mean_gain", "lower_mean_gain"])
def test_wrong_mean_gain_fails_the_chain_identity(games, learnt, field) -> None:
    result = learnt["practical"][0]
    values = getattr(result.trace, field)
    changed = at(values, (2, 0, 1), values[2, 0, 1] + 1e-6)
    assert failures(games, [with_trace(result, **{field: changed})])[CHAIN] == 1


def test_wrong_policy_value_fails_telescoping_and_decomposition(games, learnt, monkeypatch) -> None:
    """With the upper value at V^dagger the decomposition has no slack to hide an error in."""
    game, result = games[0], learnt["rigorous"][0]
    tight = dataclasses.replace(result, upper_value=best_response_value(game, result.policy))
    rows = rows_of(games, [tight]).set_index("check")
    assert rows.loc[[TELESCOPING, DECOMPOSITION], "holds"].all()
    assert rows.loc[DECOMPOSITION, "slack"] == pytest.approx(0.0, abs=1e-12)
    honest = learner_run.policy_value
    monkeypatch.setattr(learner_run, "policy_value", lambda *run: honest(*run) - 0.05)
    assert {TELESCOPING, DECOMPOSITION} <= set(failures(games, [tight]))


def test_decomposition_needs_optimism_somewhere(games, learnt) -> None:
    result = learnt["rigorous"][0]
    hopeless = dataclasses.replace(result, upper_value=np.zeros_like(result.upper_value))
    assert DECOMPOSITION not in set(rows_of(games, [hopeless])["check"])


@pytest.mark.parametrize(
    ("function", "factor", "check"),
    [
        ("total_variance", 1.0 + 1e-6, TOTAL),
        ("return_variance", 1.0 - 1e-6, TOTAL),
        ("total_variance", 1000.0, RETURN),
    ],
)
def test_wrong_variances_of_the_policy_are_noticed(
    games, learnt, monkeypatch, function, factor, check
) -> None:
    honest = getattr(c8_total_variance, function)
    monkeypatch.setattr(c8_total_variance, function, lambda *run: factor * honest(*run))
    assert failures(games, learnt["rigorous"])[check] == len(games)


@pytest.mark.parametrize(("field", "check"), [("gain_variance", UPPER), ("lower_variance", LOWER)])
def test_too_large_variances_fail_the_chain(games, learnt, field, check) -> None:
    """A sum of squares that was not divided by the number of rounds."""
    wrong = [
        with_trace(each, **{field: each.rounds * getattr(each.trace, field)})
        for each in learnt["rigorous"]
    ]
    assert failures(games, wrong) == {check: len(games)}


def test_upper_chain_may_reach_its_bound_and_no_more(games, learnt) -> None:
    """All variance at the last step, where B = 1: 2 v - v^2, of at most 1."""
    result = learnt["rigorous"][0]
    last = result.upper_value[2]
    for factor, wrong in ((1.0, {}), (1.0 + 1e-6, {UPPER: 1})):
        variance = np.zeros_like(result.upper_value)
        variance[2] = factor * (2.0 * last - last**2)
        assert failures(games, [with_trace(result, gain_variance=variance)]) == wrong


def test_chain_sum_by_hand() -> None:
    """Four rounds at each place: from state 0 one stays and three move, state 1 is left by all."""
    transitions = np.array([[[1, 3], [4, 0]], [[0, 4], [0, 4]]])
    terms = np.array([[[1.0], [2.0]], [[8.0], [16.0]]])
    total = chain_sum(transitions, 4, terms)
    np.testing.assert_allclose(total[..., 0], [[1 + 8 / 4 + 3 * 16 / 4, 2 + 8], [8, 16]])


def test_lower_chain_may_reach_its_bound_and_no_more(games, learnt) -> None:
    """All variance at the last step, where B = 1: 1 - v^2; three steps from the end B^2 is 9."""
    result = learnt["rigorous"][0]
    last = result.lower_value[2]
    for factor, wrong in ((1.0, {}), (1.0 + 1e-6, {LOWER: 1})):
        variance = np.zeros_like(result.lower_value)
        variance[2] = factor * (1.0 - last**2)
        assert failures(games, [with_trace(result, lower_variance=variance)]) == wrong
    per_step = np.array([5.0, 3.0, 1.0])[:, None, None] * np.ones((1, 3, 2))
    changed = with_trace(result, lower_variance=(1.0 + 1e-6) * per_step)
    row = rows_of(games, [changed]).set_index("check").loc[LOWER]
    assert row["lhs"] > row["rhs"]
    assert 0.0 < row["rhs"] <= 9.0


def test_trivial_bounds_count_for_nothing(games, learnt) -> None:
    """Bounds that span all values cannot fail."""
    result = learnt["rigorous"][0]
    trivial = dataclasses.replace(result, certificate=float(games[0].horizon))
    for each, kind in ((result, "confidence"), (trivial, "informative")):
        assert rows_of(games, [each]).set_index("check").loc[BOUNDS, "kind"] == kind


def test_wrong_game_would_be_noticed(games, learnt) -> None:
    """The same run beside a game whose rewards were shifted by a layer."""
    game, result = games[0], learnt["rigorous"][0]
    other = MarkovGame(
        game.num_actions, np.roll(game.reward, 1, 0), game.next_state, game.probability,
        game.layer, game.start,
    )  # fmt: skip
    mistaken = dataclasses.replace(result, game_hash=other.content_hash)
    assert BOUNDS in failures([other], [mistaken])


def test_a_learner_without_bounds_has_none_checked(games, learnt) -> None:
    """It returns NaN for both; NaN in one place or one of them is a violation."""
    result = learnt["rigorous"][0]
    nothing = np.full_like(result.upper_value, np.nan)
    bare = dataclasses.replace(
        result, upper_value=nothing, lower_value=nothing, certificate=np.nan, trace=None
    )
    assert set(rows_of(games, [bare])["check"]) == {
        "C8 law of total variance", "C8 variance of the return"
    }  # fmt: skip
    assert failures(games, [bare]) == {}
    assert BOUNDS in failures(games, [dataclasses.replace(bare, lower_value=result.lower_value)])
