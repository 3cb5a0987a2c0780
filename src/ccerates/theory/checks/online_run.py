"""A stored run of an online learner beside its game."""

from dataclasses import dataclass

import numpy as np

from ccerates.games.model import MarkovGame
from ccerates.online.audit import BoundsAudit
from ccerates.online.evb_tables import EvbOnlineTrace
from ccerates.online.result import OnlineResult
from ccerates.online.schedule import stage_lengths
from ccerates.theory.checks.learner_run import check_value_shapes


@dataclass(frozen=True, eq=False)
class OnlineRun:
    """One run.

    Attributes
    ----------
    game
        The game that was learnt.
    result
        What the learner returned.
    name
        What messages call the run.

    Raises
    ------
    InputError
        If the result's arrays are not of the game's shape.
    """

    game: MarkovGame
    result: OnlineResult
    name: str

    def __post_init__(self) -> None:
        check_value_shapes(self.game, self.result, self.name)

    @property
    def audit(self) -> BoundsAudit | None:
        """The audit of the value bounds, if there is one and a stage was completed."""
        audit = self.result.audit
        return audit if audit is not None and audit.commits.any() else None

    @property
    def has_upper_values(self) -> bool:
        """Whether the learner gives upper values; one that does not returns NaN."""
        return not np.isnan(self.result.upper_value).all()

    @property
    def has_lower_values(self) -> bool:
        """Whether the learner gives lower values; one that does not returns NaN."""
        return not np.isnan(self.result.lower_value).all()

    @property
    def evb_trace(self) -> EvbOnlineTrace | None:
        """What the bandits of EVB-online saw; None for other algorithms."""
        trace = self.result.trace
        return trace if isinstance(trace, EvbOnlineTrace) else None

    @property
    def longest_stage(self) -> np.ndarray:
        """(horizon, states): length of the last completed stage, the longest; 0 without one."""
        horizon, visits = self.game.horizon, self.result.visits
        lengths = stage_lengths(horizon, max(int(visits.max()), 1))
        completed = np.searchsorted(np.cumsum(lengths), visits, side="right")
        longest: np.ndarray = np.append(0, lengths)[completed]
        return longest
