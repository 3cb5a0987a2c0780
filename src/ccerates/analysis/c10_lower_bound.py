"""C10: below the lower bound's number of samples every learner fails in a quarter of the runs.

The statement is about frequencies: over independent uniform hidden actions the gap exceeds eps with
probability at least 1/4. A run that succeeds is counted as a violation; three quarters may. Runs of
one cell and budget are independent, those of two budgets share their hidden actions; so each cell
and budget is judged on its own, by the lower Clopper-Pearson limit of the frequency of success, at
a level that is divided among all groups of a learner.
"""

import numpy as np
import pandas as pd
from scipy import stats

from ccerates.analysis.bounds import FAIL, PASS, TOO_FEW
from ccerates.analysis.statistics import CONFIDENCE as INTERVAL_LEVEL
from ccerates.errors import InputError
from ccerates.theory.checks.record import CONFIDENCE, ROW_COLUMNS
from ccerates.theory.lower_bound import FAILURE

NAME = "C10 lower bound"


def c10_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of C10 in the table of bounds.

    Parameters
    ----------
    table
        As from `ccerates.analysis.lower_bound.failure_table`; budgets that are not `below_bound`
        are left out.

    Returns
    -------
    pandas.DataFrame
        Columns `ROW_COLUMNS`, one row for each learner: `runs` below the bound, `violations`
        among them, that is successes, `allowed` the largest number that all groups might show
        together without a significant one, `worst_slack` the least frequency of failure less 1/4.

    Raises
    ------
    InputError
        If a learner has no budget below the bound.
    """
    rows = []
    for algorithm, own in table.groupby("algorithm"):
        below = own[own["below_bound"]]
        if below.empty:
            raise InputError(
                f"{NAME}: no budget of {algorithm} is below the bound; take a smaller "
                "lower-bound.below.eps_game"
            )
        runs = below["runs"].to_numpy(dtype=int)
        successes = runs - below["failures"].to_numpy(dtype=int)
        level = (1.0 - INTERVAL_LEVEL) / 2.0 / len(below)
        allowed = np.array([allowed_successes(int(count), level) for count in runs])
        if np.any(successes > allowed):
            verdict = FAIL
        else:
            verdict = TOO_FEW if np.all(allowed == runs) else PASS
        row = (
            *(NAME, str(algorithm), CONFIDENCE, int(runs.sum()), int(successes.sum())),
            *(str(allowed.sum()), float(np.min(1.0 - successes / runs) - FAILURE), verdict),
        )
        rows.append(row)
    return pd.DataFrame(rows, columns=list(ROW_COLUMNS))


def allowed_successes(runs: int, level: float) -> int:
    """Return the most successes that do not contradict a probability of failure of 1/4.

    Parameters
    ----------
    runs
        Number of independent runs, at least 1.
    level
        Probability with which more may be seen if the probability of failure is 1/4, in (0, 1).

    Returns
    -------
    int
        `runs` if even a run of successes alone would not be significant.
    """
    # Of `counts` or more successes; the lower limit exceeds 3/4 if and only if it is below level.
    chance = stats.binom.sf(np.arange(runs + 1) - 1, runs, 1.0 - FAILURE)
    significant = np.flatnonzero(chance <= level)
    return int(significant[0]) - 1 if significant.size else runs
