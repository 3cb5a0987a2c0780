"""How good learnt policies are: exact CCE gaps, and what the samples alone say about them.

An online learner's policy depends on all that was played, and results do not hold that: a bound on
its gap is computed beside the run, by `learn_online`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ccerates.api.inputs import check_game
from ccerates.errors import InputError
from ccerates.evaluation.markov import GapReport, cce_gap, uniform_policy
from ccerates.games.model import MarkovGame
from ccerates.games.units import reward_scale, reward_unit
from ccerates.online.result import OnlineResult
from ccerates.simulator.result import LearningResult


class GapSummary(NamedTuple):
    """Gaps of runs on one game, computed from its model.

    Attributes
    ----------
    uniform
        Gaps of uniform play.
    runs
        Gaps of each run's policy.
    reward_scale, reward_unit
        What a gap of 1 is worth in the game's own reward, and the unit of the latter.
    own_uniform, own_runs
        The same gaps in that unit.
    """

    uniform: GapReport
    runs: tuple[GapReport, ...]
    reward_scale: float
    reward_unit: str
    own_uniform: GapReport
    own_runs: tuple[GapReport, ...]


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
    rounds
        Rounds of play at each step and state; online: episodes.
    samples
        Number of samples the run has used.
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


def gap(game: MarkovGame, results: Sequence[LearningResult | OnlineResult]) -> GapSummary:
    """Return the exact CCE gaps of what was learnt.

    Parameters
    ----------
    game
        The game that the learner's simulator was made from.
    results
        Runs of a simulator learner on that game.

    Returns
    -------
    GapSummary

    Raises
    ------
    InputError
        If a run learnt another game, or learnt online.
    """
    policies = markov_policies(game, results)
    uniform = cce_gap(game, uniform_policy(game))
    runs = tuple(cce_gap(game, policy) for policy in policies)
    scale = reward_scale(game)
    return GapSummary(
        uniform=uniform,
        runs=runs,
        reward_scale=scale,
        reward_unit=reward_unit(game),
        own_uniform=_scaled(uniform, scale),
        own_runs=tuple(_scaled(report, scale) for report in runs),
    )


def certify(
    results: Sequence[LearningResult | OnlineResult], game: MarkovGame | None = None
) -> list[Certificate]:
    """Return the certificates of runs.

    Parameters
    ----------
    results
        Runs of a learner.
    game
        The game they learnt, to compare with the exact gap; with simulator learners only.

    Returns
    -------
    list of Certificate

    Raises
    ------
    InputError
        If a run learnt another game, or a game is given and a run learnt online.
    """
    if game is None:
        return [_certificate(result, None) for result in results]
    gaps = [cce_gap(game, policy).gap for policy in markov_policies(game, results)]
    return [_certificate(result, gap) for result, gap in zip(results, gaps, strict=True)]


def markov_policies(
    game: MarkovGame, results: Sequence[LearningResult | OnlineResult]
) -> list[np.ndarray]:
    """Return the Markov policies of runs.

    Parameters
    ----------
    game
        The game that the learner's simulator was made from.
    results
        Runs of a simulator learner on that game.

    Returns
    -------
    list of numpy.ndarray
        (horizon, states, joint_actions) of each run.

    Raises
    ------
    InputError
        If a run learnt another game, or learnt online.
    """
    _check_game(game, results)
    return [_markov_policy(result) for result in results]


def _scaled(report: GapReport, scale: float) -> GapReport:
    return GapReport(
        players=scale * report.players,
        gap=scale * report.gap,
        players_worst=scale * report.players_worst,
        gap_worst=scale * report.gap_worst,
    )


def _check_game(game: MarkovGame, results: Sequence[LearningResult | OnlineResult]) -> None:
    """Raise InputError unless every run learnt `game`."""
    check_game(game)
    for run, result in enumerate(results):
        if result.game_hash != game.content_hash:
            raise InputError(
                f"run {run} learnt the game with hash {result.game_hash[:12]}..., not this one, "
                f"{game.name!r} with hash {game.content_hash[:12]}...; give the game it learnt"
            )


def _markov_policy(result: LearningResult | OnlineResult) -> np.ndarray:
    """Return the policy of a simulator learner; refuse an online one in words that lead on."""
    if isinstance(result, OnlineResult):
        raise InputError(
            f"{result.algorithm} learnt online: its policy depends on all {result.episodes} "
            "episodes, which results do not hold, so the upper bound on its gap is computed beside "
            "the run; learn again with learn_online (`ccerates learn GAME ... --episodes K`), "
            "which shows it"
        )
    return result.policy


def _certificate(result: LearningResult | OnlineResult, gap: float | None) -> Certificate:
    missing = math.isnan(result.certificate)
    value = None if missing else result.certificate
    return Certificate(
        certificate=value,
        certified=result.certified,
        confidence=1.0 - result.failure if result.certified else None,
        trivial=value is not None and value >= result.upper_value.shape[0],
        rounds=result.episodes if isinstance(result, OnlineResult) else result.rounds,
        samples=result.samples,
        gap=gap,
        slack=None if gap is None or value is None else value - gap,
    )
