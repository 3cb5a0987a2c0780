"""The generator in lanes against published outputs and a pure-Python counterpart."""

from functools import cache

import numpy as np
import pytest

from ccerates.compilation import kernel
from ccerates.lanes import store
from ccerates.xoshiro import draw_uniforms
from twins import Xoshiro

# Outputs of the authors' C code from the state (1, 2, 3, 4), as the Rust crate rand_xoshiro
# publishes them in its tests.
PUBLISHED = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]


@cache
def drawing(lanes):
    @kernel
    def fill(state, out):
        for row in range(out.shape[0]):
            store(out, (row,), draw_uniforms(state, lanes))

    return fill


def draw(state, count):
    """Return (count, lanes) uniforms; `state` (4, lanes) advances."""
    out = np.empty((count, state.shape[1]))
    drawing(state.shape[1])(state, out)
    return out


def test_counterpart_gives_the_published_outputs() -> None:
    generator = Xoshiro([1, 2, 3, 4])
    assert [generator.next() for _ in PUBLISHED] == PUBLISHED


def test_uniforms_are_the_upper_bits_of_the_published_outputs() -> None:
    uniforms = draw(np.array([[1], [2], [3], [4]], np.uint64), len(PUBLISHED))
    assert (uniforms[:, 0] * 2.0**53).tolist() == [output >> 11 for output in PUBLISHED]


@pytest.mark.parametrize("lanes", [1, 4, 8])
def test_every_lane_runs_its_own_generator(lanes) -> None:
    states = np.random.default_rng(0).integers(2**64, size=(4, 8), dtype=np.uint64)[:, :lanes]
    states[:, 0] = 2**64 - 1  # every addition carries, every rotation wraps
    advanced = states.copy()
    uniforms = draw(advanced, 1000)
    for lane in range(lanes):
        generator = Xoshiro(states[:, lane])
        assert uniforms[:, lane].tolist() == [generator.uniform() for _ in range(1000)]
        assert advanced[:, lane].tolist() == generator.words


def test_uniforms_are_multiples_of_the_unit_in_the_half_open_interval() -> None:
    uniforms = draw(np.random.default_rng(1).integers(2**64, size=(4, 4), dtype=np.uint64), 50_000)
    assert uniforms.min() >= 0.0
    assert uniforms.max() < 1.0
    scaled = uniforms * 2.0**53
    np.testing.assert_array_equal(scaled, np.floor(scaled))
    assert (scaled % 2 == 1).any()  # the last bit is in use
    deviation = 1.0 / np.sqrt(12 * uniforms.size)
    assert abs(uniforms.mean() - 0.5) < 5 * deviation
