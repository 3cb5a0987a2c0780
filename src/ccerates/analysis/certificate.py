"""Certificates beside gaps: how tight they are, and how often they fail."""

import numpy as np
import pandas as pd

from ccerates.errors import InputError
from ccerates.theory.checks.record import TOLERANCE

CERTIFICATE_COLUMNS = (
    "game", "algorithm", "constants", "rounds", "delta", "runs", "certificate_median", "gap_median",
    "violations",
)  # fmt: skip

NEEDED_COLUMNS = (
    "experiment", "setting", "algorithm", "constants", "game", "horizon", "rounds", "samples",
    "replicate", "gap_kind", "gap", "certificate", "certified",
)  # fmt: skip


def certificate_table(runs: pd.DataFrame, failure: float) -> pd.DataFrame:
    """Sum up certificates and gaps for every game, learner and budget.

    Parameters
    ----------
    runs
        Table of runs, one row for each replicate and budget, with at least `NEEDED_COLUMNS`; tables
        of several experiments may be stacked. Runs without a certificate (NaN) are left out.
    failure
        delta, with which a certified bound may fail.

    Returns
    -------
    pandas.DataFrame
        Columns `CERTIFICATE_COLUMNS`, then experiment, setting, label, samples, horizon, gap_kind
        and the quartiles of certificate and gap. `algorithm` is the learner's name in the config
        (`label`) without its constants at the end. `delta` is NaN if nothing was promised.
        `violations` counts runs whose gap is above the certificate; the gap is exact or an upper
        bound on the exact one, as `gap_kind` says.

    Raises
    ------
    InputError
        If a column is missing or no run has a certificate.
    """
    missing = [column for column in NEEDED_COLUMNS if column not in runs.columns]
    if missing:
        raise InputError(f"runs: no column {', '.join(missing)}; run the learners again")
    kept = runs[runs["certificate"].notna()]
    if kept.empty:
        raise InputError("runs: none has a certificate; run a learner that gives one")
    rows = []
    for (experiment, game, label, rounds), group in kept.groupby(
        ["experiment", "game", "algorithm", "rounds"], sort=True
    ):
        first = group.iloc[0]
        certificate, gap = group["certificate"].to_numpy(), group["gap"].to_numpy()
        below = gap > certificate + TOLERANCE * first["horizon"]
        row = {
            "game": game,
            "algorithm": str(label).removesuffix(f"-{first['constants']}"),
            "constants": first["constants"],
            "rounds": rounds,
            "delta": failure if group["certified"].all() else np.nan,
            "runs": len(group),
            "certificate_median": np.median(certificate),
            "gap_median": np.median(gap),
            "violations": int(below.sum()),
            "experiment": experiment,
            "setting": first["setting"],
            "label": label,
            "samples": first["samples"],
            "horizon": first["horizon"],
            "gap_kind": first["gap_kind"],
            **_quartiles("certificate", certificate),
            **_quartiles("gap", gap),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def _quartiles(name: str, values: np.ndarray) -> dict[str, float]:
    low, high = np.quantile(values, [0.25, 0.75])
    return {f"{name}_quartile_low": float(low), f"{name}_quartile_high": float(high)}
