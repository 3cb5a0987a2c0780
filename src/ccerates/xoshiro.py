"""The xoshiro256++ generator in lanes, for compiled code.

Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). States come
from `ccerates.streams.kernel_states`; one generator runs in each lane.
"""

import numpy as np

from ccerates.compilation import inline_kernel
from ccerates.lanes import load, store, to_float

_11, _17, _19, _23, _41, _45 = (np.uint64(shift) for shift in (11, 17, 19, 23, 41, 45))
_UNIT = 2.0**-53


@inline_kernel
def draw_uniforms(state, lanes):
    """Advance every lane by one draw.

    Parameters
    ----------
    state
        (4, lanes) uint64, changed in place.
    lanes
        Number of lanes.

    Returns
    -------
    vector
        Multiples of 2**-53 in [0, 1).
    """
    s0 = load(state, (0,), lanes)
    s1 = load(state, (1,), lanes)
    s2 = load(state, (2,), lanes)
    s3 = load(state, (3,), lanes)
    total = s0 + s3
    result = ((total << _23) | (total >> _41)) + s0
    shifted = s1 << _17
    s2 = s2 ^ s0
    s3 = s3 ^ s1
    store(state, (1,), s1 ^ s2)
    store(state, (0,), s0 ^ s3)
    store(state, (2,), s2 ^ shifted)
    store(state, (3,), (s3 << _45) | (s3 >> _19))
    return to_float(result >> _11) * _UNIT
