"""Exact CCE gaps of learnt policies."""

from collections.abc import Sequence
from typing import NamedTuple

from ccerates.errors import InputError
from ccerates.evaluation.markov import GapReport, cce_gap, uniform_policy
from ccerates.games.model import MarkovGame
from ccerates.simulator.result import LearningResult


class GapSummary(NamedTuple):
    """Gaps of runs on one game, computed from its model.

    Attributes
    ----------
    uniform
        Gaps of uniform play.
    runs
        Gaps of each run's policy.
    """

    uniform: GapReport
    runs: tuple[GapReport, ...]


def gap(game: MarkovGame, results: Sequence[LearningResult]) -> GapSummary:
    """Return the exact CCE gaps of what was learnt.

    Parameters
    ----------
    game
        The game that the learner's simulator was made from.
    results
        Runs of a learner on that game.

    Returns
    -------
    GapSummary

    Raises
    ------
    InputError
        If a run learnt another game.
    """
    check_game(game, results)
    return GapSummary(
        cce_gap(game, uniform_policy(game)),
        tuple(cce_gap(game, result.policy) for result in results),
    )


def check_game(game: MarkovGame, results: Sequence[LearningResult]) -> None:
    """Raise InputError unless every run learnt `game`."""
    for run, result in enumerate(results):
        if result.game_hash != game.content_hash:
            raise InputError(
                f"run {run} learnt the game with hash {result.game_hash[:12]}..., not this one, "
                f"{game.name!r} with hash {game.content_hash[:12]}...; give the game it learnt"
            )
