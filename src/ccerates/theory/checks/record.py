"""What a check is, and what it says about a run."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

DETERMINISTIC = "deterministic"
CONFIDENCE = "confidence"
INFORMATIVE = "informative"
PLANTED = "planted"
KINDS = (DETERMINISTIC, CONFIDENCE, INFORMATIVE, PLANTED)
"""Planted rows hold an error on purpose, and the test of confidence checks must catch it."""

ROW_COLUMNS = (
    "check", "algorithm", "kind", "runs", "violations", "allowed", "worst_slack", "verdict",
)  # fmt: skip
"""Of the table that sums checks up over runs."""

TOLERANCE = 1e-9
"""Rounding that is forgiven, as a share of the natural size of the quantities compared.

Sums over K rounds carry a relative error of at most K times 1.1e-16, 4e-10 for K = 4e6; up to a
third of that is seen. An error in a formula is larger than 1e-9 by far.
"""


class CheckResult(NamedTuple):
    """A check on one run, at the place of the run where it is tightest.

    Attributes
    ----------
    check
        Name of the check.
    algorithm
        Algorithm that made the run.
    kind
        One of `KINDS`.
    run
        Name of the run: that of its cell, a comma, its number; see `cell_of`.
    lhs, rhs
        The two sides; the statement is lhs <= rhs, or lhs = rhs for an identity.
    slack
        rhs - lhs, or -|rhs - lhs| for an identity.
    holds
        Whether the slack is at least zero, up to `TOLERANCE`, everywhere in the run.
    """

    check: str
    algorithm: str
    kind: str
    run: str
    lhs: float
    rhs: float
    slack: float
    holds: bool


def cell_of(run: str) -> str:
    """Return the name of a run without its number: its setting, budget included."""
    return run.rpartition(", ")[0]


class Check(NamedTuple):
    """A named inequality or identity.

    Attributes
    ----------
    name
        Its name in tables.
    statement
        What it says, in a sentence.
    relation
        ``"<="`` or ``"="``.
    """

    name: str
    statement: str
    relation: Literal["<=", "="] = "<="

    def results(
        self,
        kind: str,
        algorithm: str,
        runs: Sequence[str],
        lhs: np.ndarray,
        rhs: np.ndarray,
        scale: np.ndarray | float,
    ) -> list[CheckResult]:
        """Compare the two sides in several runs.

        Parameters
        ----------
        kind
            One of `KINDS`.
        algorithm
            Algorithm that made the runs.
        runs
            Names of the runs.
        lhs, rhs
            (runs, ...): the two sides, over the places of a run. NaN is a violation.
        scale
            Natural size of the quantities, positive; broadcasts against them.

        Returns
        -------
        list of CheckResult
            One for each run, from the place where the slack is the least share of the scale.
        """
        left, right, size = (
            values.reshape(len(runs), -1) for values in np.broadcast_arrays(lhs, rhs, scale)
        )
        slack = right - left if self.relation == "<=" else -np.abs(right - left)
        every = np.arange(len(runs))
        worst = np.argmin(slack / size, axis=1)  # the first NaN, if there is one
        left, right, slack, size = (values[every, worst] for values in (left, right, slack, size))
        holds = slack >= -TOLERANCE * size  # false for NaN
        return [
            CheckResult(self.name, algorithm, kind, *row)
            for row in zip(
                runs, left.tolist(), right.tolist(), slack.tolist(), holds.tolist(), strict=True
            )
        ]
