"""What samples answer about a policy: yes, no or not yet, and how they come to it."""

from typing import Literal, NamedTuple, TypeAlias

from ccerates.certification.deviations import Deviation
from ccerates.certification.forecast import Forecast

Answer: TypeAlias = Literal["yes", "no", "not yet"]


class PlayerBound(NamedTuple):
    """What one player can gain by deviating.

    Attributes
    ----------
    upper, lower
        Bounds on its gap, from -horizon to horizon.
    estimate
        Estimate of it, without a promise.
    largest
        The place that adds most to the estimate; None if nothing gains.
    """

    upper: float
    lower: float
    estimate: float
    largest: Deviation | None


class PolicyCertificate(NamedTuple):
    """Bounds on the CCE gap of a policy, and the answer that follows.

    Attributes
    ----------
    answer
        ``"yes"``: it is an epsilon-CCE; ``"no"``: it is none; ``"not yet"``: the samples do not
        tell. With probability `confidence`, ``"yes"`` and ``"no"`` are right.
    epsilon
        Largest gap that is accepted.
    confidence
        1 - failure: the probability with which all bounds hold.
    upper, lower
        Bounds on the CCE gap, the largest of the players'.
    from_start
        Whether gaps are averages over the start; if not, they are from the worst state.
    players
        Bounds on the gap of each player.
    rounds
        Rounds at each step and state that was reached: see `draws.Draws`.
    samples
        Number of samples that were drawn.
    seconds
        How long it took.
    forecast
        If the answer is ``"not yet"`` with all samples used up: how many are probably enough.
    """

    answer: Answer
    epsilon: float
    confidence: float
    upper: float
    lower: float
    from_start: bool
    players: tuple[PlayerBound, ...]
    rounds: int
    samples: int
    seconds: float
    forecast: Forecast | None
