"""The exponential function in lanes against the C library's."""

import math

import numpy as np
import pytest

from ccerates.compilation import kernel
from ccerates.lanes import load, store

LANES = 4


@kernel
def exponentials(arguments, results):
    for row in range(arguments.shape[0]):
        store(results, (row,), math.exp(load(arguments, (row,), LANES)))


@pytest.mark.parametrize("largest", [1e-8, 0.5, 42.0, 708.0])
def test_within_two_units_in_the_last_place(largest):
    arguments = np.random.default_rng(0).uniform(-largest, largest, size=(2000, LANES))
    arguments[0] = (-largest, largest, 0.0, -0.0)
    results = np.empty_like(arguments)
    exponentials(arguments, results)
    for argument, result in zip(arguments.flat, results.flat, strict=True):
        exact = math.exp(argument)
        assert abs(result - exact) <= 2.0 * math.ulp(exact)
    assert results[0, 2] == results[0, 3] == 1.0
