"""Bounds of the empirical-variance bandit on recorded runs and on numbers worked out by hand."""

import math

import numpy as np
import pytest

from bandits.evb_driver import LANES, play, terms_of
from ccerates.bandits import evb
from ccerates.bandits.evb_bounds import regret_terms
from ccerates.theory.constants import STABILITY_LIMIT, BanditConstants, bandit_constants

GAIN_BOUND = 2.0
FAILURE = 0.05


def tables(rounds, count):
    """Return adversaries by name: a table of gains, and whether likely actions gain nothing."""
    generator = np.random.default_rng(rounds + count)
    every = np.arange(rounds)
    switching, late = np.zeros((rounds, count)), np.full((rounds, count), 0.5 * GAIN_BOUND)
    switching[every, (every * 6 // rounds) % count] = GAIN_BOUND
    late[: rounds // 3, 0], late[rounds // 3 :, 0] = 0.0, GAIN_BOUND
    return {
        "noise": (generator.random((rounds, count)) * GAIN_BOUND, False),
        "coins": ((generator.random((rounds, count)) < 0.5) * GAIN_BOUND, False),
        "switching": (switching, False),
        "late": (late, False),
        "alternating": (np.repeat(GAIN_BOUND * (every % 2.0)[:, None], count, axis=1), False),
        "spiteful": (np.full((rounds, count), GAIN_BOUND), True),
    }


GRID = [
    (mode, count, rounds, rate_scale)
    for mode in ("practical", "rigorous")
    for count in (1, 2, 3, 8)
    for rounds in (count, 2 * count + 1, 300)
    for rate_scale in (1.0, 10.0)
]


@pytest.fixture(scope="module")
def runs():
    """Return (adversary, table, run, constants) over the grid."""
    recorded = []
    for mode, count, rounds, rate_scale in GRID:
        constants = bandit_constants(mode, count, rounds, GAIN_BOUND, FAILURE)
        for name, (table, spite) in tables(rounds, count).items():
            run = play(table, constants, gain_bound=GAIN_BOUND, rate_scale=rate_scale, spite=spite)
            recorded.append((name, table, run, constants))
    return recorded


def pathwise_slacks(run):
    """Return (LANES, actions): right minus left side of the inequality, from the recorded rounds.

    sum_k <u - w_k, g_k> <= A ln(K/A)/eta_K + sum (-c - ln(1 - c))/eta_k, u = (1 - A/K) e_a + 1/K.
    """
    rounds, count, _ = run.weight.shape
    increments = np.diff(run.estimate, axis=0)
    c = run.rate[:, None] * run.weight * increments
    stability = ((-c - np.log1p(-c)) / run.rate[:, None]).sum(axis=(0, 1))
    penalty = count * math.log(rounds / count) / run.rate[-1]
    played = (run.weight * increments).sum(axis=(0, 1))
    slacks = np.empty((LANES, count))
    for arm in range(count):
        comparator = np.full(count, 1.0 / rounds)
        comparator[arm] += 1.0 - count / rounds
        gained = np.einsum("a,kal->l", comparator, increments)
        slacks[:, arm] = penalty + stability - (gained - played)
    return slacks


def violations(run, constants, stability=1.0):
    """Count lanes and arms whose inequality fails, with a multiple of the stability term."""
    terms = terms_of(run, constants, GAIN_BOUND)
    slack = terms.pathwise_slack - (1.0 - stability) * terms.stability[:, None]
    scale = (terms.penalty + terms.stability + terms.bias + GAIN_BOUND)[:, None]
    return int((slack < -1e-9 * scale).sum())


def test_pathwise_inequality_holds_in_every_run(runs) -> None:
    assert sum(run.rate.shape[1] for _, _, run, _ in runs) > 1000
    assert sum(violations(run, constants) for _, _, run, constants in runs) == 0


def test_pathwise_inequality_would_notice_errors(runs) -> None:
    """Half the stability term is too little; so is all of it for an estimate that is too large."""
    assert sum(violations(run, constants, stability=0.5) for _, _, run, constants in runs) > 0
    for _, _, run, constants in runs:
        largest = terms_of(run, constants, GAIN_BOUND).pathwise_slack.max()
        estimate = run.estimate.copy()
        estimate[-1] += largest + 0.01 * GAIN_BOUND
        assert violations(run._replace(estimate=estimate), constants) > 0


def test_slack_is_that_of_the_recorded_rounds(runs) -> None:
    for _, _, run, constants in runs:
        terms = terms_of(run, constants, GAIN_BOUND)
        scale = (terms.penalty + terms.stability + terms.bias + GAIN_BOUND).max()
        np.testing.assert_allclose(
            terms.pathwise_slack, pathwise_slacks(run), rtol=0, atol=1e-9 * scale
        )


def test_stability_stays_in_the_range_of_its_series(runs) -> None:
    """|eta w g| <= 0.68 for every arm in every round, and the bound is nearly reached."""
    largest = 0.0
    for _, _, run, _ in runs:
        c = run.rate[:, None] * run.weight * np.diff(run.estimate, axis=0)
        largest = max(largest, np.abs(c).max())
    assert 0.5 < largest <= STABILITY_LIMIT * (1.0 + 1e-9)


def test_played_gain_equals_estimated_gain_less_bias(runs) -> None:
    """<w_k, g_k> = x_k - m_k + <w_k, b_k>: what makes the regret of estimates one of gains."""
    for _, _, run, _ in runs:
        estimated = (run.weight * np.diff(run.estimate, axis=0)).sum(axis=(0, 1))
        centred, bias = run.sums[evb.SUM_CENTRED], run.sums[evb.SUM_BIAS]
        scale = np.abs(run.estimate).max() + GAIN_BOUND
        np.testing.assert_allclose(estimated, centred + bias, rtol=0, atol=1e-9 * scale)


def test_rigorous_bound_covers_the_regret(runs) -> None:
    """Each bound fails with probability 0.05 at most; these leave room, so that none may fail."""
    checked = tightest = 0
    for name, table, run, constants in runs:
        if constants.bias_range == 0.0 or name == "spiteful":
            continue
        regret = table.sum(axis=0).max() - run.sums[evb.SUM_GAIN]
        bound = terms_of(run, constants, GAIN_BOUND).regret_bound
        assert (regret <= bound + 1e-9).all(), name
        checked += LANES
        tightest = max(tightest, (regret / np.maximum(bound, 1e-9)).max())
    assert checked > 400
    assert tightest > 0.1


def test_terms_by_hand() -> None:
    """A = 2, K = 8, eta = 1/2, B = 1, G = (5, 3), c_1 sqrt(iota) = 1/4, c_2 iota = 1/8."""
    constants = BanditConstants(0.25, 0.125, 0.5, 0.0, 0.0)
    terms = regret_terms(
        np.array([5.0, 3.0]), *map(np.array, (1.0, 0.5, 0.75, 0.5)), 8, 1.0, constants
    )
    penalty = 2.0 * math.log(4.0) / 0.5
    assert terms.penalty == pytest.approx(penalty)  # 5.545
    assert terms.constant == pytest.approx((2 - 1) + (0.25 + 2 * 0.125))
    # Observed: max G - sum (x - m) + (1/4 + 2/8); it is below 5.545 + 0.5 + 0.75 + 1.5.
    assert terms.regret_bound == pytest.approx(5.0 - 1.0 + 0.5)
    # Comparator of the first arm: (1 - 2/8) 5 + (5 + 3)/8 = 4.75; of the second: 3.25.
    right_side = penalty + 0.5 + 1.0 + 0.75
    np.testing.assert_allclose(terms.pathwise_slack, [right_side - 4.75, right_side - 3.25])


@pytest.mark.parametrize(
    ("estimate", "rounds", "expected"),
    [
        ([-9.0, -8.0], 8, 0.0),  # -8 - 1 + 0.5 < 0
        ([50.0, 3.0], 8, 2 * math.log(4) / 0.8 + 0.5 + 0.75 + 1.5),  # the analytic bound
        ([50.0, 3.0], 2, 2.0),  # 0.5 + 0.75 + 1.5 exceeds K B
        ([5.0, 3.0], 1, 1.0),  # fewer rounds than arms: K B
        ([-9.0, -8.0], 1, 1.0),
    ],
)
def test_bound_is_the_smallest_of_all(estimate, rounds, expected) -> None:
    constants = BanditConstants(0.25, 0.125, 0.5, 0.0, 0.0)
    terms = regret_terms(
        np.array(estimate), *map(np.array, (1.0, 0.5, 0.75, 0.8)), rounds, 1.0, constants
    )
    assert terms.regret_bound == pytest.approx(expected)
    assert np.isnan(terms.pathwise_slack).all() == (rounds < 2)
