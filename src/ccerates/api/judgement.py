"""Is what a learner stored an eps-CCE? The answer that its certificate gives."""

import math
from typing import Literal, NamedTuple

from ccerates.api.evaluation import Certificate
from ccerates.certification.answer import Answer
from ccerates.checks import check_between

_LARGEST_SHARE = 0.5  # of the horizon; certificates above it are clipped too often to extrapolate


class Judgement(NamedTuple):
    """The answer for one run.

    Attributes
    ----------
    answer
        ``"yes"``, ``"no"`` or ``"not yet"``.
    basis
        Where it comes from: ``"model"``, the exact gap, or ``"samples"``, the certificate.
    rounds
        If the answer is ``"not yet"``: how many rounds (online: episodes) of the same learner
        probably certify epsilon, if its gap gets that small. None if that cannot be told.
    """

    answer: Answer
    basis: Literal["model", "samples"]
    rounds: int | None


def judge(certificate: Certificate, epsilon: float, horizon: int) -> Judgement:
    """Return whether a run learnt an epsilon-CCE, as far as its certificate tells.

    A certificate is of the form a / sqrt(K) + b / K in the rounds K, up to logarithms, so that with
    K' > K rounds it is at most sqrt(K / K') of what it is: K (certificate / epsilon)^2 rounds are
    enough. Logarithms grow, and the second term falls faster; in measurements the latter counts
    for more.

    Parameters
    ----------
    certificate
        Of the run; with an exact gap that decides.
    epsilon
        Largest CCE gap that is accepted, in (0, horizon).
    horizon
        H of the game.

    Raises
    ------
    InputError
        If epsilon is out of range.
    """
    check_between("epsilon", epsilon, 0.0, horizon)
    if certificate.gap is not None:
        return Judgement("yes" if certificate.gap <= epsilon else "no", "model", None)
    value = certificate.certificate
    if value is None or not certificate.certified:
        return Judgement("not yet", "samples", None)
    if value <= epsilon:
        return Judgement("yes", "samples", None)
    if value > _LARGEST_SHARE * horizon:
        return Judgement("not yet", "samples", None)
    return Judgement("not yet", "samples", math.ceil(certificate.rounds * (value / epsilon) ** 2))
