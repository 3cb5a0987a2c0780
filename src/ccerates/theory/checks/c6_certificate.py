"""C6: the sample-only certificate of a run against the CCE gap of what it learnt."""

import numpy as np

from ccerates.online.result import OnlineResult
from ccerates.simulator.result import LearningResult
from ccerates.theory.checks.record import (
    CONFIDENCE,
    INFORMATIVE,
    PLANTED,
    Check,
    CheckResult,
)

CERTIFICATE = Check(
    "C6 certificate",
    "With probability 1 - delta the CCE gap of what was learnt, with a simulator exact and online "
    "bounded from above, is <= the certificate that the learner computes from its samples.",
)
ANY_LEARNER = Check(
    "C6 any-learner certificate",
    "With probability 1 - delta the CCE gap of the certified policy, bounded from above, is <= the "
    "certificate that is computed from the visits of a learner without value bounds of its own.",
)
CHECKS = (CERTIFICATE, ANY_LEARNER)

PLANTED_FACTOR = 20.0
"""A certificate divided by it is planted as one that is too small: the test must notice."""


def check_certificate(
    result: LearningResult | OnlineResult, gap: float, name: str, *, plant: bool
) -> list[CheckResult]:
    """Compare a certificate with the gap.

    Online the left side is itself an upper bound on the gap, from the model: the check asks for
    more than that the certificate is valid. The proofs promise that as well.

    Parameters
    ----------
    result
        The run.
    gap
        Its CCE gap from the start distribution: exact for a Markov policy, an upper bound for a
        certified one.
    name
        Name of the run.
    plant
        Whether to add a row in which the certificate is `PLANTED_FACTOR` times too small. For
        rigorous constants only: the certificates of other learners may be larger than the gap by
        more than that, and then the twentieth part of one still holds.

    Returns
    -------
    list of CheckResult
        Empty if there is no certificate.
    """
    certificate, horizon = result.certificate, float(len(result.upper_value))
    if np.isnan(certificate):
        return []
    own = not np.isnan(result.lower_value).all()
    check = CERTIFICATE if own else ANY_LEARNER
    # A trivial certificate cannot fail: counted, it would dilute the frequency.
    promises = result.certified and certificate < horizon
    kind = CONFIDENCE if promises else INFORMATIVE
    sides = [(kind, certificate)]
    if plant and promises and result.constants == "rigorous":
        sides.append((PLANTED, certificate / PLANTED_FACTOR))
    return [
        row
        for kind, bound in sides
        for row in check.results(
            kind, result.algorithm, [name], np.array([gap]), np.array([bound]), horizon
        )
    ]
