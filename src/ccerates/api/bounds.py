"""Known bounds on the number of samples, and what they come to for given sizes."""

from collections.abc import Sequence
from typing import NamedTuple

from ccerates.api.algorithms import ALGORITHMS
from ccerates.checks import check_choice, check_integer, check_number
from ccerates.errors import InputError
from ccerates.theory.rates import RATES, Rate

_LI = "Li, Chi, Wei and Chen 2022, arXiv 2208.10458"
SOURCES = {
    ("simulator", "q-ftrl"): _LI,
    ("simulator", "evb-sim"): "the paper of this repository",
    ("online", "v-learning"): "Jin, Liu, Wang and Yu 2021, arXiv 2110.14555",
    ("online", "cce-v-learning"): "Song, Mei and Bai 2021, arXiv 2110.04184",
    ("online", "stage-v-learning"): "Mao, Yang, Zhang and Basar 2022, arXiv 2110.05707",
    ("online", "evb-online"): "the paper of this repository",
}
LOWER_BOUND = Rate(4, "max")  # simulator setting: Li et al., theorem 4
_LARGEST = 10**9  # keeps every product far from overflow


class Bound(NamedTuple):
    """A bound without its constant and its logarithmic factors.

    Attributes
    ----------
    setting
        ``"simulator"`` or ``"online"``.
    algorithm
        Whose samples it bounds; ``"any"`` for a lower bound.
    kind
        ``"upper"`` or ``"lower"``.
    formula
        For example ``"H^4 S max_i A_i / eps^2"``.
    source
        Where it is proved, or that it is not.
    available
        Whether `learn` runs the algorithm.
    samples
        The formula's value for the given sizes; None without them.
    """

    setting: str
    algorithm: str
    kind: str
    formula: str
    source: str
    available: bool
    samples: float | None


def rates(
    setting: str | None = None,
    *,
    horizon: int | None = None,
    states: int | None = None,
    actions: Sequence[int] | None = None,
    epsilon: float | None = None,
) -> list[Bound]:
    """Return the known bounds, evaluated if sizes are given.

    Parameters
    ----------
    setting
        ``"simulator"`` or ``"online"``; None for both.
    horizon, states
        H and S, each in 1..10^9.
    actions
        A_i for each player.
    epsilon
        CCE gap to reach, in [1e-9, horizon].

    Returns
    -------
    list of Bound

    Raises
    ------
    InputError
        If only some of the sizes are given or one is out of range.
    """
    settings = tuple(dict.fromkeys(each for each, _ in RATES))
    if setting is not None:
        check_choice("setting", setting, settings)
    sizes = {"horizon": horizon, "states": states, "actions": actions, "epsilon": epsilon}
    missing = [name for name, value in sizes.items() if value is None]
    if 0 < len(missing) < len(sizes):
        raise InputError(f"{', '.join(missing)}: missing; give all of {', '.join(sizes)}, or none")

    def samples(rate: Rate) -> float | None:
        if horizon is None or states is None or actions is None or epsilon is None:
            return None
        return _evaluate(rate, horizon, states, actions, epsilon)

    bounds = [
        Bound(
            each,
            algorithm,
            "upper",
            _formula(rate),
            SOURCES[each, algorithm],
            algorithm in ALGORITHMS,
            samples(rate),
        )
        for (each, algorithm), rate in RATES.items()
    ]
    lower = ("simulator", "any", "lower", _formula(LOWER_BOUND), f"{_LI}, theorem 4", False)
    bounds.append(Bound(*lower, samples(LOWER_BOUND)))
    bounds.sort(key=lambda bound: settings.index(bound.setting))
    return [bound for bound in bounds if setting in (None, bound.setting)]


def _formula(rate: Rate) -> str:
    return f"H^{rate.horizon} S {rate.width}_i A_i / eps^2"


def _evaluate(
    rate: Rate, horizon: int, states: int, actions: Sequence[int], epsilon: float
) -> float:
    check_integer("horizon", horizon, 1, _LARGEST)
    check_integer("states", states, 1, _LARGEST)
    if not actions:
        raise InputError("actions: give the number of actions of each player, at least of one")
    for player, count in enumerate(actions):
        check_integer(f"actions[{player}]", count, 1, _LARGEST)
    check_number("epsilon", epsilon, 1e-9, horizon)
    width = sum(actions) if rate.width == "sum" else max(actions)
    return float(horizon) ** rate.horizon * states * width / epsilon**2
