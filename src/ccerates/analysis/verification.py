"""Verify: compare what came out with the reference that is kept under version control.

Each verified table has rows named by key columns and other columns that are compared as
`ccerates.analysis.comparison` says. A row that only one side has fails. References are written by
`update_reference` only, on request, as tables that a person can review line by line.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from ccerates.analysis.comparison import (
    VERIFY_COLUMNS,
    Comparison,
    Outcome,
    compare,
    outcome,
    text,
)
from ccerates.analysis.publish import CURVES, SWEEPS
from ccerates.analysis.tables import read_csv, write_csv
from ccerates.errors import InputError

NO_REFERENCE = "no reference"

_SWEEP = Comparison(
    keys=("experiment", "setting", "algorithm", "axis", "value"),
    exact=("status", "fitted", "replicates", "budget_low", "budget_high"),
    relative=("target", "uniform_gap"),
    statistical=("samples_to_target",),
)
_CURVES = Comparison(
    keys=("game", "algorithm", "samples"),
    exact=("replicates", "gap_kind"),
    relative=("uniform_gap",),
    statistical=("gap_median",),
    interval=("gap_quartile_low", "gap_quartile_high"),
)

COMPARISONS: Mapping[str, Comparison] = {
    **dict.fromkeys(SWEEPS, _SWEEP),
    **dict.fromkeys(CURVES, _CURVES),
    "tuning": Comparison(
        keys=("setting", "algorithm", "rate_scale", "bonus_scale"),
        exact=("status", "chosen", "used"),
        statistical=("samples_to_target",),
    ),
    "bandit": Comparison(
        keys=("bandit", "adversary"),
        exact=(
            *("constants", "num_actions", "rounds", "runs"),
            *("bound_violations", "analytic_violations", "certificate_violations"),
        ),
        statistical=("regret_median",),
    ),
    "bounds": Comparison(
        keys=("check", "algorithm", "kind"), exact=("runs", "violations", "allowed", "verdict")
    ),
    "certificate": Comparison(
        keys=("game", "algorithm", "constants", "rounds"),
        exact=("delta", "runs", "violations"),
        close=("certificate_median", "gap_median"),
    ),
    "lower-bound": Comparison(
        keys=("cell", "algorithm", "samples"),
        exact=("below_bound", "runs"),
        relative=("failing_samples", "scaled_samples"),
        statistical=("failure_rate",),
    ),
    "lower-bound-crossings": Comparison(
        keys=("algorithm", "axis"),
        exact=("theory", "cells", "censored"),
        relative=("bound_exponent",),
        statistical=("exponent",),
    ),
    "exponents": Comparison(
        keys=("setting", "algorithm", "axis"),
        exact=("theory", "points", "fit_low", "fit_high", "verdict"),
        statistical=("measured",),
    ),
    "exponent-differences": Comparison(
        keys=("setting", "axis", "baseline", "algorithm"), statistical=("difference",)
    ),
    "exponents-relative": Comparison(
        keys=("setting", "algorithm", "axis"),
        exact=("points",),
        relative=("share",),
        statistical=("measured",),
    ),
    "real-games": Comparison(
        keys=("game", "algorithm", "samples"),
        exact=("players", "states", "horizon", "gap_kind"),
        statistical=("gap_mean",),
    ),
}
"""Comparison of each verified table; a table's name is its file's name."""


def _row_names(table: pd.DataFrame, keys: tuple[str, ...], place: str) -> dict[str, pd.Series]:
    rows: dict[str, pd.Series] = {}
    for _, row in table.iterrows():
        name = ", ".join(f"{key}={text(row[key])}" for key in keys)
        if name in rows:
            raise InputError(f"{place}: two rows for {name}; keep one")
        rows[name] = row
    return rows


def _update_command(folder: Path) -> str:
    return (
        f"`snakemake --cores 2 update_reference --configfile config/{folder.name}.yaml`, review"
        " the difference and commit it"
    )


def _reference(name: str, folder: Path) -> pd.DataFrame:
    path = folder / f"{name}.csv"
    command = _update_command(folder)
    if not path.exists():
        raise InputError(f"{path}: no reference for this claim; run {command}")
    table = read_csv(path)
    if list(table.columns) != COMPARISONS[name].columns:
        raise InputError(f"{path}: its columns are not those that are compared; run {command}")
    return table


def _verify_table(name: str, results: pd.DataFrame, folder: Path) -> Iterator[Outcome]:
    comparison = COMPARISONS[name]
    expected_rows = _row_names(_reference(name, folder), comparison.keys, f"{folder}/{name}.csv")
    got_rows = _row_names(results, comparison.keys, f"results of {name}")
    for row_name, expected in expected_rows.items():
        if row_name not in got_rows:
            yield outcome(f"row [{row_name}]", "present", "missing", 0.0, "exact", False)
            continue
        for result in compare(comparison, expected, got_rows[row_name]):
            yield result._replace(quantity=f"{result.quantity} [{row_name}]")
    for row_name in got_rows:
        if row_name not in expected_rows:
            yield outcome(f"row [{row_name}]", "missing", "present", 0.0, "exact", False)


def verify(results: Mapping[str, pd.DataFrame], reference: Path) -> pd.DataFrame:
    """Compare tables with their references.

    Parameters
    ----------
    results
        Tables by name, a key of `COMPARISONS`.
    reference
        Folder of the references of one config, ``reference/<config>``.

    Returns
    -------
    pandas.DataFrame
        One row for each compared quantity, columns `VERIFY_COLUMNS`, all text, as in
        `ccerates.analysis.comparison.Outcome`; `verdict` is ``pass`` or ``fail``. One row with
        `NO_REFERENCE` if the config has no reference at all.

    Raises
    ------
    InputError
        If a reference is missing or made for other columns: the message holds the command that
        makes it.
    """
    if not reference.exists():
        absent = outcome("all tables", "a reference", "none", 0.0, "exact", False)
        row = ("all", *absent._replace(verdict=NO_REFERENCE))
        return pd.DataFrame([row], columns=list(VERIFY_COLUMNS))
    rows = [
        (name, *result)
        for name, table in results.items()
        for result in _verify_table(name, table, reference)
    ]
    return pd.DataFrame(rows, columns=list(VERIFY_COLUMNS))


def check_verdicts(compared: pd.DataFrame, reference: Path) -> str:
    """Return a sentence that sums up a comparison without failures.

    Parameters
    ----------
    compared
        What `verify` returned.
    reference
        Folder of the references, for the messages.

    Raises
    ------
    InputError
        If a row failed; the message lists the rows and what to do.
    """
    if (compared["verdict"] == NO_REFERENCE).any():
        return (
            f"{reference}: there is no reference to compare with; run {_update_command(reference)}"
        )
    failed = compared[compared["verdict"] != "pass"]
    if failed.empty:
        return f"all {len(compared)} quantities agree with {reference}"
    raise InputError(
        f"{len(failed)} of {len(compared)} quantities differ from {reference}:\n"
        + failed.to_string(index=False)
        + f"\nfind out why; if the change is intended, run {_update_command(reference)}"
    )


def update_reference(results: Mapping[str, pd.DataFrame], reference: Path) -> list[Path]:
    """Write the references of tables; for a person who then reviews the difference.

    Parameters
    ----------
    results
        Tables by name, a key of `COMPARISONS`.
    reference
        Folder of the references of one config, ``reference/<config>``.

    Returns
    -------
    list of pathlib.Path
        Files written.
    """
    paths = []
    for name, table in results.items():
        path = reference / f"{name}.csv"
        write_csv(table[COMPARISONS[name].columns], path)
        paths.append(path)
    return paths
