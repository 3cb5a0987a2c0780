"""How visits to a (step, state) are weighted: step sizes and stages, for learners and evaluators.

Two schemes decide what the t-th visit counts for in a value, and which earlier visit a certified
policy jumps to:

- ``"alpha"``: step sizes a_t = (H + 1) / (H + t) (Jin et al., "Is Q-learning provably
  efficient?", 2018); the value after t visits is the mean of the targets with weights
  a_i (1 - a_{i+1}) ... (1 - a_t).
- ``"stage"``: stages of growing length (Mao et al., "On improving model-free algorithms for
  decentralized multi-agent reinforcement learning", 2022); the value is the plain mean of the
  targets of the last completed stage. The first stage has H visits, one of L visits is followed by
  one of L + floor(L / H).
"""

import numpy as np

from ccerates.compilation import inline_kernel


@inline_kernel
def step_size(horizon, visit):
    """Return (H + 1) / (H + t).

    Parameters
    ----------
    horizon
        H, a number.
    visit
        t, the number of the visit, from 1; a number or, in lanes, a vector of floats.
    """
    return (horizon + 1.0) / (visit + 1.0 * horizon)


def stage_lengths(horizon: int, visits: int) -> np.ndarray:
    """Return the lengths of the stages that hold a number of visits.

    Integers throughout: floor((1 + 1/H) L) in floating point stays at L = H for some H.

    Parameters
    ----------
    horizon
        H, at least 1.
    visits
        At least 1.

    Returns
    -------
    numpy.ndarray
        int64, from the first stage on; the sum is at least `visits`, without the last less.
    """
    lengths = [horizon]
    total = horizon
    while total < visits:
        lengths.append(lengths[-1] + lengths[-1] // horizon)
        total += lengths[-1]
    return np.array(lengths, dtype=np.int64)
