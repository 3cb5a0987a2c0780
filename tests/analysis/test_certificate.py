"""The table of certificates on runs whose medians and violations are easy to count."""

import math

import pandas as pd
import pytest

from ccerates.analysis.certificate import CERTIFICATE_COLUMNS, NEEDED_COLUMNS, certificate_table
from ccerates.analysis.publish import publish
from ccerates.analysis.tables import read_csv
from ccerates.errors import InputError


def runs_of(label, pairs, **changes):
    """Return a row for each pair of a certificate and a gap."""
    common = {
        "experiment": "certificate", "setting": "simulator", "algorithm": label,
        "constants": "rigorous", "game": "survival-4-steps", "horizon": 4, "rounds": 1000,
        "samples": 12000, "gap_kind": "exact", "certified": True,
    }  # fmt: skip
    rows = [
        {**common, "replicate": number, "certificate": certificate, "gap": gap, **changes}
        for number, (certificate, gap) in enumerate(pairs)
    ]
    return pd.DataFrame(rows)


def test_medians_and_violations() -> None:
    runs = runs_of("evb-sim-rigorous", [(0.5, 0.25), (1.5, 1.75), (0.75, 0.5), (1.0, 1.0)])
    (row,) = certificate_table(runs, 0.05).itertuples()
    assert (row.game, row.algorithm, row.label) == (
        "survival-4-steps", "evb-sim", "evb-sim-rigorous",
    )  # fmt: skip
    assert (row.rounds, row.delta, row.runs) == (1000, 0.05, 4)
    assert row.certificate_median == pytest.approx((0.75 + 1.0) / 2)
    assert row.gap_median == pytest.approx((0.5 + 1.0) / 2)
    assert row.violations == 1
    # Ordered .5 .75 1 1.5: a quarter of three steps from the first, three quarters.
    assert row.certificate_quartile_low == pytest.approx(0.5 + 0.75 * 0.25)
    assert row.certificate_quartile_high == pytest.approx(1.0 + 0.25 * 0.5)


def test_rounding_is_no_violation_but_a_millionth_is() -> None:
    close, far = [(0.5, 0.5 + 1e-9)], [(0.5, 0.5 + 1e-6)]
    assert certificate_table(runs_of("evb-sim", close), 0.05)["violations"].tolist() == [0]
    assert certificate_table(runs_of("evb-sim", far), 0.05)["violations"].tolist() == [1]


def test_a_row_for_each_game_learner_and_budget() -> None:
    runs = pd.concat(
        [
            runs_of("evb-sim-rigorous", [(0.5, 0.25)] * 2),
            runs_of("evb-sim-rigorous", [(0.25, 0.125)] * 3, rounds=4000),
            runs_of("evb-sim", [(0.1, 0.2)], constants="practical", certified=False),
            runs_of("v-learning", [(math.nan, 0.2)], constants="practical", certified=False),
            runs_of("q-ftrl", [(0.4, 0.3)], constants="practical", experiment="coverage",
                    game="survival-2-steps"),
        ]
    )  # fmt: skip
    table = certificate_table(runs, 0.05)
    keys = ["game", "algorithm", "constants", "rounds", "runs", "violations"]
    assert table[keys].to_numpy().tolist() == [
        ["survival-4-steps", "evb-sim", "practical", 1000, 1, 1],
        ["survival-4-steps", "evb-sim", "rigorous", 1000, 2, 0],
        ["survival-4-steps", "evb-sim", "rigorous", 4000, 3, 0],
        ["survival-2-steps", "q-ftrl", "practical", 1000, 1, 0],
    ]
    assert math.isnan(table["delta"][0]), "practical constants promise nothing"
    assert table["delta"][1:].tolist() == [0.05] * 3


def test_published_columns(tmp_path) -> None:
    publish(
        certificate_table(runs_of("evb-sim", [(0.5, 0.25)]), 0.05), tmp_path / "certificate.csv"
    )
    table = read_csv(tmp_path / "certificate.csv")
    assert ",".join(table.columns) == (
        "game,algorithm,constants,rounds,delta,runs,certificate_median,gap_median,violations"
    )
    assert tuple(table.columns) == CERTIFICATE_COLUMNS
    assert "survival-4-steps & evb-sim & rigorous & $1000$ & $0.05$ & $1$ & $0.5$ & $0.25$" in (
        tmp_path / "certificate.tex"
    ).read_text(encoding="utf-8")


def test_faults_are_told() -> None:
    runs = runs_of("evb-sim", [(0.5, 0.25)])
    for column in NEEDED_COLUMNS:
        with pytest.raises(InputError, match=f"runs: no column {column}; run the learners again"):
            certificate_table(runs.drop(columns=column), 0.05)
    with pytest.raises(InputError, match="runs: none has a certificate"):
        certificate_table(runs.assign(certificate=math.nan), 0.05)
