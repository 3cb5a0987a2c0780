"""What runs in either setting have in common: replicates, their luck, columns of their table."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ccerates.evaluation.markov import cce_gap, uniform_policy
from ccerates.experiments.cells import CellPlan
from ccerates.games.model import MarkovGame
from ccerates.streams import LEARNER_STREAM, seed_sequence


class Replicate(NamedTuple):
    """One run of a cell.

    Attributes
    ----------
    number
        Number of the replicate.
    place
        Which of the cell's games it plays.
    game
        That game.
    uniform_gap
        Gap of uniform play in it.
    seed
        The learner's stream, the same for every budget and learner: their differences are less
        noisy than their levels.
    """

    number: int
    place: int
    game: MarkovGame
    uniform_gap: float
    seed: np.random.SeedSequence


def replicates_of(cell: CellPlan, games: Sequence[MarkovGame], root_seed: int) -> list[Replicate]:
    """Return the replicates of a cell; number r plays game r modulo their count."""
    uniform_gaps = [cce_gap(game, uniform_policy(game)).gap for game in games]
    return [
        Replicate(
            number,
            number % len(games),
            games[number % len(games)],
            uniform_gaps[number % len(games)],
            seed_sequence(root_seed, cell.experiment, cell.name, number, LEARNER_STREAM),
        )
        for number in range(cell.replicates)
    ]


def run_row(
    cell: CellPlan,
    replicate: Replicate,
    *,
    setting: str,
    label: str,
    rounds: int,
    result: Any,
    gap_kind: str,
    gap: float,
    gap_worst: float,
) -> dict[str, object]:
    """Return the row of one run at one budget.

    Parameters
    ----------
    cell, replicate
        The cell and its replicate.
    setting
        ``"simulator"`` or ``"online"``.
    label
        Name of the learner in the config.
    rounds
        The budget: rounds at each step and state, or episodes.
    result
        `LearningResult` or `OnlineResult`.
    gap_kind
        ``"exact"`` or ``"upper"``.
    gap, gap_worst
        Gap from the start distribution and from the worst start state, in units of reward.
    """
    game = replicate.game
    return {
        "experiment": cell.experiment,
        "setting": setting,
        "algorithm": label,
        "constants": result.constants,
        "axis": cell.axis,
        "value": cell.value,
        "game": game.name if cell.axis else cell.name,
        "game_hash": game.content_hash,
        "players": game.num_players,
        "states": game.num_states,
        "horizon": game.horizon,
        "max_actions": max(game.num_actions),
        "eps_game": cell.eps_game,
        "target": cell.target,
        "replicate": replicate.number,
        "rounds": rounds,
        "samples": result.samples,
        "gap_kind": gap_kind,
        "gap": gap,
        "gap_worst": gap_worst,
        "uniform_gap": replicate.uniform_gap,
        "certificate": result.certificate,
        "certified": result.certified,
    }
