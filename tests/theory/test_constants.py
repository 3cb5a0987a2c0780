"""Constants worked out by hand, and the inequalities they come from recomputed numerically."""

import math

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.theory.constants import (
    DIRECT_DEVIATION,
    DIRECT_RANGE,
    PLAYED_DEVIATION,
    PLAYED_RANGE,
    STABILITY_LIMIT,
    bandit_constants,
    direct_iota,
)


def test_rigorous_constants_by_hand() -> None:
    """A = 4 arms, K = 1024 rounds, gains in [0, 4], delta = 1/32.

    N = (2 log2(1024 * 32) + log2 4 + 8) (log2 1024 + 7) = (2 * 15 + 2 + 8) (10 + 7) = 680,
    iota = ln(4 * 680 * 32) = ln 87040 = 11.37412; sqrt(iota) = 3.37255;
    c_1 sqrt(iota) = 1.44 * 3.37255 = 4.85648; c_2 iota = 2.36 * 11.37412 = 26.84292;
    eta_max = 0.68 / (4 (1 + 4.85648 + 26.84292)) = 0.68 / 130.79760 = 0.00519888.
    """
    constants = bandit_constants("rigorous", 4, 1024, 4.0, 1 / 32)
    assert constants.bias_deviation == pytest.approx(4.85648, abs=1e-5)
    assert constants.bias_range == pytest.approx(26.84292, abs=2e-5)
    assert constants.maximal_rate == pytest.approx(0.00519888, abs=1e-8)
    assert constants.lower_deviation == pytest.approx(1.44 * 3.37255, abs=1e-5)
    assert constants.lower_range == pytest.approx(1.18 * 11.37412, abs=1e-5)


def test_practical_constants_by_hand() -> None:
    """eta_max = 0.68 / (4 (1 + 0.25)) = 0.136, whatever A, K and delta."""
    for count, rounds, failure in [(4, 1024, 1 / 32), (2, 7, 0.5)]:
        constants = bandit_constants("practical", count, rounds, 4.0, failure)
        np.testing.assert_allclose(constants, (0.25, 0.0, 0.136, 0.25, 0.0), rtol=1e-15)


def test_direct_iota_by_hand() -> None:
    """ln(6 (log2 1024 + 7) / 0.01) = ln 10200 = 4 ln 10 + ln 1.02 = 9.210340 + 0.019803."""
    assert direct_iota(6, 1024, 0.01) == pytest.approx(9.230143, abs=1e-6)


def test_stability_limit_is_where_the_loss_is_still_below_the_square() -> None:
    """-c - ln(1 - c) <= c^2 for |c| <= 0.68, and no longer at 0.69."""
    c = np.linspace(-STABILITY_LIMIT, STABILITY_LIMIT, 20001)
    assert (-c - np.log1p(-c) <= c * c + 1e-16).all()
    assert -0.69 - math.log(1.0 - 0.69) > 0.69**2


# The deviation lemma. With s = sqrt(v / (2 iota)), lambda = 1/(1 + s) and
# psi(lambda) = -ln(1 - lambda) - lambda, a sum of squares V (in units of the range) leads to a
# deviation of at most (psi(lambda) V + iota) / lambda with probability 1 - exp(-iota). Levels of V
# are dyadic from iota/64 on and v is the geometric middle; below the first level v = iota/64.
# Everything is proportional to iota: let V = t iota.
LEVELS = 30  # V up to 10^7 iota; rounding blurs psi far beyond


def deviation(t, middle):
    """Return (psi(lambda) t + 1) / lambda."""
    s = np.sqrt(middle / 2.0)
    rate = 1.0 / (1.0 + s)
    return (np.log1p(1.0 / s) - rate) * t / rate + 1.0 / rate


def peeled():
    """Return t on a fine grid of all levels, with the deviation there."""
    below = np.linspace(0.0, 1 / 64, 2001)
    pieces = [(below, deviation(below, 1 / 64))]
    for level in range(LEVELS):
        t = np.linspace(1.0, 2.0, 2001) * 2.0**level / 64
        pieces.append((t, deviation(t, math.sqrt(2.0) * t[0])))
    return tuple(np.concatenate(side) for side in zip(*pieces, strict=True))


def test_deviation_lemma_holds_with_the_constants() -> None:
    """Deviation <= 1.436 sqrt(iota V) + 1.177 iota at every V, and 1.43 would be too little."""
    t, bound = peeled()
    assert (bound <= 1.436 * np.sqrt(t) + 1.177).all()
    assert not (bound <= 1.43 * np.sqrt(t) + 1.177).all()
    assert not (bound <= 1.436 * np.sqrt(t) + 1.05).all()
    # In closed form, with psi(lambda) <= lambda^2 / (2 (1 - lambda)), that is t/(2s) + 1 + s:
    quarter = 2.0**0.25
    assert math.sqrt(2.0) * (quarter + 1.0 / quarter) / 2.0 <= 1.436  # at the ends of a level
    assert 1.0 + math.sqrt(2.0 / 64.0) <= 1.177  # at the top of what lies below the first


def test_constants_contain_those_of_the_lemma() -> None:
    """The range is R <= 2 rho for importance-weighted sums, and B for plain ones."""
    assert min(PLAYED_DEVIATION, DIRECT_DEVIATION) >= 1.436
    assert PLAYED_RANGE >= 2 * 1.177
    assert DIRECT_RANGE >= 1.177


def count_levels(rounds, iota):
    """Return the number of levels of V in (0, K]: one below iota/64, then dyadic ones."""
    return 1 + max(0, math.ceil(math.log2(64.0 * rounds / iota)))


@pytest.mark.parametrize("failure", [0.9, 0.05, 1e-4, 1e-9])
@pytest.mark.parametrize("num_actions", [1, 2, 3, 16, 1000])
def test_failures_of_all_events_add_up_to_delta(num_actions, failure) -> None:
    """For each arm: a level of 1/w times a level of V, and rare play; V of the lower value.

    Each has probability exp(-iota). The levels of 1/w are dyadic up to K / exp(-iota), beyond
    which play is rare.
    """
    for rounds in (1, 2, 10, 1000, 10**6, 10**9):
        constants = bandit_constants("rigorous", num_actions, rounds, 1.0, failure)
        iota = constants.bias_range / PLAYED_RANGE
        assert constants.bias_deviation == pytest.approx(PLAYED_DEVIATION * math.sqrt(iota))
        ranges = 1 + math.ceil(math.log2(rounds) + iota / math.log(2.0))
        squares = count_levels(rounds, iota)
        events = num_actions * (ranges * squares + 1) + squares
        assert events * math.exp(-iota) <= failure


@pytest.mark.parametrize("failure", [0.9, 0.05, 1e-9])
def test_failures_of_direct_sums_add_up_to_delta(failure) -> None:
    for num_events in (1, 5, 1000):
        for rounds in (1, 2, 10, 1000, 10**9):
            iota = direct_iota(num_events, rounds, failure)
            assert num_events * count_levels(rounds, iota) * math.exp(-iota) <= failure


def test_unknown_constants_are_refused() -> None:
    with pytest.raises(InputError, match="'rigourous'; expected rigorous or practical"):
        bandit_constants("rigourous", 2, 10, 1.0, 0.05)
