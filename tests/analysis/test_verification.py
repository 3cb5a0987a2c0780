"""Verification must pass on what it was made from and fail on everything else."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ccerates.analysis.publish import CURVES, SWEEPS
from ccerates.analysis.tables import read_csv, write_csv
from ccerates.analysis.verification import (
    COMPARISONS,
    VERIFY_COLUMNS,
    check_verdicts,
    update_reference,
    verify,
)
from ccerates.errors import InputError

SWEEP = pd.DataFrame(
    {
        "experiment": "sim-horizon", "setting": "simulator", "algorithm": "evb-sim",
        "axis": "horizon", "value": [8.0, 24.0, 32.0],
        "samples_to_target": [4096.123456789, 331776.0, np.nan],
        "ci_low": [4000.0, np.nan, np.nan], "ci_high": [4200.0, np.nan, np.nan],
        "ci_method": ["bca", "none", "none"], "status": ["measured", "censored", "invalid"],
        "target": 0.125, "uniform_gap": [0.545, 0.613, 0.15], "budget_low": 100,
        "budget_high": 331776, "replicates": 20, "fitted": [True, False, False],
    }
)  # fmt: skip
CURVES_TABLE = pd.DataFrame(
    {
        "game": "survival", "algorithm": "evb-sim", "samples": [1000, 2000],
        "gap_median": [0.2, 0.1], "gap_quartile_low": [0.19, 0.09],
        "gap_quartile_high": [0.21, 0.11], "uniform_gap": 0.5, "replicates": 20,
        "gap_kind": "upper",
    }
)  # fmt: skip
RESULTS = {
    **dict.fromkeys(SWEEPS, SWEEP),
    **dict.fromkeys(CURVES, CURVES_TABLE),
    "tuning": pd.DataFrame(
        {
            "setting": "simulator", "algorithm": "evb-sim", "rate_scale": [1.0, 4.0],
            "bonus_scale": 1.0,
            "samples_to_target": [4096.0, np.nan], "ci_low": [4000.0, np.nan],
            "ci_high": [4200.0, np.nan], "status": ["measured", "invalid"],
            "chosen": [True, False], "used": [True, False],
        }
    ),
    "bandit": pd.DataFrame(
        {
            "bandit": ["evb-rigorous", "exp3-p"], "adversary": "switching",
            "constants": ["rigorous", "published"], "num_actions": 4, "rounds": 100, "runs": 10,
            "bound_violations": [3, np.nan], "analytic_violations": [0, np.nan],
            "certificate_violations": 0, "regret_median": [12.0, 40.0],
            "ci_low": [11.0, 38.0], "ci_high": [13.0, 42.0],
        }
    ),
    "bounds": pd.DataFrame(
        {
            "check": ["C1", "C2"], "algorithm": "evb-sim",
            "kind": ["deterministic", "confidence"], "runs": 100, "violations": 0,
            "allowed": ["0", "none"], "verdict": ["pass", "too few runs"],
        }
    ),
    "certificate": pd.DataFrame(
        {
            "game": "survival", "algorithm": ["evb-sim", "q-ftrl"],
            "constants": ["rigorous", "practical"], "rounds": 10000, "delta": [0.05, np.nan],
            "runs": 10, "certificate_median": [0.5, 1.5], "gap_median": [0.25, -1e-17],
            "violations": 0,
        }
    ),
    "lower-bound": pd.DataFrame(
        {
            "cell": ["base", "below"], "algorithm": "evb-sim", "samples": [32, 4096],
            "below_bound": [False, True], "runs": 100, "failing_samples": [28.5, 9000.25],
            "scaled_samples": [0.01, 1e-5], "failure_rate": [0.5, 1.0],
            "ci_low": [0.39, 0.96], "ci_high": [0.61, 1.0],
        }
    ),
    "lower-bound-crossings": pd.DataFrame(
        {
            "algorithm": "evb-sim", "axis": ["horizon", "all"], "theory": [4.0, np.nan],
            "cells": [4, 15], "censored": 0, "exponent": [3.6, np.nan],
            "bound_exponent": [4.25, np.nan],
            "ci_low": [3.5, np.nan], "ci_high": [3.7, np.nan],
        }
    ),
    "exponents": pd.DataFrame(
        {
            "setting": "simulator", "algorithm": ["evb-sim", "q-ftrl"], "axis": "horizon",
            "theory": 4.0, "measured": [3.9, np.nan], "ci_low": [3.8, np.nan],
            "ci_high": [4.0, np.nan], "local_slope": [3.95, np.nan], "points": [4, 1],
            "fit_low": 8.0, "fit_high": [24.0, 8.0], "verdict": ["confirmed", "not fitted"],
        }
    ),
    "exponent-differences": pd.DataFrame(
        {
            "setting": "simulator", "axis": "horizon", "baseline": "q-ftrl",
            "algorithm": "evb-sim", "difference": [0.05], "ci_low": [-0.05], "ci_high": [0.15],
        }
    ),
    "exponents-relative": pd.DataFrame(
        {
            "setting": "simulator", "algorithm": ["evb-sim", "q-ftrl"], "axis": "actions",
            "share": [0.25, np.nan], "measured": [1.1, np.nan], "ci_low": [1.0, np.nan],
            "ci_high": [1.2, np.nan], "local_slope": [1.05, np.nan], "points": [4, 0],
        }
    ),
    "real-games": pd.DataFrame(
        {
            "game": "goofspiel-4", "players": 2, "states": 100, "horizon": 4,
            "algorithm": "evb-sim", "samples": [1000, 2000], "gap_kind": "exact",
            "gap_mean": [0.2, 0.1], "ci_low": [0.19, 0.09], "ci_high": [0.21, 0.11],
        }
    ),
}  # fmt: skip


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    folder = tmp_path / "reference" / "paper"
    paths = update_reference(RESULTS, folder)
    assert [path.name for path in paths] == [f"{name}.csv" for name in RESULTS]
    return folder


def through_csv(table: pd.DataFrame, folder: Path) -> pd.DataFrame:
    write_csv(table, folder / "table.csv")
    return read_csv(folder / "table.csv")


def failures(report: pd.DataFrame) -> list[str]:
    return report.loc[report["verdict"] != "pass", "quantity"].tolist()


def test_every_table_has_a_case_here() -> None:
    assert set(RESULTS) == set(COMPARISONS)


def test_equal_results_pass(reference: Path, tmp_path: Path) -> None:
    report = verify(
        {name: through_csv(table, tmp_path) for name, table in RESULTS.items()}, reference
    )
    assert tuple(report.columns) == VERIFY_COLUMNS
    assert failures(report) == []
    # For each row: one quantity for an exact or relative column, two for a statistical one.
    counted = (
        *(11 * 3 * (5 + 2 + 2), 2 * 2 * (1 + 2 + 2)),  # sweeps, curves
        *(2 * (3 + 2), 2 * (7 + 2), 2 * 4),  # tuning, bandit, bounds
        *(2 * (4 + 2), 2 * (4 + 2)),  # lower bound and its crossings
        *(2 * (3 + 2), 2 * (5 + 2), 2, 2 * (4 + 2)),  # certificate, exponents, differences, games
        2 * (2 + 2),  # relative exponents
    )
    assert len(report) == sum(counted)


def perturbed(value: object) -> object:
    """Return something else than a cell of a reference."""
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, bool | np.bool_):
        return not value
    number = float(str(value))
    return 7.0 if np.isnan(number) else number + 1.0 + 0.5 * abs(number)


ALIKE = {*SWEEPS, *CURVES} - {"sim-horizon", "gap-decay"}
CELLS = [
    (name, row, column)
    for name, table in RESULTS.items()
    if name not in ALIKE
    for row in range(len(table))
    for column in COMPARISONS[name].columns
    if column not in COMPARISONS[name].interval
]


@pytest.mark.parametrize(("name", "row", "column"), CELLS)
def test_a_perturbed_reference_fails(reference: Path, name: str, row: int, column: str) -> None:
    path = reference / f"{name}.csv"
    table = read_csv(path).astype(object)
    table.loc[row, column] = perturbed(table.loc[row, column])
    write_csv(table, path)
    assert failures(verify({name: RESULTS[name]}, reference)), "a changed number must be noticed"


@pytest.mark.parametrize(("factor", "passes"), [(1.0 + 5e-7, True), (1.0 + 5e-6, False)])
def test_deterministic_floats_agree_to_a_millionth(
    reference: Path, factor: float, passes: bool
) -> None:
    table = RESULTS["sim-horizon"].copy()
    table["uniform_gap"] *= factor
    assert (failures(verify({"sim-horizon": table}, reference)) == []) == passes


@pytest.mark.parametrize(
    ("column", "values", "passes"),
    [
        ("certificate_median", [0.5499, 1.351], True),
        ("certificate_median", [0.5501, 1.5], False),
        ("certificate_median", [0.5, 1.349], False),
        ("gap_median", [0.2251, 3e-17], True),
        ("gap_median", [0.25, 3e-9], False),
        ("gap_median", [0.25, np.nan], False),
    ],
)
def test_medians_over_runs_agree_to_a_tenth(
    reference: Path, column: str, values: list[float], passes: bool
) -> None:
    table = RESULTS["certificate"].assign(**{column: values})
    report = verify({"certificate": table}, reference)
    assert (failures(report) == []) == passes
    assert set(report["comparator"]) == {"exact", "close"}


@pytest.mark.parametrize(
    ("shift", "passes"), [(0.19, True), (-0.19, True), (0.21, False), (-0.21, False)]
)
def test_measured_values_agree_while_intervals_overlap(
    reference: Path, shift: float, passes: bool
) -> None:
    table = RESULTS["exponents"].copy()
    table[["measured", "ci_low", "ci_high"]] += shift
    report = verify({"exponents": table}, reference)
    assert failures(report) == (
        [] if passes else ["measured [setting=simulator, algorithm=evb-sim, axis=horizon]"]
    )
    row = report[report["comparator"] == "statistical"].iloc[0]
    assert (row["expected"], row["tolerance"]) == ("3.9", "0.2")


def test_a_lost_interval_fails(reference: Path) -> None:
    table = RESULTS["real-games"].copy()
    table.loc[0, "ci_high"] = np.nan
    assert failures(verify({"real-games": table}, reference)) == [
        "interval width of gap_mean [game=goofspiel-4, algorithm=evb-sim, samples=1000]"
    ]


def test_without_intervals_values_stand_for_themselves(tmp_path: Path) -> None:
    table = RESULTS["real-games"].assign(ci_low=np.nan, ci_high=np.nan)
    update_reference({"real-games": table}, tmp_path)
    assert failures(verify({"real-games": table}, tmp_path)) == []
    table["gap_mean"] *= 1.0001
    assert len(failures(verify({"real-games": table}, tmp_path))) == 2


@pytest.mark.parametrize(("stretch", "passes"), [(2.9, True), (3.1, False), (1 / 3.1, False)])
def test_noise_does_not_pass_for_agreement(reference: Path, stretch: float, passes: bool) -> None:
    table = RESULTS["exponents"].copy()
    table["ci_low"] = 3.9 - 0.1 * stretch
    table["ci_high"] = 3.9 + 0.1 * stretch
    table.loc[1, ["ci_low", "ci_high"]] = np.nan
    assert (failures(verify({"exponents": table}, reference)) == []) == passes


def test_rows_on_one_side_only_fail(reference: Path) -> None:
    table = RESULTS["real-games"]
    fewer = verify({"real-games": table.iloc[:1]}, reference)
    more = pd.concat([table, table.iloc[:1].assign(game="pathfinding")])
    more = verify({"real-games": more}, reference)
    expected = ["row [game=goofspiel-4, algorithm=evb-sim, samples=2000]"]
    assert failures(fewer) == expected
    assert failures(more) == ["row [game=pathfinding, algorithm=evb-sim, samples=1000]"]


def test_a_missing_reference_names_the_command(tmp_path: Path) -> None:
    command = "snakemake --cores 2 update_reference --configfile config/smoke.yaml"
    folder = tmp_path / "reference" / "smoke"
    folder.mkdir(parents=True)
    with pytest.raises(InputError, match=rf"real-games.csv: no reference.*{command}"):
        verify({"real-games": RESULTS["real-games"]}, folder)


def test_a_config_without_any_reference_is_said_to_have_none(tmp_path: Path) -> None:
    folder = tmp_path / "reference" / "mine"
    compared = verify({"real-games": RESULTS["real-games"]}, folder)
    assert compared["verdict"].tolist() == ["no reference"]
    assert "update_reference --configfile config/mine.yaml" in check_verdicts(compared, folder)


def test_check_verdicts_fails_with_the_rows_that_differ(reference: Path) -> None:
    changed = RESULTS["real-games"].assign(states=7)
    compared = verify({"real-games": changed}, reference)
    with pytest.raises(InputError, match=r"(?s)quantities differ.*states.*update_reference"):
        check_verdicts(compared, reference)
    same = verify({"real-games": RESULTS["real-games"]}, reference)
    assert check_verdicts(same, reference).startswith(f"all {len(same)} quantities agree")


def test_a_reference_with_other_columns_names_the_command(reference: Path) -> None:
    path = reference / "real-games.csv"
    write_csv(read_csv(path).drop(columns="gap_kind"), path)
    with pytest.raises(InputError, match=r"columns.*config/paper\.yaml"):
        verify({"real-games": RESULTS["real-games"]}, reference)


def test_two_rows_of_one_name_are_refused(reference: Path) -> None:
    table = pd.concat([RESULTS["real-games"]] * 2)
    with pytest.raises(InputError, match="two rows for game=goofspiel-4"):
        verify({"real-games": table}, reference)


def test_verify_writes_nothing(reference: Path) -> None:
    before = {path: path.read_bytes() for path in reference.iterdir()}
    table = RESULTS["real-games"].assign(gap_mean=0.5)
    verify({"real-games": table}, reference)
    assert {path: path.read_bytes() for path in reference.iterdir()} == before
