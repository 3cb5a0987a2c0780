"""Verdicts, one by one."""

import numpy as np
import pytest

from ccerates.analysis.statistics import Estimate
from ccerates.analysis.verdicts import verdict
from ccerates.theory.rates import RATES

CLOSED = ("simulator", "evb-sim", "horizon")  # agrees from 3.7 to 4.3
OPEN = ("online", "evb-online", "horizon")  # agrees up to 5.3
FALLING = ("online", "evb-online", "epsilon")  # agrees from -2.2


@pytest.mark.parametrize(
    ("what", "low", "value", "high", "word"),
    [
        (CLOSED, 3.71, 4.0, 4.29, "confirmed"),
        (CLOSED, 3.6, 4.0, 4.2, "consistent"),
        (CLOSED, 3.8, 4.2, 4.4, "consistent"),
        (CLOSED, 3.5, 3.65, 3.8, "inconclusive"),
        (CLOSED, 4.2, 4.4, 4.6, "inconclusive"),
        (CLOSED, 3.2, 3.4, 3.69, "miss"),
        (CLOSED, 4.31, 4.4, 4.5, "miss"),
        (OPEN, 2.0, 2.5, 3.0, "within bound"),
        (OPEN, 5.0, 5.1, 5.29, "within bound"),
        (OPEN, 5.0, 5.2, 5.4, "consistent"),
        (OPEN, 5.2, 5.4, 5.6, "inconclusive"),
        (OPEN, 5.31, 5.4, 5.6, "miss"),
        (FALLING, -1.5, -1.0, -0.5, "within bound"),
        (FALLING, -2.6, -2.4, -2.21, "miss"),
        (CLOSED, np.nan, 4.0, np.nan, "inconclusive"),
        (CLOSED, np.nan, np.nan, np.nan, "not fitted"),
    ],
)
def test_verdict(what, low: float, value: float, high: float, word: str) -> None:
    estimate = Estimate(value, low, high, "bca", np.empty(0))
    assert verdict(RATES[what[:2]], what[2], estimate, complete=True) == word


@pytest.mark.parametrize(
    ("low", "value", "high", "word"),
    [(3.9, 4.0, 4.1, "inconclusive"), (2.0, 2.5, 3.0, "miss")],
)
def test_a_fit_that_lacks_a_cell_confirms_nothing(
    low: float, value: float, high: float, word: str
) -> None:
    estimate = Estimate(value, low, high, "bca", np.empty(0))
    assert verdict(RATES["simulator", "q-ftrl"], "horizon", estimate, complete=False) == word


def test_an_algorithm_of_ones_own_has_no_rate() -> None:
    assert verdict(None, "horizon", Estimate(4.0, 3.9, 4.1, "bca", np.empty(0)), complete=True) == (
        "no rate"
    )
