"""Published and claimed rates: how many samples reach a CCE gap of epsilon.

A rate is the bound without its constant and without its logarithmic factors,

    H^h S (sum_i A_i  or  max_i A_i) / epsilon^2,

in SAMPLES: calls of the simulator, or H for each episode played online. Every algorithm here has
an upper bound. In the simulator setting Li, Chi, Wei and Chen (2022, arXiv 2208.10458) also
prove that no algorithm does with fewer than H^4 S max_i A_i / epsilon^2, so there the exponents
of H, S, A and epsilon are known from both sides. How samples depend on the number of players at
fixed max_i A_i is bounded from above only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ccerates.errors import InputError

AXES = ("horizon", "players", "actions", "states", "epsilon")
"""What a sweep varies, one at a time; `actions` is the common number of actions of all players."""

TOLERANCE = {"horizon": 0.3, "players": 0.3, "actions": 0.3, "states": 0.15, "epsilon": 0.2}
"""How far a measured exponent may lie from the theory's on each axis and still agree with it.

Rates hide logarithmic factors, and a factor ln(x) alone adds 1/ln(x) to the slope at x.
"""

SHARP_ALGORITHM = {"simulator": "evb-sim", "online": "evb-online"}
"""The algorithm whose rate this project is about, for each setting; others are baselines."""

_NO_AXES: frozenset[str] = frozenset()
_LOWER_BOUND_MATCHES = frozenset({"horizon", "actions", "states", "epsilon"})


@dataclass(frozen=True)
class Rate:
    """The bound of one algorithm.

    Attributes
    ----------
    horizon
        Exponent of H.
    width
        ``"sum"`` if the bound holds sum_i A_i, ``"max"`` if it holds max_i A_i.
    source
        Where the bound is proved.
    two_sided
        Axes on which a lower bound shows that no smaller exponent is possible.
    """

    horizon: int
    width: str
    source: str
    two_sided: frozenset[str] = _NO_AXES

    @property
    def formula(self) -> str:
        """The rate as text that is also Typst mathematics."""
        return f"H^{self.horizon} S {self.width}_i A_i / epsilon^2"

    def exponent(self, axis: str) -> float:
        """Return the exponent of the bound in the quantity that `axis` varies.

        Parameters
        ----------
        axis
            One of `AXES`.

        Returns
        -------
        float
            Slope of ln(samples) against ln(quantity), all else fixed.
        """
        exponents = {
            "horizon": self.horizon,
            "players": 1 if self.width == "sum" else 0,
            "actions": 1,
            "states": 1,
            "epsilon": -2,
        }
        if axis not in exponents:
            raise InputError(f"axis {axis!r}: unknown; write one of {', '.join(AXES)}")
        return float(exponents[axis])

    def band(self, axis: str) -> tuple[float, float]:
        """Return the exponents that agree with the bound, tolerance included.

        Parameters
        ----------
        axis
            One of `AXES`.

        Returns
        -------
        low, high : float
            Infinite on the side that the theory leaves open: below, because an upper bound allows
            fewer samples; for epsilon above, because samples grow as epsilon falls.
        """
        exponent, tolerance = self.exponent(axis), TOLERANCE[axis]
        low, high = exponent - tolerance, exponent + tolerance
        if axis in self.two_sided:
            return low, high
        return (low, math.inf) if axis == "epsilon" else (-math.inf, high)


RATES: dict[tuple[str, str], Rate] = {
    ("simulator", "q-ftrl"): Rate(
        4, "sum", "Li, Chi, Wei and Chen 2022, arXiv 2208.10458", _LOWER_BOUND_MATCHES
    ),
    ("simulator", "evb-sim"): Rate(
        4, "max", "this work, simulator algorithm", _LOWER_BOUND_MATCHES
    ),
    ("online", "v-learning"): Rate(6, "max", "Jin, Liu, Wang and Yu 2021, arXiv 2110.14555"),
    ("online", "cce-v-learning"): Rate(6, "max", "Song, Mei and Bai 2021, arXiv 2110.04184"),
    ("online", "stage-v-learning"): Rate(
        6, "max", "Mao, Yang, Zhang and Basar 2022, arXiv 2110.05707"
    ),
    ("online", "evb-online"): Rate(5, "max", "this work, online algorithm"),
}
"""Bound of each (setting, algorithm)."""


def sample_bound(
    setting: str,
    algorithm: str,
    *,
    horizon: int,
    num_states: int,
    num_actions: Sequence[int],
    epsilon: float,
) -> float:
    """Return the rate of an algorithm at one size, without constant and logarithms.

    Only ratios of two values mean something.

    Parameters
    ----------
    setting
        ``"simulator"`` or ``"online"``.
    algorithm
        Name of the algorithm.
    horizon, num_states
        H and S, at least 1.
    num_actions
        A_i of each player, at least 1.
    epsilon
        CCE gap to reach, above 0.

    Returns
    -------
    float
        Samples, up to a factor.

    Raises
    ------
    InputError
        If the algorithm has no rate here or a size is out of range.

    Examples
    --------
    >>> sample_bound("simulator", "q-ftrl", horizon=2, num_states=3, num_actions=[4, 5], epsilon=1)
    432.0
    """
    if (setting, algorithm) not in RATES:
        known = ", ".join(f"{name} ({place})" for place, name in RATES)
        raise InputError(
            f"algorithm {algorithm!r} in setting {setting!r}: no rate known; write one of {known}"
        )
    if not num_actions or min(horizon, num_states, *num_actions) < 1:
        raise InputError("sample bound: a size is below 1; write sizes of at least 1")
    if not epsilon > 0:
        raise InputError(f"epsilon {epsilon}: not positive; write a gap above 0")
    rate = RATES[setting, algorithm]
    width = sum(num_actions) if rate.width == "sum" else max(num_actions)
    return float(horizon) ** rate.horizon * num_states * width / epsilon**2
