"""What an online learner returns."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from ccerates.errors import InputError
from ccerates.online.audit import BoundsAudit
from ccerates.online.baseline import Shape

MAX_HISTORY_BYTES = 2 * 1024**3
_HISTORY_TYPE = np.uint16

Averaging = Literal["alpha", "stage"]
"""How a certified policy weighs visits, see `ccerates.online.schedule`."""


class History(NamedTuple):
    """All that happened in a recorded run.

    Attributes
    ----------
    states, joint_actions
        (episodes, horizon) uint16.
    """

    states: np.ndarray
    joint_actions: np.ndarray


def empty_history(shape: Shape, episodes: int) -> History:
    """Return room for the history of one run.

    Raises
    ------
    InputError
        If it would be too large, or the numbers of states or joint actions are.
    """
    num_actions, num_states, horizon = shape
    limit = np.iinfo(_HISTORY_TYPE).max + 1
    if max(num_states, int(np.prod(num_actions))) > limit:
        raise InputError(f"record: takes games of at most {limit} states and joint actions")
    needed = 2 * episodes * horizon * np.dtype(_HISTORY_TYPE).itemsize
    if needed > MAX_HISTORY_BYTES:
        raise InputError(
            f"record: the history of {episodes} episodes needs {needed / 2**30:.1f} GiB, more than "
            f"the {MAX_HISTORY_BYTES / 2**30:g} GiB allowed; plan fewer episodes"
        )
    size = (episodes, horizon)
    return History(np.zeros(size, _HISTORY_TYPE), np.zeros(size, _HISTORY_TYPE))


@dataclass(frozen=True)
class OnlineResult:
    """The outcome of one run of an online learner.

    Its policy is the certified one that follows from the visits, see `averaging`.

    Attributes
    ----------
    algorithm
        Name of the algorithm, for example ``"v-learning"``.
    game_hash
        Content hash of the game that was learnt.
    constants
        Which constants it ran with, for example ``"practical"``.
    certified
        Whether the bounds below hold, all at once, with probability 1 - `failure`.
    failure
        delta, the probability with which any of them may fail.
    episodes
        Number of episodes played so far.
    samples
        Number of steps played so far, episodes * horizon.
    averaging
        ``"alpha"`` or ``"stage"``, see `ccerates.online.schedule`.
    upper_value, lower_value
        (horizon, states, players) float64: the values that the learner holds now; lower ones are
        NaN if it has none. CCE-V-learning does not truncate its upper values.
    certificate
        Sample-only bound on the CCE gap of the certified policy if `certified`; NaN if the learner
        has none.
    visits
        (horizon, states) int64: number of visits.
    trace
        What the bandits saw; for some learners nothing.
    history
        States and joint actions of all episodes if the run was recorded, else None.
    audit
        What an observer found about the value bounds in every stage; None if nobody did.
    """

    algorithm: str
    game_hash: str
    constants: str
    certified: bool
    failure: float
    episodes: int
    samples: int
    averaging: Averaging
    upper_value: np.ndarray
    lower_value: np.ndarray
    certificate: float
    visits: np.ndarray
    trace: Any
    history: History | None = None
    audit: BoundsAudit | None = None
