"""Checks of bandits outside games, on runs simulated without the library, honest and wrong."""

import math

import numpy as np
import pytest

from ccerates.bandits.arena import BanditRuns
from ccerates.errors import InputError
from ccerates.theory.checks import bandit_cell, c3_regret_bounds
from ccerates.theory.checks.c4_bias_cost import bias_cost_bound
from ccerates.theory.checks.run import check_bandit_runs
from theory.checks.bandit_simulation import describe, rigorous_factors, simulate

ROUNDS, RUNS, ARMS = 1500, 100, 3
PATHWISE, DEVIATION, BIAS = "C1 pathwise inequality", "C2 deviation lemma", "C4 bias cost"
REGRET, CERTIFICATE = "C3 regret bound", "C3 any-learner certificate"


def late_optimum():
    """Return means of an arm that pays nothing for a third of the rounds, then most."""
    means = np.full((ROUNDS, ARMS), 0.3)
    means[: ROUNDS // 3, 0], means[ROUNDS // 3 :, 0] = 0.0, 0.9
    means[:, 2] = 0.5
    return means


def checked(runs, **setting):
    """Return the number of violations and the kind of every check."""
    rows = check_bandit_runs(runs, describe(runs, ROUNDS, **setting))
    assert (rows.groupby("check").size() == RUNS).all()
    grouped = rows.groupby("check")
    return grouped["holds"].agg(lambda holds: int((~holds).sum())), grouped["kind"].first()


@pytest.fixture(scope="module")
def rigorous():
    return simulate(late_optimum(), RUNS, factors=rigorous_factors(ARMS, ROUNDS, 0.05))


@pytest.fixture(scope="module")
def practical():
    return simulate(late_optimum(), RUNS)


@pytest.fixture(scope="module")
def baseline():
    return simulate(late_optimum(), RUNS, bandit="exp3")


def test_rigorous_bandit_passes_every_check(rigorous) -> None:
    violations, kinds = checked(rigorous)
    assert violations.to_dict() == dict.fromkeys(
        (PATHWISE, DEVIATION, CERTIFICATE, REGRET, BIAS), 0
    )
    assert kinds.to_dict() == {
        PATHWISE: "deterministic",
        DEVIATION: "confidence",
        CERTIFICATE: "confidence",
        REGRET: "confidence",
        BIAS: "deterministic",
    }


def test_practical_bandit_exceeds_the_bound_it_does_not_promise(practical) -> None:
    violations, kinds = checked(practical, constants="practical")
    assert kinds[REGRET] == "informative"
    assert violations[REGRET] > RUNS // 5
    assert violations.drop(REGRET).sum() == 0


def test_other_bandits_have_a_lemma_and_a_certificate(baseline) -> None:
    violations, kinds = checked(baseline, bandit="exp3", constants="published")
    assert violations.to_dict() == {DEVIATION: 0, CERTIFICATE: 0}
    assert set(kinds) == {"confidence"}


def test_wrong_sign_of_the_estimates_breaks_the_pathwise_inequality() -> None:
    violations, _ = checked(simulate(late_optimum(), RUNS, sign=-1.0), constants="practical")
    assert violations[PATHWISE] > RUNS // 2


def test_bias_counted_without_its_weight_breaks_the_bias_cost(rigorous) -> None:
    """The whole bias, sum_k sum_a b_k(a), instead of its cost to what is played."""
    deviation, range_ = rigorous_factors(ARMS, ROUNDS, 0.05)
    whole = deviation * (np.sqrt(rigorous.square) - 1.0) + range_ * (rigorous.range_ - ARMS)
    violations, _ = checked(rigorous._replace(bias=whole.sum(axis=1)))
    assert violations[BIAS] == RUNS


def test_estimates_without_importance_weights_break_lemma_and_certificate() -> None:
    runs = simulate(late_optimum(), RUNS, bandit="exp3", weighted=False)
    violations, _ = checked(runs, bandit="exp3", constants="published")
    assert min(violations[DEVIATION], violations[CERTIFICATE]) > RUNS // 2


def test_wrong_regret_bound_is_noticed(rigorous, monkeypatch) -> None:
    honest = bandit_cell.regret_terms

    def smaller(*arguments):
        terms = honest(*arguments)
        return terms._replace(regret_bound=terms.regret_bound / 20.0)

    monkeypatch.setattr(bandit_cell, "regret_terms", smaller)
    violations, _ = checked(rigorous)
    assert violations[REGRET] > RUNS // 2


def test_wrong_certificate_is_noticed(baseline, monkeypatch) -> None:
    honest = c3_regret_bounds.certificate
    monkeypatch.setattr(c3_regret_bounds, "certificate", lambda *runs: honest(*runs) / 20.0)
    violations, _ = checked(baseline, bandit="exp3", constants="published")
    assert violations[CERTIFICATE] > RUNS // 2


def tiny(**changes):
    """Return one run of a bandit with two arms over two rounds, gains in [0, 1]."""
    fields = {name: np.array([np.nan]) for name in BanditRuns._fields}
    fields |= {
        "gain": np.array([1.0]),
        "centred": np.array([0.25]),
        "played_variance": np.array([0.5]),
        "mean_sum": np.array([[1.0, -1.0]]),
        "estimate_sum": np.array([[0.5, -3.0]]),
        "square": np.array([[5.0, 1.0]]),
        "range_": np.array([[4.0, 2.0]]),
        "final_estimate": np.full((1, 2), np.nan),
    }
    return BanditRuns(**fields | {name: np.array([value]) for name, value in changes.items()})


def tiny_rows(**changes):
    runs = tiny(**changes)
    bandit = "evb" if changes else "other"
    return check_bandit_runs(runs, describe(runs, 2, bandit=bandit)).set_index("check")


def test_lemma_and_certificate_by_hand() -> None:
    """The lemma's sum of squares is Q - B^2, the certificate takes Q; regret 1 - 0.25."""
    c1, c2 = rigorous_factors(2, 2, 0.05)
    rows = tiny_rows()
    # The second arm is the tighter: -1 against -3 + 0 + 2 c_2 iota.
    assert rows.loc[DEVIATION, "lhs"] == -1.0
    assert rows.loc[DEVIATION, "rhs"] == pytest.approx(-3.0 + 2.0 * c2)
    bound = 0.5 + c1 * math.sqrt(5.0) + 4.0 * c2 - 0.25
    assert rows.loc[CERTIFICATE, "lhs"] == 0.75
    assert rows.loc[CERTIFICATE, "rhs"] == pytest.approx(bound)
    assert rows.loc[CERTIFICATE, "slack"] == pytest.approx(bound - 0.75)


def test_pathwise_inequality_by_hand() -> None:
    """K = A: no penalty, the comparator is uniform, sum_k <u, g_k> = (5 + 3) / 2."""
    row = tiny_rows(stability=2.5, bias=1.5, final_rate=0.5, final_estimate=[5.0, 3.0]).loc[
        PATHWISE
    ]
    assert row["lhs"] == pytest.approx(4.0 - (0.25 + 1.5))
    assert row["rhs"] == pytest.approx(2.5)
    assert row["run"] == "bandit/table/evb-rigorous, 2 rounds, run 0"


def test_bias_cost_by_hand() -> None:
    """V = 2, B = 2, Q / B^2 = (e, e^2), rho / A = (e, 1): sqrt(2 * 3) and 1."""
    bound = bias_cost_bound(
        np.array([2.0]),
        np.array([[4.0 * math.e, 4.0 * math.e**2]]),
        np.array([[2.0 * math.e, 2.0]]),
        2.0,
        0.5,
        0.25,
    )
    np.testing.assert_allclose(bound, [0.5 * math.sqrt(6.0) + 0.25 * 2.0 * 1.0])


def test_fewer_rounds_than_arms_have_no_pathwise_inequality() -> None:
    runs = simulate(np.full((2, 4), 0.5), 3)
    rows = check_bandit_runs(runs, describe(runs, 2, constants="practical"))
    assert sorted(rows["check"].unique()) == [DEVIATION, CERTIFICATE, REGRET, BIAS]
    assert rows["holds"].all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"failure": None}, "no failure; add it"),
        ({"num_actions": 4}, "num_actions is 4 in the metadata, but the runs have 2"),
        ({"rounds": 0}, "rounds: expected an integer >= 1"),
        ({"failure": 2.0}, "failure: expected a number > 0 and < 1"),
    ],
)
def test_metadata_that_do_not_fit_are_refused(change, message) -> None:
    metadata = describe(tiny(), 2) | change
    metadata = {name: value for name, value in metadata.items() if value is not None}
    with pytest.raises(InputError, match=message):
        check_bandit_runs(tiny(), metadata)
