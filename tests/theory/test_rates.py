"""The table of rates against the bounds as the papers state them."""

import math

import pytest

from ccerates.errors import InputError
from ccerates.theory.rates import AXES, RATES, SHARP_ALGORITHM, TOLERANCE

# setting, algorithm, exponents on (horizon, players, actions, action-sum, states, epsilon), by hand
PUBLISHED = [
    ("simulator", "q-ftrl", (4, 1, 1, 1, 1, -2)),
    ("simulator", "evb-sim", (4, 0, 1, 0, 1, -2)),
    ("online", "v-learning", (6, 0, 1, 0, 1, -2)),
    ("online", "cce-v-learning", (6, 0, 1, 0, 1, -2)),
    ("online", "stage-v-learning", (6, 0, 1, 0, 1, -2)),
    ("online", "evb-online", (5, 0, 1, 0, 1, -2)),
]


def test_every_rate_is_listed_here() -> None:
    assert {(setting, algorithm) for setting, algorithm, _ in PUBLISHED} == set(RATES)
    assert set(SHARP_ALGORITHM.items()) <= set(RATES)
    assert set(TOLERANCE) == set(AXES)


@pytest.mark.parametrize(("setting", "algorithm", "exponents"), PUBLISHED)
def test_exponents_are_those_published(
    setting: str, algorithm: str, exponents: tuple[int, ...]
) -> None:
    rate = RATES[setting, algorithm]
    assert tuple(rate.exponent(axis) for axis in AXES) == exponents


@pytest.mark.parametrize(
    ("setting", "algorithm", "axis", "band"),
    [
        ("simulator", "evb-sim", "horizon", (3.7, 4.3)),
        ("simulator", "evb-sim", "players", (-math.inf, 0.3)),
        ("simulator", "q-ftrl", "players", (-math.inf, 1.3)),
        ("simulator", "q-ftrl", "action-sum", (-math.inf, 1.3)),
        ("simulator", "q-ftrl", "epsilon", (-2.2, -1.8)),
        ("online", "evb-online", "horizon", (-math.inf, 5.3)),
        ("online", "v-learning", "epsilon", (-2.2, math.inf)),
    ],
)
def test_bands_are_open_where_no_lower_bound_matches(
    setting: str, algorithm: str, axis: str, band: tuple[float, float]
) -> None:
    assert RATES[setting, algorithm].band(axis) == pytest.approx(band)


def test_unknown_axis_is_refused() -> None:
    with pytest.raises(InputError, match="axis 'horizont'"):
        RATES["simulator", "evb-sim"].exponent("horizont")
