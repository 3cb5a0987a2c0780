"""Tables of bandits from runs whose every sum is known."""

import math

import numpy as np
import pytest

from ccerates.analysis.bandits import RATIO_COLUMNS, bandit_table, regrets_over_bounds
from ccerates.analysis.publish import BANDIT_COLUMNS
from ccerates.bandits.arena import BanditRuns

ROUNDS, ACTIONS, FAILURE = 1000, 2, 0.1
METADATA = {
    "rounds": ROUNDS,
    "num_actions": ACTIONS,
    "gain_bound": 1.0,
    "failure": FAILURE,
    "adversary": "switching",
}


def _metadata(label, bandit="evb", constants="practical", **others):
    return METADATA | {"label": label, "bandit": bandit, "constants": constants} | others


def _runs(regret, rng, **fields):
    """Return runs with these realised regrets; the better arm is now the first, now the second."""
    count = len(regret)
    centred = rng.normal(scale=10.0, size=count)
    mean_sum = np.column_stack([regret + centred, regret + centred - 5.0])
    mean_sum[::2] = mean_sum[::2, ::-1]
    columns = {
        "gain": rng.uniform(size=count),
        "centred": centred,
        "played_variance": np.arange(count, dtype=float),
        "mean_sum": mean_sum,
        "estimate_sum": rng.normal(scale=30.0, size=(count, ACTIONS)),
        "square": rng.uniform(50.0, 500.0, size=(count, ACTIONS)),
        "range_": rng.uniform(2.0, 90.0, size=(count, ACTIONS)),
        "final_rate": rng.uniform(0.01, 0.3, size=count),
        "stability": rng.uniform(1.0, 20.0, size=count),
        "bias": rng.uniform(0.1, 5.0, size=count),
        "final_estimate": rng.normal(scale=60.0, size=(count, ACTIONS)),
    }
    return BanditRuns(**(columns | fields))


def _analysed(runs, run):
    """Return the second bound of a run with the practical constants: c_1 sqrt(iota) = 1/4."""
    penalty = ACTIONS * math.log(ROUNDS / ACTIONS) / runs.final_rate[run]
    return penalty + runs.stability[run] + runs.bias[run] + (ACTIONS - 1) + 0.25


def _bound(runs, run):
    """Return R_K of a run with the practical constants."""
    observed = max(runs.final_estimate[run]) - runs.centred[run] + 0.25
    return max(0.0, min(_analysed(runs, run), observed, ROUNDS))


def _certificate(runs, run):
    """Return the certificate of a run with the rigorous constants."""
    levels = 2 * math.log2(ROUNDS / FAILURE) + math.log2(ACTIONS) + 8
    iota = math.log(ACTIONS * levels * (math.log2(ROUNDS) + 7) / FAILURE)
    bounds = [
        runs.estimate_sum[run, arm]
        + 1.44 * math.sqrt(iota * runs.square[run, arm])
        + 2.36 * iota * runs.range_[run, arm]
        for arm in range(ACTIONS)
    ]
    return max(bounds) - runs.centred[run]


@pytest.fixture
def evb(rng):
    return _runs(np.linspace(-20.0, 180.0, 201), rng)


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_quantiles_and_medians_are_those_of_the_runs(evb):
    table = bandit_table([(evb, _metadata("evb-practical"))])
    assert list(table.columns) == list(BANDIT_COLUMNS)
    (row,) = table.itertuples()
    assert (row.bandit, row.constants, row.adversary) == ("evb-practical", "practical", "switching")
    assert (row.num_actions, row.rounds, row.runs) == (ACTIONS, ROUNDS, 201)
    assert row.played_variance == 100
    # Of 201 evenly spaced regrets, quantile q stands at the place 200 q.
    assert row.regret_median == pytest.approx(80)
    assert row.regret_95 == pytest.approx(170)
    assert row.regret_99 == pytest.approx(178)
    # The median of 201 values lies between the 87th and the 115th: P(Bin(201, 1/2) <= 86) = 0.024.
    assert (row.ci_low, row.ci_high) == (pytest.approx(66), pytest.approx(94))


def test_five_runs_are_too_few_for_an_interval_of_the_median(rng):
    """The median lies outside the range of n values with probability 2^(1-n): 6 %, then 3 %."""
    for count, known in ((5, False), (6, True)):
        runs = _runs(np.arange(float(count)), rng)
        (row,) = bandit_table([(runs, _metadata("evb-practical"))]).itertuples()
        interval = np.array([row.ci_low, row.ci_high])
        assert np.isfinite(interval).all() == known
        assert not known or interval == pytest.approx([0.0, 5.0])


def test_bounds_and_certificates_are_compared_run_by_run(evb):
    bounds = np.array([_bound(evb, run) for run in range(201)])
    certificates = np.array([_certificate(evb, run) for run in range(201)])
    regret = np.linspace(-20.0, 180.0, 201)
    (row,) = bandit_table([(evb, _metadata("evb-practical"))]).itertuples()
    assert row.bound_median == pytest.approx(np.median(bounds))
    assert row.certificate_median == pytest.approx(np.median(certificates))
    assert row.bound_violations == (regret > bounds).sum()
    assert row.certificate_violations == (regret > certificates).sum()
    assert 20 < row.bound_violations < 180
    analysed = np.array([_analysed(evb, run) for run in range(201)])
    assert row.analytic_median == pytest.approx(np.median(analysed))
    assert 20 < row.analytic_violations == (regret > analysed).sum() < row.bound_violations
    assert row.certificate_violations < row.bound_violations


def test_a_violated_certificate_is_counted(evb):
    evb.estimate_sum[:7] = -1e4
    evb.estimate_sum[7:] = 1e4
    (row,) = bandit_table([(evb, _metadata("evb-practical"))]).itertuples()
    assert row.certificate_violations == 7


def test_rigorous_constants_give_a_larger_bound(evb):
    practical, rigorous = (
        bandit_table([(evb, _metadata("evb", constants=constants))])
        for constants in ("practical", "rigorous")
    )
    assert (rigorous["bound_median"] > practical["bound_median"]).all()


def test_other_bandits_have_no_bound_of_their_own(rng):
    empty = np.full(5, np.nan)
    own = {"final_rate": empty, "stability": empty, "bias": empty}
    runs = _runs(np.arange(5.0), rng, final_estimate=np.full((5, 2), np.nan), **own)
    items = [(runs, _metadata("exp3-ix", "exp3-ix", "published"))]
    (row,) = bandit_table(items).itertuples()
    assert np.isnan(row.bound_median)
    assert np.isnan(row.bound_violations)
    assert np.isfinite(row.certificate_median)
    ratios = regrets_over_bounds(items)
    assert ratios.empty
    assert list(ratios.columns) == list(RATIO_COLUMNS)


def test_rows_are_ordered_whatever_the_order_of_the_files(evb):
    names = [("exp3-p", "adaptive"), ("evb-practical", "adaptive"), ("evb-practical", "switching")]
    items = [
        (evb, _metadata(label, label if label == "exp3-p" else "evb", adversary=adversary))
        for label, adversary in names
    ]
    for order in (items, items[::-1]):
        table = bandit_table(order)
        rows = table[["bandit", "adversary"]].itertuples(index=False, name=None)
        assert list(rows) == [names[1], names[0], names[2]]


def test_every_run_has_a_row_with_its_ratio(evb):
    table = regrets_over_bounds(
        [(evb, _metadata("evb-rigorous")), (evb, _metadata("evb-practical"))]
    )
    assert table["bandit"].to_list() == ["evb-practical"] * 201 + ["evb-rigorous"] * 201
    mine = table[table["bandit"] == "evb-practical"]
    assert mine["run"].to_list() == list(range(201))
    assert mine["regret"].to_numpy() == pytest.approx(np.linspace(-20.0, 180.0, 201), abs=1e-9)
    bounds = np.array([_analysed(evb, run) for run in range(201)])
    assert mine["bound"].to_numpy() == pytest.approx(bounds)
    assert (mine["ratio"] * mine["bound"]).to_numpy() == pytest.approx(mine["regret"].to_numpy())
