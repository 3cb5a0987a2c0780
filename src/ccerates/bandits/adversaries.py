"""Adversaries that bandits play against outside games, all of them ours.

Every gain has two values: in round k, arm a yields high with probability p and low otherwise,

    p = clip(probability + response (w_k(a) - 1/A), 0, 1),    mu_k(a) = low + (high - low) p,

where low, high and probability depend on the arm and change from one phase to the next, and w_k is
what the bandit is about to play. mu_k is therefore the exact conditional mean given the past. Only
the adaptive adversary has a response other than 0. Arm 0 differs from the others, which are alike.
Options are in units of the gain bound B, so that every gain lies in [0, B].
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np

from ccerates.checks import check_integer, check_number, did_you_mean
from ccerates.errors import InputError


class Law(NamedTuple):
    """Distribution of a gain in units of B: `high` with a probability, else `low`."""

    low: float
    high: float
    probability: float


class Phase(NamedTuple):
    """What arms yield from a fraction of the rounds on: arm 0, and each of the others."""

    begin: Fraction
    first: Law
    others: Law


def _around(mean: float, noise: float) -> Law:
    """Return the law of mean +- noise, each with probability 1/2."""
    return Law(mean - noise, mean + noise, 0.5)


def _coin(mean: float) -> Law:
    """Return the law of 0 and 1 with a mean."""
    return Law(0.0, 1.0, mean)


@dataclass(frozen=True)
class StochasticOptions:
    """Arm 0 yields (1 + gap)/2 +- noise, the others (1 - gap)/2 +- noise, in every round.

    The noise sets the variance of what a bandit plays once it has found arm 0.

    Attributes
    ----------
    gap
        Difference of the means, in [0, 1].
    noise
        Standard deviation, in [0, (1 - gap)/2].

    Raises
    ------
    InputError
        If a value is out of its range; so do the other adversaries.
    """

    gap: float = 0.2
    noise: float = 0.1

    def __post_init__(self) -> None:
        check_number("stochastic: gap", self.gap, 0.0, 1.0)
        check_number("stochastic: noise", self.noise, 0.0, (1.0 - self.gap) / 2)

    def phases(self) -> tuple[list[Phase], float]:
        """Return the phases and the response."""
        first, others = (1.0 + self.gap) / 2, (1.0 - self.gap) / 2
        return [Phase(Fraction(0), _around(first, self.noise), _around(others, self.noise))], 0.0


@dataclass(frozen=True)
class SwitchingOptions:
    """Arm 0 yields 0 for a third of the rounds, then 1; the others 1/2 +- noise throughout.

    Who has given up arm 0 by then sees gains of low variance and no sign that it misses anything.

    Attributes
    ----------
    noise
        Standard deviation of the other arms, in [0, 1/2].
    """

    noise: float = 0.01

    def __post_init__(self) -> None:
        check_number("switching: noise", self.noise, 0.0, 0.5)

    def phases(self) -> tuple[list[Phase], float]:
        """Return the phases and the response."""
        others = _around(0.5, self.noise)
        bad, best = _around(0.0, 0.0), _around(1.0, 0.0)
        return [Phase(Fraction(0), bad, others), Phase(Fraction(1, 3), best, others)], 0.0


@dataclass(frozen=True)
class LateOptimumOptions:
    """Arm 0 yields 0.3 +- noise in half of the rounds, then 0.9 +- noise; the others 0.5 +- noise.

    In hindsight it is the best arm, which shows in the last quarter of the rounds only.

    Attributes
    ----------
    noise
        Standard deviation, in [0, 0.1].
    """

    noise: float = 0.05

    def __post_init__(self) -> None:
        check_number("late-optimum: noise", self.noise, 0.0, 0.1)

    def phases(self) -> tuple[list[Phase], float]:
        """Return the phases and the response."""
        worse, others, better = (_around(mean, self.noise) for mean in (0.3, 0.5, 0.9))
        return [Phase(Fraction(0), worse, others), Phase(Fraction(1, 2), better, others)], 0.0


@dataclass(frozen=True)
class HighVarianceOptimumOptions:
    """Arm 0 yields 1 with probability 1/2 + gap, else 0; the others yield 1/2 +- noise.

    The best arm is the one that varies: a low variance of what is played is no merit here.

    Attributes
    ----------
    gap
        Lead of arm 0, in [0, 1/2].
    noise
        Standard deviation of the other arms, in [0, 1/2].
    """

    gap: float = 0.1
    noise: float = 0.01

    def __post_init__(self) -> None:
        check_number("high-variance-optimum: gap", self.gap, 0.0, 0.5)
        check_number("high-variance-optimum: noise", self.noise, 0.0, 0.5)

    def phases(self) -> tuple[list[Phase], float]:
        """Return the phases and the response."""
        return [Phase(Fraction(0), _coin(0.5 + self.gap), _around(0.5, self.noise))], 0.0


@dataclass(frozen=True)
class AdaptiveOptions:
    """Punishes what is about to be played: the more weight an arm has, the less it yields.

    Arm a yields 1 with probability clip(1/2 + gap 1{a = 0} - punishment (w_k(a) - 1/A), 0, 1),
    else 0.

    Attributes
    ----------
    gap
        Lead of arm 0, in [0, 1/2].
    punishment
        Probability lost for a weight of 1, at least 0.
    """

    gap: float = 0.2
    punishment: float = 1.0

    def __post_init__(self) -> None:
        check_number("adaptive: gap", self.gap, 0.0, 0.5)
        check_number("adaptive: punishment", self.punishment, 0.0)

    def phases(self) -> tuple[list[Phase], float]:
        """Return the phases and the response."""
        return [Phase(Fraction(0), _coin(0.5 + self.gap), _coin(0.5))], -self.punishment


class AdversaryOptions(Protocol):
    """What the options of every adversary offer."""

    def phases(self) -> tuple[list[Phase], float]:
        """Return the phases and the response."""
        ...


ADVERSARIES: dict[str, Callable[..., AdversaryOptions]] = {
    "stochastic": StochasticOptions,
    "switching": SwitchingOptions,
    "late-optimum": LateOptimumOptions,
    "high-variance-optimum": HighVarianceOptimumOptions,
    "adaptive": AdaptiveOptions,
}


class Schedule(NamedTuple):
    """Gains of all rounds and arms, as kernels read them.

    Attributes
    ----------
    start
        (phases + 1,) int64: first round of each phase, then the number of rounds.
    low, high
        (phases, actions): the two values of a gain, in [0, B].
    probability
        (phases, actions): probability of the higher one at uniform play.
    response
        Change of the probability with the arm's weight.
    """

    start: np.ndarray
    low: np.ndarray
    high: np.ndarray
    probability: np.ndarray
    response: float


def make_schedule(
    adversary: str, options: Any = None, *, num_actions: int, rounds: int, gain_bound: float
) -> Schedule:
    """Return the gains of an adversary.

    Parameters
    ----------
    adversary
        A key of `ADVERSARIES`.
    options
        Of the adversary's own type; None stands for the defaults.
    num_actions
        A.
    rounds
        K.
    gain_bound
        B.

    Returns
    -------
    Schedule

    Raises
    ------
    InputError
        If there is no such adversary, or the options are those of another.
    """
    if adversary not in ADVERSARIES:
        hint = did_you_mean(adversary, ADVERSARIES)
        raise InputError(f"unknown adversary {adversary!r}; {hint}")
    options_type = ADVERSARIES[adversary]
    options = options_type() if options is None else options
    if not isinstance(options, options_type):  # type: ignore[arg-type]
        raise InputError(f"{adversary}: options must be {options_type.__name__}, got {options!r}")
    check_integer(f"{adversary}: num_actions", num_actions, 1)
    phases, response = options.phases()
    laws = np.array([[phase.first] + [phase.others] * (num_actions - 1) for phase in phases])
    start = np.array([*(int(phase.begin * rounds) for phase in phases), rounds], np.int64)
    low, high = (np.ascontiguousarray(laws[:, :, item]) * gain_bound for item in (0, 1))
    return Schedule(start, low, high, np.ascontiguousarray(laws[:, :, 2]), response)
