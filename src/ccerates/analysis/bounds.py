"""From checks on single runs to the table of bounds: how often each failed, and what that means.

=================  =========================================================================
``pass``           deterministic: no violation; confidence: the upper 95 % Clopper-Pearson
                   limit of the frequency of violations is at most delta, and no cell alone
                   shows a larger frequency
``fail``           otherwise
``too few runs``   confidence: even without a violation the limit would exceed delta, and
                   the violations do not show a larger frequency either
``informative``    nothing was promised
``caught``         planted: the test of confidence checks fails these rows, as it should
``not caught``     planted: it does not
=================  =========================================================================

The limits are those of the two-sided 95 % interval (97.5 % each). A cell is what runs share whose
names differ in their number only: what holds with probability 1 - delta does so in each cell, and
cells without a violation must not hide one with many.
"""

import numpy as np
import pandas as pd
from scipy import stats

from ccerates.analysis.statistics import CONFIDENCE as INTERVAL_LEVEL
from ccerates.analysis.statistics import clopper_pearson
from ccerates.checks import check_between
from ccerates.errors import InputError
from ccerates.theory.checks.record import (
    CONFIDENCE,
    DETERMINISTIC,
    KINDS,
    PLANTED,
    ROW_COLUMNS,
    CheckResult,
    cell_of,
)
from ccerates.theory.checks.registry import CHECKS

PASS, FAIL, TOO_FEW, UNJUDGED = "pass", "fail", "too few runs", "informative"
CAUGHT, NOT_CAUGHT = "caught", "not caught"


def allowed_violations(runs: int, failure: float) -> int | None:
    """Return the most violations whose upper Clopper-Pearson limit is at most `failure`.

    Parameters
    ----------
    runs
        Number of runs.
    failure
        delta, in (0, 1).

    Returns
    -------
    int or None
        None if there are too few runs for any.
    """
    # The limit is at most delta if and only if P(Binomial(runs, delta) <= violations) is at most
    # the probability left above the interval.
    chance = stats.binom.cdf(np.arange(runs + 1), runs, failure)
    above = (1.0 - INTERVAL_LEVEL) / 2.0
    allowed = int(np.searchsorted(chance, above, side="right")) - 1
    return None if allowed < 0 else allowed


def bounds_table(rows: pd.DataFrame, failure: float) -> pd.DataFrame:
    """Sum up checks over runs.

    Parameters
    ----------
    rows
        One row for each check and run, columns as in `CheckResult`; tables of several experiments
        may be stacked.
    failure
        delta, with which checks of kind ``confidence`` may fail.

    Returns
    -------
    pandas.DataFrame
        Columns `ROW_COLUMNS`, one row for each check, algorithm and kind, in the order of the
        registry. `allowed` is a word: a number, ``none`` with too few runs, or ``any``.

    Raises
    ------
    InputError
        If a column is missing, a check or a kind is unknown, or there are no rows.
    """
    check_between("bounds: failure", failure, 0.0, 1.0)
    _check_rows(rows)
    order = {name: place for place, name in enumerate(CHECKS)}
    named = rows.assign(order=rows["check"].map(order))
    table = [
        _row(str(check), str(algorithm), str(kind), group, failure)
        for (_, check, algorithm, kind), group in named.groupby(
            ["order", "check", "algorithm", "kind"], sort=True
        )
    ]
    return pd.DataFrame(table, columns=list(ROW_COLUMNS))


def _check_rows(rows: pd.DataFrame) -> None:
    missing = [column for column in CheckResult._fields if column not in rows.columns]
    if missing:
        raise InputError(f"checks: no column {', '.join(missing)}; run the checks again")
    if rows.empty:
        raise InputError("checks: the table is empty; check at least one run")
    for column, known in (("check", CHECKS), ("kind", KINDS)):
        unknown = sorted(set(rows[column]) - set(known))
        if unknown:
            raise InputError(f"checks: unknown {column} {unknown[0]!r}; run the checks again")
    if rows["holds"].dtype != bool:
        raise InputError("checks: column holds must be True or False; run the checks again")


def _row(
    check: str, algorithm: str, kind: str, group: pd.DataFrame, failure: float
) -> tuple[object, ...]:
    runs, violations = len(group), int((~group["holds"]).sum())
    worst_slack = float(group["slack"].min(skipna=False))
    if kind == DETERMINISTIC:
        allowed, verdict = "0", FAIL if violations else PASS
    elif kind in (CONFIDENCE, PLANTED):
        most = allowed_violations(runs, failure)
        allowed = "none" if most is None else str(most)
        if _is_larger(group, failure) or (most is not None and violations > most):
            verdict = FAIL
        else:
            verdict = TOO_FEW if most is None else PASS
        if kind == PLANTED:
            verdict = CAUGHT if verdict == FAIL else NOT_CAUGHT
    else:
        allowed, verdict = "any", UNJUDGED
    return check, algorithm, kind, runs, violations, allowed, worst_slack, verdict


def _is_larger(group: pd.DataFrame, failure: float) -> bool:
    """Return whether all runs, or those of a cell, show a frequency above `failure`."""
    cells = group["run"].map(cell_of)
    parts = [group, *(part for _, part in group.groupby(cells))]
    return any(
        clopper_pearson(int((~part["holds"]).sum()), len(part))[0] > failure for part in parts
    )


def check_deterministic(rows: pd.DataFrame) -> str:
    """Return a sentence that sums up checks without a violation of a deterministic one.

    Parameters
    ----------
    rows
        One row for each check and run, columns as in `CheckResult`.

    Returns
    -------
    str
        It lists the checks that no run was there for.

    Raises
    ------
    InputError
        If a deterministic check fails: for each, the message names the run with the worst slack.
    """
    _check_rows(rows)
    deterministic = rows[rows["kind"] == DETERMINISTIC]
    failed = deterministic[~deterministic["holds"]]
    if not failed.empty:
        messages = [_failure(str(name), group) for name, group in failed.groupby("check")]
        raise InputError(
            "deterministic checks fail, so that code or proof is wrong:\n" + "\n".join(messages)
        )
    present = set(rows["check"])
    absent = [name for name in CHECKS if name not in present]
    note = f"; no run to check for: {', '.join(absent)}" if absent else ""
    return f"{len(deterministic)} deterministic checks of runs hold{note}"


def check_planted(rows: pd.DataFrame, failure: float) -> str:
    """Return a sentence that sums up planted errors that were all caught.

    Parameters
    ----------
    rows
        One row for each check and run, columns as in `CheckResult`.
    failure
        delta.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the test of confidence checks lets planted errors pass: it can then not be trusted.
    """
    _check_rows(rows)
    planted = rows[rows["kind"] == PLANTED]
    if planted.empty:
        return "no planted error to catch: no rigorous certificate was below its trivial value"
    table = bounds_table(planted, failure)
    missed = table[table["verdict"] != CAUGHT]
    if not missed.empty:
        raise InputError(
            "planted errors are not caught, so that the checks prove nothing:\n"
            + missed.to_string(index=False)
            + "\ntake more runs or budgets at which the gap is closer to the certificate"
        )
    return f"all {len(table)} planted errors are caught"


def _failure(name: str, failed: pd.DataFrame) -> str:
    # Missing slacks come first: there is nothing worse.
    worst = failed.sort_values("slack", na_position="first").iloc[0]
    check = CHECKS[name]
    return (
        f"{name} fails in {len(failed)} runs, worst in {worst['run']} ({worst['algorithm']}): "
        f"{worst['lhs']:.10g} {check.relation} {worst['rhs']:.10g} is wrong by "
        f"{-worst['slack']:.3g}\n  {check.statement}"
    )
