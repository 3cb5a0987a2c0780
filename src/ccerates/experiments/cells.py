"""One cell of an experiment."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

TUNING = "tuning"
AUDIT = "audit"
"""The experiment whose online runs have their bounds compared with the exact values."""
CERTIFICATE = "certificate"
"""The experiment that follows certificates over budgets."""
COVERAGE = "coverage"
"""The experiment that counts how often certificates fail."""
FILE_FAILURE = 0.05
"""delta of the certificates of learners in files, which have no option for it."""


@dataclass(frozen=True)
class CellPlan:
    """One cell of an experiment: a kind of game and the budgets of every learner on it.

    Attributes
    ----------
    experiment
        Name of the experiment.
    name
        Name of the cell in paths and random streams, for example ``"horizon-8"``.
    axis, value
        Place on the axis of the sweep; ``""`` and NaN if the experiment sweeps nothing.
    game
        Parameters of the game, as in the config with the axis filled in.
    num_games
        Number of different games: the config's `replicates`, or one if the game is given.
    replicates
        Number of runs; run r plays game r modulo `num_games`.
    rounds
        Budgets K by learner, increasing: rounds at each step and state, or episodes online.
    eps_game, target
        Difficulty of the game and gap to reach; NaN if the experiment sweeps nothing.
    """

    experiment: str
    name: str
    axis: str
    value: float
    game: Mapping[str, Any]
    num_games: int
    replicates: int
    rounds: Mapping[str, tuple[int, ...]]
    eps_game: float
    target: float

    def only(self, learner: str) -> "CellPlan":
        """Return the plan for one learner, which does not change with another's budgets."""
        return replace(self, rounds={learner: self.rounds[learner]})
