"""The parts of the empirical-variance bandit against exact arithmetic and bisection."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bandits.evb_driver import LANES, play
from ccerates.bandits import evb
from ccerates.compilation import kernel
from ccerates.lanes import load, store
from ccerates.theory.constants import bandit_constants


@kernel
def losses(arguments, out):
    for row in range(arguments.shape[0]):
        store(out, (row,), evb.stability_loss(load(arguments, (row,), 4)))


def test_stability_loss_to_thirteen_digits() -> None:
    tiny = 10.0 ** -np.arange(1, 31)
    arguments = np.concatenate([np.linspace(-0.68, 0.68, 1001), tiny, -tiny])
    arguments = arguments[: len(arguments) // 4 * 4].reshape(-1, 4)
    out = np.empty_like(arguments)
    losses(arguments, out)
    with localcontext() as context:
        context.prec = 100
        for argument, loss in zip(arguments.flat, out.flat, strict=True):
            c = Decimal(float(argument))
            exact = float(-c - (1 - c).ln())
            assert loss == pytest.approx(exact, rel=1e-13, abs=0.0), argument


@kernel
def solve_all(estimate, variance, multiplier, numbers, weight, rate):
    maximal_rate, rate_numerator, gain_square = numbers
    count = estimate.shape[1]
    bandit = evb.allocate(1, count, LANES)
    for row in range(estimate.shape[0]):
        bandit.estimate[0] = estimate[row]
        bandit.sums[0, evb.SUM_VARIANCE] = variance[row]
        bandit.multiplier[0] = multiplier[row]
        evb.compute_weights(bandit, 0, count, LANES, maximal_rate, rate_numerator, gain_square)
        weight[row] = bandit.weight[0]
        rate[row] = bandit.rate[0]
        multiplier[row] = bandit.multiplier[0]


def solve(estimate, variance, multiplier, numbers):
    """Return weights (rows, actions, LANES), rates and multipliers (rows, LANES)."""
    weight, rate = np.empty_like(estimate), np.empty_like(variance)
    multiplier = multiplier.copy()
    solve_all(estimate, variance, multiplier, numbers, weight, rate)
    return weight, rate, multiplier


def exact_weights(estimate, rate):
    """Solve sum_a 1/(lambda - G_a) = eta by bisection, with max G as the origin of lambda.

    Arms stand along the first axis; whatever follows, also of `rate`, is one problem each.
    """
    rate = np.asarray(rate, np.longdouble)
    shifted = estimate.max(axis=0) - estimate.astype(np.longdouble)
    low, high = 1.0 / rate, len(estimate) / rate
    for _ in range(80):
        middle = (low + high) / 2
        left_of_root = (1.0 / (middle + shifted)).sum(axis=0) > rate
        low, high = np.where(left_of_root, middle, low), np.where(left_of_root, high, middle)
    return (1.0 / (rate * (low + shifted))).astype(float)


@pytest.mark.parametrize("count", range(1, 17))
def test_weights_solve_the_first_order_condition(count) -> None:
    generator = np.random.default_rng(count)
    rows, numbers = 20, (0.5, 3.0, 4.0)
    spread = 10.0 ** generator.uniform(-3, 6, (rows, 1, LANES))
    estimate = generator.normal(size=(rows, count, LANES)) * spread
    variance = 10.0 ** generator.uniform(-2, 6, (rows, LANES))
    fresh = np.full((rows, LANES), -np.inf)
    weight, rate, multiplier = solve(estimate, variance, fresh, numbers)
    np.testing.assert_allclose(rate, np.minimum(0.5, 3.0 / np.sqrt(4.0 + variance)), rtol=1e-15)
    assert (rate == 0.5).any()
    np.testing.assert_allclose(weight.sum(axis=1), 1.0, rtol=0, atol=1e-14)
    expected = np.moveaxis(exact_weights(np.moveaxis(estimate, 1, 0), rate), 0, 1)
    np.testing.assert_allclose(weight, expected, rtol=1e-7)
    # From starts far below, near and far above the root.
    for start in (multiplier - 1.0, multiplier + 1e-9, multiplier + 1.0, multiplier + 1e7):
        again, _, _ = solve(estimate, variance, start, numbers)
        np.testing.assert_allclose(again, expected, rtol=1e-7)


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6),
    st.floats(0.0, 1e9),
    st.floats(1e-4, 2.0),
)
def test_weights_of_any_estimates(estimate, variance, maximal_rate) -> None:
    column = np.repeat(np.array(estimate)[None, :, None], LANES, axis=2)
    weight, rate, _ = solve(
        column,
        np.full((1, LANES), variance),
        np.full((1, LANES), -np.inf),
        (maximal_rate, 5.0, 1.0),
    )
    expected = exact_weights(np.array(estimate), rate[0, 0])
    np.testing.assert_allclose(weight[0, :, 0], expected, rtol=1e-7)
    assert weight[0, :, 0].sum() == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_array_equal(weight[0], weight[0, :, :1].repeat(LANES, axis=1))


def test_weights_that_take_many_iterations() -> None:
    """Newton's method takes eight steps from below and nine from above."""
    count, rate = 1024, 0.5
    estimate = np.full((1, count, LANES), -1046.0 / rate)
    estimate[:, :2] = 0.0
    for start in (-np.inf, 1e9):
        starts, zero = np.full((1, LANES), start), np.zeros((1, LANES))
        weight, _, _ = solve(estimate, zero, starts, (rate, 99.0, 1.0))
        expected = exact_weights(estimate[0, :, 0], rate)
        np.testing.assert_allclose(weight[0, :, 0], expected, rtol=1e-7)


def test_weights_of_equal_estimates_are_uniform_and_better_arms_weigh_more() -> None:
    none = np.full((1, LANES), -np.inf)
    zero = np.zeros((1, LANES))
    weight, _, _ = solve(np.full((1, 5, LANES), 7.0), zero, none, (0.1, 9.0, 1.0))
    np.testing.assert_allclose(weight, 0.2, rtol=1e-12)
    ordered = np.arange(5.0)[None, :, None].repeat(LANES, axis=2)
    weight, _, _ = solve(ordered, zero, none, (0.1, 9.0, 1.0))
    assert (np.diff(weight, axis=1) > 0.0).all()


def test_two_arms_by_hand() -> None:
    """G = (1, 0), eta = 1/2: 1/(l-1) + 1/l = 1/2, l^2 - 5 l + 2 = 0, l = (5 + sqrt 17)/2."""
    estimate = np.array([1.0, 0.0])[None, :, None].repeat(LANES, axis=2)
    start = np.full((1, LANES), -np.inf)
    weight, rate, multiplier = solve(estimate, np.zeros((1, LANES)), start, (0.5, 9.0, 1.0))
    root = (5.0 + math.sqrt(17.0)) / 2.0
    np.testing.assert_array_equal(rate, 0.5)
    np.testing.assert_allclose(multiplier, root, rtol=1e-9)
    np.testing.assert_allclose(weight[0, :, 0], [2 / (root - 1), 2 / root], rtol=1e-9)


@kernel
def draw(weight, uniforms, out):
    count = weight.shape[0]
    bandit = evb.allocate(1, count, LANES)
    bandit.weight[0] = weight
    for row in range(uniforms.shape[0]):
        drawn = evb.draw_actions(bandit, 0, count, LANES, load(uniforms, (row,), LANES))
        store(out, (row,), drawn)


def test_actions_are_drawn_by_the_inverse_of_the_distribution() -> None:
    weight = np.array([0.5, 0.25, 0.125, 0.125])[:, None].repeat(4, axis=1)
    largest = np.nextafter(1.0, 0.0)
    uniforms = np.array([[0.0, 0.5, 0.75, 0.875], [np.nextafter(0.5, 0), 0.6, 0.8, largest]])
    out = np.empty((2, 4), np.int64)
    draw(weight, uniforms, out)
    assert out.tolist() == [[0, 1, 2, 3], [0, 1, 2, 3]]


def test_last_action_takes_what_rounding_leaves() -> None:
    weight = np.full((10, 4), 0.1)
    largest = np.nextafter(1.0, 0.0)
    assert math.fsum([0.1] * 10) > sum([0.1] * 10) == largest
    out = np.empty((1, 4), np.int64)
    draw(weight, np.full((1, 4), largest), out)
    assert (out == 9).all()


def test_actions_of_a_run_follow_the_weights() -> None:
    """Summed over rounds, (1{a_k = a} - w_k(a)) is a martingale with known variance."""
    table = np.random.default_rng(3).random((4000, 3))
    constants = bandit_constants("practical", 3, 4000, 1.0, 0.05)
    run = play(table, constants, gain_bound=1.0)
    for arm in range(3):
        difference = ((run.action == arm) - run.weight[:, arm]).sum()
        deviation = np.sqrt((run.weight[:, arm] * (1.0 - run.weight[:, arm])).sum())
        assert abs(difference) < 4.0 * deviation


def test_regret_follows_the_played_variance_and_not_the_number_of_rounds() -> None:
    """Where the best arm never changes, ten times the rounds do not cost sqrt(10) times as much."""
    regrets = []
    for rounds in (500, 5000):
        table = np.tile([0.2, 0.7, 0.4], (rounds, 1))
        constants = bandit_constants("practical", 3, rounds, 1.0, 0.05)
        run = play(table, constants, gain_bound=1.0)
        assert (run.weight[-1, 1] > 0.95).all()
        assert (run.sums[evb.SUM_VARIANCE] < 15.0).all()
        regrets.append((0.7 * rounds - run.sums[evb.SUM_GAIN]).mean())
    assert regrets[1] < 2.0 * regrets[0]
