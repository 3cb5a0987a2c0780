"""Every operation on lanes against NumPy's on arrays, bit by bit."""

import math
import operator
from functools import cache

import numpy as np
import pytest
from numba.core.errors import TypingError

from ccerates.compilation import kernel
from ccerates.lanes import (
    any_lane,
    broadcast,
    gather,
    load,
    scatter,
    select,
    store,
    to_float,
    to_integer,
)

LANES = (1, 4, 8)
SPECIAL = [0.0, -0.0, 1.0, -1.5, math.inf, -math.inf, math.nan, 5e-324, 1e308, 2.0**53 + 2, 0.1]


def pairs(values):
    """Return two arrays (rows, 8) that pair every value with every other."""
    left, right = (grid.ravel() for grid in np.meshgrid(values, values))
    padding = -len(left) % 8
    return tuple(np.pad(side, (0, padding), mode="edge").reshape(-1, 8) for side in (left, right))


def assert_same_bits(actual, expected) -> None:
    """Equal values, NaN where NaN is expected, and the same sign of zeros."""
    np.testing.assert_array_equal(actual, expected)
    if actual.dtype == np.float64:
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(actual[known]), np.signbit(expected[known]))


@cache
def arithmetic(lanes):
    @kernel
    def apply(left, right, scalar, out):
        for row in range(left.shape[0]):
            a, b = load(left, (row,), lanes), load(right, (row,), lanes)
            store(out, (0, row), a + b)
            store(out, (1, row), a - b)
            store(out, (2, row), a * b)
            store(out, (3, row), a / b)
            store(out, (4, row), a + scalar)
            store(out, (5, row), scalar - a)
            store(out, (6, row), a * scalar)
            store(out, (7, row), scalar / a)
            store(out, (8, row), a / scalar)
            store(out, (9, row), math.sqrt(a))
            store(out, (10, row), abs(a))
            store(out, (11, row), 2 * a + 1)
            store(out, (12, row), a - b * scalar)

    return apply


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("scalar", [0.1, -3.0, 0.0])
def test_float_arithmetic_is_that_of_ieee(lanes, scalar) -> None:
    random = np.random.default_rng(0).normal(size=30) * 10.0 ** np.arange(-15, 15)
    left, right = (side[:, :lanes].copy() for side in pairs([*SPECIAL, *random]))
    out = np.empty((13, *left.shape))
    arithmetic(lanes)(left, right, scalar, out)
    with np.errstate(all="ignore"):
        expected = [
            left + right,
            left - right,
            left * right,
            left / right,
            left + scalar,
            scalar - left,
            left * scalar,
            scalar / left,
            left / scalar,
            np.sqrt(left),
            np.abs(left),
            2 * left + 1,
            left - right * scalar,  # rounded twice: no fused multiply-add
        ]
    for actual, wanted in zip(out, expected, strict=True):
        assert_same_bits(actual, wanted)


@cache
def comparisons(lanes):
    @kernel
    def apply(left, right, scalar, out):
        for row in range(left.shape[0]):
            a, b = load(left, (row,), lanes), load(right, (row,), lanes)
            store(out, (0, row), to_integer(a < b))
            store(out, (1, row), to_integer(a > b))
            store(out, (2, row), to_integer(a >= b))
            store(out, (3, row), to_integer(a == b))
            store(out, (4, row), to_integer(a < scalar))
            store(out, (5, row), to_integer(scalar > a))
            store(out, (6, row), to_integer(a >= scalar))
            store(out, (7, row), to_integer(scalar == a))
            store(out, (8, row), to_integer((a < b) | (a == scalar)))
            store(out, (9, row), to_integer((a < b) ^ (a < scalar)))

    return apply


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize(
    ("values", "scalar"),
    [(SPECIAL, 0.1), (SPECIAL, math.nan), ([-(2**63), -7, -1, 0, 1, 7, 2**63 - 1], 1)],
    ids=["floats", "floats and NaN", "integers"],
)
def test_comparisons_hold_where_those_of_numpy_do(lanes, values, scalar) -> None:
    left, right = (side[:, :lanes].copy() for side in pairs(values))
    out = np.empty((10, *left.shape), np.int64)
    comparisons(lanes)(left, right, scalar, out)
    expected = [
        left < right,
        left > right,
        left >= right,
        left == right,
        left < scalar,
        scalar > left,
        left >= scalar,
        scalar == left,
        (left < right) | (left == scalar),
        (left < right) ^ (left < scalar),
    ]
    np.testing.assert_array_equal(out, expected)


@cache
def integers(lanes):
    @kernel
    def apply(left, right, shift, out):
        for row in range(left.shape[0]):
            a, b = load(left, (row,), lanes), load(right, (row,), lanes)
            store(out, (0, row), a + b)
            store(out, (1, row), a - b)
            store(out, (2, row), a * b)
            store(out, (3, row), a ^ b)
            store(out, (4, row), a | b)
            store(out, (5, row), a << shift)
            store(out, (6, row), a * shift + shift)

    return apply


@cache
def shift_right(lanes):
    @kernel
    def apply(values, shift, out):
        for row in range(values.shape[0]):
            store(out, (row,), load(values, (row,), lanes) >> shift)

    return apply


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_integers_wrap_round_as_in_numpy(lanes, dtype) -> None:
    limits = np.iinfo(dtype)
    values = np.array([limits.min, limits.max, limits.max // 3, 0, 1, 12345], dtype)
    left, right = (side[:, :lanes].copy() for side in pairs(values))
    shift = dtype(45)
    out = np.empty((7, *left.shape), dtype)
    integers(lanes)(left, right, shift, out)
    with np.errstate(over="ignore"):
        expected = [
            left + right,
            left - right,
            left * right,
            left ^ right,
            left | right,
            left << shift,
            left * shift + shift,
        ]
    np.testing.assert_array_equal(out, np.array(expected))


@pytest.mark.parametrize("lanes", LANES)
def test_unsigned_integers_shift_to_the_right(lanes) -> None:
    values = np.array([[2**64 - 1, 2**63, 1, 0, 12345, 2**40, 7, 3]], np.uint64)[:, :lanes].copy()
    for shift in (0, 1, 11, 63):
        out = np.empty_like(values)
        shift_right(lanes)(values, np.uint64(shift), out)
        np.testing.assert_array_equal(out, values >> np.uint64(shift))


@cache
def selections(lanes):
    @kernel
    def apply(left, right, scalar, out, any_out):
        for row in range(left.shape[0]):
            a, b = load(left, (row,), lanes), load(right, (row,), lanes)
            store(out, (0, row), select(a > b, a, b))
            store(out, (1, row), select(a > b, scalar, b))
            store(out, (2, row), select(a > b, a, scalar))
            any_out[row] = any_lane(a > b)

    return apply


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_masks_choose_and_are_summed_up(lanes, dtype) -> None:
    left, right = (side[:, :lanes].copy() for side in pairs(np.arange(5).astype(dtype)))
    out = np.empty((3, *left.shape), dtype)
    any_out = np.empty(len(left), bool)
    selections(lanes)(left, right, dtype(9), out, any_out)
    mask = left > right
    expected = [np.where(mask, left, right), np.where(mask, 9, right), np.where(mask, left, 9)]
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(any_out, mask.any(axis=1))
    assert any_out.any()
    assert not any_out.all()


@cache
def moves(lanes):
    @kernel
    def apply(cube, chosen, out, counts):
        for row in range(cube.shape[0]):
            places = load(chosen, (row,), lanes)
            vector = gather(cube, (row,), places)
            store(out, (row,), vector)
            scatter(cube, (row,), places, vector * 2.0)
            store(counts, (row,), to_float(places + broadcast(3, lanes)) + broadcast(0.5, lanes))

    return apply


@pytest.mark.parametrize("lanes", LANES)
def test_rows_are_gathered_and_scattered_lane_by_lane(lanes) -> None:
    generator = np.random.default_rng(0)
    cube = generator.random((6, 5, lanes))
    chosen = generator.integers(5, size=(6, lanes))
    expected_cube, out, counts = cube.copy(), np.empty((6, lanes)), np.empty((6, lanes))
    rows, lane = np.arange(6)[:, None], np.arange(lanes)
    expected = cube[rows, chosen, lane]
    expected_cube[rows, chosen, lane] *= 2.0
    moves(lanes)(cube, chosen, out, counts)
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(cube, expected_cube)
    np.testing.assert_array_equal(counts, chosen + 3.5)


@cache
def copies(lanes):
    @kernel
    def apply(source, target):
        for row in range(source.shape[0]):
            for column in range(source.shape[1]):
                store(target, (column, row), load(source, (row, column), lanes))

    return apply


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.uint64])
def test_rows_of_any_number_of_axes_are_loaded_and_stored(lanes, dtype) -> None:
    source = np.arange(2 * 3 * lanes, dtype=dtype).reshape(2, 3, lanes)
    target = np.full((4, 2, lanes), 77, dtype)
    copies(lanes)(source, target)
    np.testing.assert_array_equal(target[:3], source.swapaxes(0, 1))
    assert (target[3] == 77).all()


@pytest.mark.parametrize("magnitude", [0, 1, 2**53 - 1, 2**53 + 1, 2**62 + 1])
def test_integers_become_floats_as_in_numpy(magnitude) -> None:
    @kernel
    def convert(values, out):
        store(out, (0,), to_float(load(values, (0,), 4)))

    values = np.full((1, 4), magnitude, np.uint64)
    out = np.empty((1, 4))
    convert(values, out)
    np.testing.assert_array_equal(out, values.astype(float))


WRONG = {
    # What NumPy would do differently from the instruction at hand, or would not do at all.
    "quotient of integers": (operator.truediv, np.int64, np.int64),
    "integers and a fraction": (operator.mul, np.int64, float),
    "signed shift": (operator.rshift, np.int64, np.int64),
    "order of unsigned integers": (operator.lt, np.uint64, np.uint64),
    "bits of floats": (operator.xor, np.float64, np.float64),
}


@pytest.mark.parametrize("name", WRONG)
def test_operations_that_would_go_wrong_do_not_compile(name) -> None:
    operation, dtype, scalar = WRONG[name]

    @kernel
    def apply(values, scalar, out):
        store(out, (0,), operation(load(values, (0,), 4), scalar))

    values = np.ones((1, 4), dtype)
    with pytest.raises(TypingError):
        apply(values, scalar(1), values.copy())
