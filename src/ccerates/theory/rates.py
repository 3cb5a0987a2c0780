"""Published and claimed rates: how many samples reach a CCE gap of epsilon.

A rate is the bound without its constant and without its logarithmic factors,

    H^h S (sum_i A_i  or  max_i A_i) / epsilon^2,

in SAMPLES: calls of the simulator, or H for each episode played online. Every algorithm here has
an upper bound. In the simulator setting Li, Chi, Wei and Chen (2022, arXiv 2208.10458) also
prove that no algorithm does with fewer than H^4 S max_i A_i / epsilon^2, so there the exponents
of H, S, A and epsilon are known from both sides. How samples depend on the number of players, or
on sum_i A_i, at fixed max_i A_i is bounded from above only.
"""

import math
from dataclasses import dataclass

from ccerates.errors import InputError

AXES = ("horizon", "players", "actions", "action-sum", "states", "epsilon")
"""What a sweep varies, one at a time.

`actions` is the common number of actions of all players; `action-sum` is sum_i A_i while max_i A_i
and the number of players stay what they are.
"""

TOLERANCE = {
    "horizon": 0.3,
    "players": 0.3,
    "actions": 0.3,
    "action-sum": 0.3,
    "states": 0.15,
    "epsilon": 0.2,
}
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
    two_sided
        Axes on which a lower bound shows that no smaller exponent is possible.
    """

    horizon: int
    width: str
    two_sided: frozenset[str] = _NO_AXES

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
            "action-sum": 1 if self.width == "sum" else 0,
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
    # Li, Chi, Wei and Chen 2022, arXiv 2208.10458
    ("simulator", "q-ftrl"): Rate(4, "sum", _LOWER_BOUND_MATCHES),
    ("simulator", "evb-sim"): Rate(4, "max", _LOWER_BOUND_MATCHES),  # ours
    # Jin, Liu, Wang and Yu 2021, arXiv 2110.14555
    ("online", "v-learning"): Rate(6, "max"),
    # Song, Mei and Bai 2021, arXiv 2110.04184
    ("online", "cce-v-learning"): Rate(6, "max"),
    # Mao, Yang, Zhang and Basar 2022, arXiv 2110.05707
    ("online", "stage-v-learning"): Rate(6, "max"),
    ("online", "evb-online"): Rate(5, "max"),  # ours
}
"""Bound of each (setting, algorithm)."""
