"""The xoshiro256++ generator in lanes, for compiled code.

Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). States come
from `ccerates.streams.kernel_states`; one generator runs in each lane.
"""

import numpy as np

from ccerates.compilation import inline_kernel

_SHIFT_11 = np.uint64(11)
_SHIFT_17 = np.uint64(17)
_SHIFT_23 = np.uint64(23)
_SHIFT_41 = np.uint64(41)
_SHIFT_45 = np.uint64(45)
_SHIFT_19 = np.uint64(19)
_UNIT = 2.0**-53


@inline_kernel
def fill_uniforms(state, lanes, uniforms):
    """Advance every lane by one draw.

    Parameters
    ----------
    state
        (4, lanes) uint64, changed in place.
    lanes
        Number of lanes.
    uniforms
        (lanes,) float64, overwritten with multiples of 2**-53 in [0, 1).
    """
    for lane in range(lanes):
        s0 = state[0, lane]
        s1 = state[1, lane]
        s2 = state[2, lane]
        s3 = state[3, lane]
        total = s0 + s3
        result = ((total << _SHIFT_23) | (total >> _SHIFT_41)) + s0
        shifted = s1 << _SHIFT_17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << _SHIFT_45) | (s3 >> _SHIFT_19)
        state[0, lane] = s0
        state[1, lane] = s1
        state[2, lane] = s2
        state[3, lane] = s3
        uniforms[lane] = np.float64(np.int64(result >> _SHIFT_11)) * _UNIT
