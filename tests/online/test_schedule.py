"""Step sizes and stages against numbers written out by hand."""

import numpy as np
import pytest

from ccerates.online.schedule import stage_lengths, step_size


@pytest.mark.parametrize(
    ("horizon", "sizes"),
    [
        (1, [1.0, 2 / 3, 2 / 4, 2 / 5]),
        (2, [1.0, 3 / 4, 3 / 5, 3 / 6]),
        (12, [1.0, 13 / 14, 13 / 15, 13 / 16]),
    ],
)
def test_step_sizes(horizon, sizes) -> None:
    assert [step_size.py_func(horizon, visit) for visit in (1, 2, 3, 4)] == sizes
    assert [step_size(horizon, float(visit)) for visit in (1, 2, 3, 4)] == sizes


@pytest.mark.parametrize(
    ("horizon", "visits", "lengths"),
    [
        (1, 1, [1]),
        (1, 2, [1, 2]),
        (1, 31, [1, 2, 4, 8, 16]),
        (1, 32, [1, 2, 4, 8, 16, 32]),
        (3, 3, [3]),
        (3, 4, [3, 4]),
        # 3, +1, 4, +1, 5, +1, 6, +2, 8, +2, 10, +3, 13, +4, 17, +5, 22
        (3, 80, [3, 4, 5, 6, 8, 10, 13, 17, 22]),
        (4, 49, [4, 5, 6, 7, 8, 10, 12]),
    ],
)
def test_stage_lengths(horizon, visits, lengths) -> None:
    result = stage_lengths(horizon, visits)
    assert result.tolist() == lengths
    assert result.dtype == np.int64


@pytest.mark.parametrize("horizon", [47, 55, 58])
def test_stages_grow_where_floating_point_would_not(horizon) -> None:
    assert int((1 + 1 / horizon) * horizon) == horizon
    assert stage_lengths(horizon, 3 * horizon).tolist() == [horizon, horizon + 1, horizon + 2]


@pytest.mark.parametrize("horizon", [1, 2, 7, 12])
def test_stages_just_hold_the_visits_and_grow_by_one_part_in_horizon(horizon) -> None:
    for visits in (1, 10, 1000, 10**6):
        lengths = stage_lengths(horizon, visits)
        assert lengths[:-1].sum() < visits <= lengths.sum()
        growth = lengths[1:] / lengths[:-1]
        assert (growth <= 1 + 1 / horizon).all()
        assert (growth > 1).all()
