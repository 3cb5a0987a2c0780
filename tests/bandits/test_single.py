"""One bandit at a time: answers worked out by hand, and bad input."""

import math

import numpy as np
import pytest

from ccerates.bandits.evb_single import EvbOptions
from ccerates.bandits.registry import MODULES, bandit_parameters
from ccerates.bandits.single import Bandit
from ccerates.errors import InputError


def weights_after(name, action, gain, *, rounds=100, bound=2.0):
    """Return w_2 of two arms, of which one was played at w_1 = (1/2, 1/2)."""
    bandit = Bandit(name, num_actions=2, rounds=rounds, gain_bound=bound)
    np.testing.assert_allclose(bandit.probabilities(), 0.5, rtol=1e-12)
    bandit.update(action, gain)
    return bandit.probabilities()


def test_exp3_ix_by_hand() -> None:
    rate = math.sqrt(2 * math.log(2) / 200)
    estimate = 0.75 / (0.5 + rate / 2)  # the loss of a gain of 0.5 in [0, 2] is 0.75
    expected = 1 / (1 + math.exp(rate * estimate))
    np.testing.assert_allclose(weights_after("exp3-ix", 0, 0.5)[0], expected, rtol=1e-12)


def test_exp3_p_by_hand() -> None:
    """The bonus is the same for both arms, whose weights were the same: it cancels."""
    rate, mix = 0.95 * math.sqrt(math.log(2) / 200), 1.05 * math.sqrt(2 * math.log(2) / 100)
    expected = (1 - mix) / (1 + math.exp(-rate * 0.25 / 0.5)) + mix / 2
    np.testing.assert_allclose(weights_after("exp3-p", 0, 0.5)[0], expected, rtol=1e-12)


def test_tsallis_inf_by_hand() -> None:
    """L = (1.5, 0): c_1 = 0, since w_1 = 1/2 < eta_1^2 = 16; eta_2 = 4/sqrt(2).

    sqrt(w_a) = 2/(eta (L_a - x)): 1/sqrt(w_0) - 1/sqrt(w_1) = eta 1.5/2.
    """
    w = weights_after("tsallis-inf", 0, 0.5)
    difference = 1 / math.sqrt(w[0]) - 1 / math.sqrt(w[1])
    assert difference == pytest.approx(0.75 * 4 / math.sqrt(2), rel=1e-11)
    assert w.sum() == pytest.approx(1.0, abs=1e-14)


def test_log_barrier_by_hand() -> None:
    """1/w = (2 + 1.5 eta - m, 2 - m), m >= 0: a quadratic equation; the estimate is 0.75/0.5."""
    rate = math.sqrt(2 * math.log(100) / 100)
    step = 1.5 * rate
    # 1/(u + step) + 1/u = 1 with u = 2 - m: u^2 + (step - 2) u - step = 0.
    u = (2 - step + math.sqrt((step - 2) ** 2 + 4 * step)) / 2
    w = weights_after("log-barrier", 0, 0.5)
    np.testing.assert_allclose(w, [1 / (u + step), 1 / u], rtol=1e-11)


def test_optimistic_log_barrier_by_hand() -> None:
    """v_2 as above with eta = 1/162; the prediction is the loss 0.75 of arm 0 and 0 of arm 1."""

    def step_from(inverse, change):
        # 1/(p + u) + 1/(q + u) = 1 for (p, q) = inverse + change.
        p, q = inverse + change
        b, c = p + q - 2, p * q - p - q
        u = (-b + math.sqrt(b * b - 4 * c)) / 2
        return np.array([p + u, q + u])

    anchor = step_from(np.array([2.0, 2.0]), np.array([1.5 / 162, 0.0]))
    expected = 1 / step_from(anchor, np.array([0.75 / 162, 0.0]))
    w = weights_after("optimistic-log-barrier", 0, 0.5)
    np.testing.assert_allclose(w, expected, rtol=1e-11)


def test_rates_and_limits_that_are_ours() -> None:
    """sqrt(A ln K/K), at most 1/162 for the optimistic one, and what holds for tiny K."""

    def parameters_of(name, num_actions, rounds):
        return bandit_parameters(name, None, num_actions=num_actions, rounds=rounds, gain_bound=1.0)

    balanced = math.sqrt(2 * math.log(10**7) / 10**7)  # below 1/162
    for name in ("log-barrier", "optimistic-log-barrier"):
        assert parameters_of(name, 2, 10**7).rate == pytest.approx(balanced, rel=1e-12)
    assert parameters_of("optimistic-log-barrier", 2, 10**5).rate == 1 / 162
    tiny = parameters_of("log-barrier", 3, 2)
    assert tiny.rate == pytest.approx(math.sqrt(3 / 2), rel=1e-12)
    assert tiny.growth == pytest.approx(math.e, rel=1e-12)
    assert tiny.largest_inverse == 12.0
    assert parameters_of("log-barrier", 3, 1000).largest_inverse == 1000.0
    assert parameters_of("exp3-p", 3, 2).exploration == 0.5
    expected = 1.05 * math.sqrt(3 * math.log(3) / 1000)
    assert parameters_of("exp3-p", 3, 1000).exploration == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", MODULES)
def test_arm_that_gains_more_becomes_more_likely(name) -> None:
    options = EvbOptions("practical") if name == "evb" else None
    bandit = Bandit(name, options, num_actions=3, rounds=1000)
    bandit.update(1, 0.0)
    bandit.update(0, 1.0)
    w = bandit.probabilities()
    assert w[0] > w[1]
    np.testing.assert_array_equal(w, bandit.probabilities())  # asking again changes nothing


def test_bandits_do_not_share_state() -> None:
    first, second = (Bandit("exp3-ix", num_actions=2, rounds=10) for _ in range(2))
    first.update(0, 0.0)
    np.testing.assert_array_equal(second.probabilities(), [0.5, 0.5])
    first.probabilities()[0] = 7.0
    assert first.probabilities()[0] < 0.5


def test_bad_input_is_named() -> None:
    bandit = Bandit("tsallis-inf", num_actions=2, rounds=1, gain_bound=0.5)
    with pytest.raises(InputError, match=r"tsallis-inf: action: expected an integer in 0..1"):
        bandit.update(2, 0.1)
    for gain in (0.6, -0.1, float("nan")):
        with pytest.raises(InputError, match="tsallis-inf: gain"):
            bandit.update(0, gain)
    bandit.update(0, 0.5)
    with pytest.raises(InputError, match="all 1 rounds have been played"):
        bandit.update(0, 0.5)
    with pytest.raises(InputError, match="unknown bandit 'ucb'"):
        Bandit("ucb", num_actions=2, rounds=1)
    with pytest.raises(InputError, match="evb: options must be EvbOptions, got 'rigorous'"):
        Bandit("evb", "rigorous", num_actions=2, rounds=1)
