"""What the samples alone say about the CCE gap."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ccerates.api.gaps import check_game
from ccerates.evaluation.markov import cce_gap
from ccerates.games.model import MarkovGame
from ccerates.simulator.result import LearningResult


class Certificate(NamedTuple):
    """The sample-only bound of one run.

    Attributes
    ----------
    certificate
        In [0, horizon]: bound on the CCE gap if `certified`, else an estimate; None if the
        learner gives none.
    certified
        Whether the bound holds with probability `confidence`.
    confidence
        1 - delta; None if not certified.
    trivial
        Whether the certificate says no more than that a gap is at most the horizon.
    rounds, samples
        What the run has used.
    gap, slack
        Exact CCE gap, and certificate less gap; None without a game.
    """

    certificate: float | None
    certified: bool
    confidence: float | None
    trivial: bool
    rounds: int
    samples: int
    gap: float | None
    slack: float | None


def certify(results: Sequence[LearningResult], game: MarkovGame | None = None) -> list[Certificate]:
    """Return the certificates of runs.

    Parameters
    ----------
    results
        Runs of a learner.
    game
        The game they learnt, to compare with the exact gap.

    Returns
    -------
    list of Certificate

    Raises
    ------
    InputError
        If a run learnt another game.
    """
    if game is None:
        return [_certificate(result, None) for result in results]
    check_game(game, results)
    return [_certificate(result, cce_gap(game, result.policy).gap) for result in results]


def _certificate(result: LearningResult, gap: float | None) -> Certificate:
    missing = math.isnan(result.certificate)
    value = None if missing else result.certificate
    return Certificate(
        certificate=value,
        certified=result.certified,
        confidence=1.0 - result.failure if result.certified else None,
        trivial=value is not None and value >= result.policy.shape[0],
        rounds=result.rounds,
        samples=result.samples,
        gap=gap,
        slack=None if gap is None or value is None else value - gap,
    )
