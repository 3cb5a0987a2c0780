"""The last downward crossing, against values by hand and a plain loop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccerates.analysis.crossing import last_crossing

SAMPLES = np.array([10.0, 100.0, 1000.0, 10000.0])


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        ([0.8, 0.4, 0.2, 0.05], 10**3.5),  # 0.1 lies half way from 0.2 to 0.05 in logarithms
        ([0.05, 0.4, 0.2, 0.05], 10**3.5),  # starts below, rises first
        ([0.2, 0.05, 0.2, 0.05], 10**3.5),  # crosses twice
        ([0.2, 0.1, 0.05, 0.01], 100.0),  # meets the target on the grid
    ],
)
def test_crossing_by_hand(gap: list[float], expected: float) -> None:
    crossing = last_crossing(SAMPLES, np.array(gap), 0.1)
    assert float(np.exp(crossing.log_samples)) == pytest.approx(expected, rel=1e-12)
    assert not crossing.ends_above
    assert not crossing.stays_below


def test_curves_that_do_not_cross_end_on_the_grid() -> None:
    gap = np.array([[0.2, 0.05, 0.05, 0.2], [0.1, 0.05, 0.02, 0.01]])
    crossing = last_crossing(SAMPLES, gap, 0.1)
    assert np.exp(crossing.log_samples) == pytest.approx([10000.0, 10.0])
    assert crossing.ends_above.tolist() == [True, False]
    assert crossing.stays_below.tolist() == [False, True]


@pytest.mark.parametrize("last", [0.01, 1e-9, 0.0, -0.3])
def test_gaps_below_a_tenth_of_the_target_count_as_a_tenth(last: float) -> None:
    crossing = last_crossing(SAMPLES, np.array([0.4, 0.2, 0.2, last]), 0.1)
    share = math.log(0.2 / 0.1) / math.log(0.2 / 0.01)
    assert float(np.exp(crossing.log_samples)) == pytest.approx(10 ** (3 + share), rel=1e-12)


def _plain_loop(samples: np.ndarray, gap: np.ndarray, target: float) -> float:
    """Scan from the right for the first place above the target."""
    place = len(gap) - 1
    while place >= 0 and gap[place] <= target:
        place -= 1
    if place < 0:
        return float(samples[0])
    if place == len(gap) - 1:
        return float(samples[-1])
    after = max(gap[place + 1], target / 10)
    power = math.log(after / gap[place]) / math.log(samples[place + 1] / samples[place])
    return float(samples[place] * (target / gap[place]) ** (1.0 / power))


@given(st.lists(st.lists(st.floats(1e-3, 1.0), min_size=5, max_size=5), min_size=1, max_size=8))
def test_many_curves_at_once_agree_with_a_plain_loop(curves: list[list[float]]) -> None:
    samples = np.array([3.0, 5.0, 10.0, 20.0, 37.0])
    gap = np.array(curves)
    found = np.exp(last_crossing(samples, gap, 0.25).log_samples)
    assert found == pytest.approx([_plain_loop(samples, row, 0.25) for row in gap], rel=1e-9)
