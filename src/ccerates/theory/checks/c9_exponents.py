"""C9: measured exponents of the sample complexity against those of the theory."""

import numpy as np
import pandas as pd

from ccerates.errors import InputError
from ccerates.theory.checks.record import ROW_COLUMNS
from ccerates.theory.rates import AXES, RATES

INTERVAL = "interval"
"""Kind of these rows: an interval is compared with a band, nothing is counted."""

NEEDED_COLUMNS = (
    "setting", "algorithm", "axis", "measured", "ci_low", "ci_high", "points", "verdict",
)  # fmt: skip


def exponent_rows(exponents: pd.DataFrame) -> pd.DataFrame:
    """Judge every fitted exponent by the band that agrees with the theory.

    The band of `ccerates.theory.rates.Rate.band` is closed on both sides where a lower bound
    matches, and open below an upper bound that nothing matches.

    Parameters
    ----------
    exponents
        The published table of exponents, with at least `NEEDED_COLUMNS`.

    Returns
    -------
    pandas.DataFrame
        Columns `ROW_COLUMNS`, a row for each fit of an algorithm with a rate, in the order of
        `ccerates.theory.rates.AXES`: `runs` is the number of fitted cells, `violations` is 1 if the
        whole interval lies outside the band, `allowed` is the word ``0``, `worst_slack` is how far
        the estimate lies inside the band (negative: outside) in units of the exponent, NaN without
        an estimate, and `verdict` the table's word.

    Raises
    ------
    InputError
        If a column is missing.
    """
    missing = [column for column in NEEDED_COLUMNS if column not in exponents.columns]
    if missing:
        raise InputError(f"exponents: no column {', '.join(missing)}; make the table again")
    rows = []
    for row in sorted(exponents.to_dict("records"), key=lambda row: AXES.index(row["axis"])):
        rate = RATES.get((row["setting"], row["algorithm"]))
        if rate is None:
            continue
        low, high = rate.band(row["axis"])
        # Comparisons with NaN are false: without an interval nothing is outside.
        outside = row["ci_high"] < low or row["ci_low"] > high
        slack = float(np.minimum(row["measured"] - low, high - row["measured"]))
        name = f"C9 exponent of {row['axis']}"
        counted = (int(row["points"]), int(outside), "0")
        rows.append((name, row["algorithm"], INTERVAL, *counted, slack, row["verdict"]))
    table = pd.DataFrame(rows, columns=list(ROW_COLUMNS))
    return table.astype({"runs": int, "violations": int, "worst_slack": float})
