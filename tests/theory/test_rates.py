"""The table of rates against the bounds as the papers state them."""

import math

import pytest

from ccerates.errors import InputError
from ccerates.theory.rates import AXES, RATES, SHARP_ALGORITHM, TOLERANCE, sample_bound

# setting, algorithm, exponents of (horizon, players, actions, states, epsilon), written by hand
PUBLISHED = [
    ("simulator", "q-ftrl", (4, 1, 1, 1, -2)),
    ("simulator", "evb-sim", (4, 0, 1, 1, -2)),
    ("online", "v-learning", (6, 0, 1, 1, -2)),
    ("online", "cce-v-learning", (6, 0, 1, 1, -2)),
    ("online", "stage-v-learning", (6, 0, 1, 1, -2)),
    ("online", "evb-online", (5, 0, 1, 1, -2)),
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


@pytest.mark.parametrize(("setting", "algorithm", "exponents"), PUBLISHED)
def test_exponents_are_the_slopes_of_the_bound(
    setting: str, algorithm: str, exponents: tuple[int, ...]
) -> None:
    def bound(horizon=8, players=2, actions=3, states=5, epsilon=0.5) -> float:
        return sample_bound(
            setting,
            algorithm,
            horizon=horizon,
            num_states=states,
            num_actions=[actions] * players,
            epsilon=epsilon,
        )

    doubled = (
        bound(horizon=16), bound(players=4), bound(actions=6), bound(states=10), bound(epsilon=1.0)
    )  # fmt: skip
    slopes = [math.log2(value / bound()) for value in doubled]
    assert slopes == pytest.approx(exponents, abs=1e-12)


def test_formulas_read_as_in_the_papers() -> None:
    assert RATES["simulator", "q-ftrl"].formula == "H^4 S sum_i A_i / epsilon^2"
    assert RATES["online", "evb-online"].formula == "H^5 S max_i A_i / epsilon^2"


@pytest.mark.parametrize(
    ("setting", "algorithm", "axis", "band"),
    [
        ("simulator", "evb-sim", "horizon", (3.7, 4.3)),
        ("simulator", "evb-sim", "players", (-math.inf, 0.3)),
        ("simulator", "q-ftrl", "players", (-math.inf, 1.3)),
        ("simulator", "q-ftrl", "epsilon", (-2.2, -1.8)),
        ("online", "evb-online", "horizon", (-math.inf, 5.3)),
        ("online", "v-learning", "epsilon", (-2.2, math.inf)),
    ],
)
def test_bands_are_open_where_no_lower_bound_matches(
    setting: str, algorithm: str, axis: str, band: tuple[float, float]
) -> None:
    assert RATES[setting, algorithm].band(axis) == pytest.approx(band)


def test_ragged_actions_count_by_sum_or_by_maximum() -> None:
    sizes = {"horizon": 2, "num_states": 1, "num_actions": [16, 2], "epsilon": 1.0}
    assert sample_bound("simulator", "q-ftrl", **sizes) == 16 * 18
    assert sample_bound("simulator", "evb-sim", **sizes) == 16 * 16


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"algorithm": "evb-simm"}, "no rate known"),
        ({"horizon": 0}, "below 1"),
        ({"num_actions": []}, "below 1"),
        ({"epsilon": 0.0}, "not positive"),
        ({"epsilon": math.nan}, "not positive"),
    ],
)
def test_bad_sizes_are_refused(change: dict, message: str) -> None:
    arguments = {
        "setting": "simulator", "algorithm": "evb-sim", "horizon": 2, "num_states": 1,
        "num_actions": [2], "epsilon": 1.0,
    } | change  # fmt: skip
    with pytest.raises(InputError, match=message):
        sample_bound(**arguments)


def test_unknown_axis_is_refused() -> None:
    with pytest.raises(InputError, match="axis 'horizont'"):
        RATES["simulator", "evb-sim"].exponent("horizont")
