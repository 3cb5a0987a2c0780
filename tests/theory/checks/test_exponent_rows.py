"""C9: rows from fitted exponents that are written out, bands from the published bounds."""

import math

import pandas as pd
import pytest

from ccerates.errors import InputError
from ccerates.theory.checks.c9_exponents import exponent_rows
from ccerates.theory.checks.record import ROW_COLUMNS

COLUMNS = ["setting", "algorithm", "axis", "measured", "ci_low", "ci_high", "points", "verdict"]


def rows_of(*fits):
    return exponent_rows(pd.DataFrame(fits, columns=COLUMNS))


@pytest.mark.parametrize(
    ("setting", "algorithm", "axis", "interval", "violations", "slack"),
    [
        # Two-sided where a lower bound matches: 4 +- 0.3.
        ("simulator", "evb-sim", "horizon", (3.9, 3.8, 4.0), 0, 0.2),
        ("simulator", "evb-sim", "horizon", (3.5, 3.4, 3.65), 1, -0.2),
        ("simulator", "evb-sim", "horizon", (4.5, 4.35, 4.6), 1, -0.2),
        ("simulator", "evb-sim", "horizon", (4.5, 4.25, 4.6), 0, -0.2),
        # One-sided for an upper bound: at most 5.3, at most 0.3.
        ("online", "evb-online", "horizon", (4.0, 3.9, 4.1), 0, 1.3),
        ("online", "evb-online", "horizon", (5.5, 5.4, 5.6), 1, -0.2),
        ("simulator", "evb-sim", "players", (-0.5, -0.6, -0.4), 0, 0.8),
        ("simulator", "q-ftrl", "players", (1.5, 1.4, 1.6), 1, -0.2),
        # Samples grow as epsilon falls: online at least -2.2.
        ("online", "v-learning", "epsilon", (-1.0, -1.1, -0.9), 0, 1.2),
        ("online", "v-learning", "epsilon", (-2.5, -2.6, -2.4), 1, -0.3),
    ],
)
def test_intervals_outside_the_band_are_violations(
    setting, algorithm, axis, interval, violations, slack
) -> None:
    (row,) = rows_of((setting, algorithm, axis, *interval, 4, "a word")).itertuples()
    assert row.check == f"C9 exponent of {axis}"
    assert (row.algorithm, row.kind, row.runs) == (algorithm, "interval", 4)
    assert (row.violations, row.allowed, row.verdict) == (violations, "0", "a word")
    assert row.worst_slack == pytest.approx(slack)


def test_what_could_not_be_fitted_is_no_violation() -> None:
    nan = math.nan
    table = rows_of(
        ("online", "evb-online", "states", nan, nan, nan, 1, "not fitted"),
        ("online", "evb-online", "players", 9.0, nan, nan, 2, "inconclusive"),
        ("online", "my-learner", "states", 1.0, 0.9, 1.1, 3, "no rate"),
    )
    assert table["verdict"].tolist() == ["inconclusive", "not fitted"], "players before states"
    assert table["violations"].tolist() == [0, 0]
    assert math.isnan(table["worst_slack"][1])
    assert table["worst_slack"][0] == pytest.approx(-8.7)


def test_columns_are_those_of_the_table_of_bounds() -> None:
    assert tuple(rows_of().columns) == ROW_COLUMNS
    with pytest.raises(InputError, match="exponents: no column points; make the table again"):
        exponent_rows(pd.DataFrame(columns=[name for name in COLUMNS if name != "points"]))
