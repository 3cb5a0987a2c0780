"""What is committed fits together: references of the shipped configs, figures, verdicts."""

from pathlib import Path

import pandas as pd
import pytest

from ccerates.analysis.verification import COMPARISONS

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("config", ["paper", "smoke"])
@pytest.mark.parametrize("table", COMPARISONS)
def test_shipped_configs_have_a_reference_for_every_table(config: str, table: str) -> None:
    reference = pd.read_csv(ROOT / f"reference/{config}/{table}.csv")
    assert list(reference.columns) == COMPARISONS[table].columns
    assert not reference.empty


def test_experiments_use_what_the_rule_of_tuning_chose() -> None:
    tuning = pd.read_csv(ROOT / "reference/paper/tuning.csv")
    assert (tuning["chosen"] == tuning["used"]).all()
    assert (tuning.groupby("algorithm")["used"].sum() == 1).all()


def test_committed_tables_passed_verification() -> None:
    verdicts = pd.read_csv(ROOT / "figures/tables/verify.csv")
    assert set(verdicts["claim"]) == set(COMPARISONS)
    assert set(verdicts["verdict"]) == {"pass"}
    for table, comparison in COMPARISONS.items():
        published = pd.read_csv(ROOT / f"figures/tables/{table}.csv")
        reference = pd.read_csv(ROOT / f"reference/paper/{table}.csv")
        pd.testing.assert_frame_equal(
            published[list(comparison.columns)], reference, check_exact=False, rtol=1e-6
        )
