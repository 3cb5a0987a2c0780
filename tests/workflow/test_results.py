"""What a run leaves behind: tables of runs, logs, and the same numbers on any number of cores."""

import json

import pandas as pd
import pytest

SIMULATOR, ONLINE = "runs/sim-horizon/horizon-4", "runs/online-horizon/horizon-4"
BUDGETS = {
    # 0.025 and 0.05 times 4^3 * 2 / 0.25^2 = 2048, rounded up
    f"{SIMULATOR}/evb-sim": (52, 103),
    f"{SIMULATOR}/q-ftrl": (52, 103),
    # 0.002 and 0.004 times 4^4 * 2 * 3 / 0.25^2 = 24576, rounded up
    f"{ONLINE}/evb-online": (50, 99),
    f"{ONLINE}/v-learning": (50, 99),
    f"{ONLINE}/exp3": (50, 99),
}


@pytest.fixture(scope="module")
def alone(finished, tmp_path_factory, config):
    """Some of the runs of `finished`, made again by one job at a time."""
    workflow = finished.copy(tmp_path_factory.mktemp("alone") / "folder")
    name = workflow.write_config("alone.yaml", config | {"name": "alone"})
    targets = [f"results/alone/{runs}.parquet" for runs in BUDGETS]
    run = workflow.snakemake(*targets, "--cores", "1", config=name)
    assert run.returncode == 0, run.stderr
    return workflow


@pytest.mark.parametrize("runs", BUDGETS)
def test_results_do_not_depend_on_the_number_of_cores(finished, alone, runs):
    one = pd.read_parquet(alone.folder / f"results/alone/{runs}.parquet")
    two = pd.read_parquet(finished.folder / f"results/tiny/{runs}.parquet")
    pd.testing.assert_frame_equal(one, two, check_exact=True)
    first, second = BUDGETS[runs]
    assert list(zip(two["rounds"], two["replicate"], strict=True)) == [
        *[(first, 0), (first, 1)],
        *[(second, 0), (second, 1)],
    ]
    assert two["gap"].nunique() == 4


@pytest.mark.parametrize("runs", BUDGETS)
def test_logs_hold_progress(finished, runs):
    lines = (finished.folder / f"results/tiny/logs/{runs}.log").read_text().splitlines()
    unit = "rounds" if runs.startswith(SIMULATOR) else "episodes"
    learner = runs.rsplit("/", 1)[1]
    for line, budget in zip(lines, BUDGETS[runs], strict=True):
        assert line.startswith(f"{learner} horizon-4: {budget} {unit}, mean gap 0.")


def test_a_learner_in_one_file_is_in_every_table_that_it_was_put_into(finished):
    """One line in the config names the file, one for each experiment its budgets."""
    tables = finished.folder / "build/tiny/figures/tables"
    sweep = pd.read_csv(tables / "online-horizon.csv")
    own = sweep[sweep["algorithm"] == "exp3"]
    assert own["value"].tolist() == [4, 6]
    exponents = pd.read_csv(tables / "exponents.csv").set_index(["setting", "axis", "algorithm"])
    assert pd.isna(exponents.loc[("online", "horizon", "exp3"), "theory"])
    assert exponents.loc[("online", "horizon", "evb-online"), "theory"] == 5
    real = pd.read_csv(tables / "real-games.csv")
    rows = real[real["algorithm"] == "exp3"]
    assert rows["samples"].tolist() == [8 * 3, 16 * 3]
    assert set(rows["gap_kind"]) == {"upper"}
    for figure in ("online-horizon", "real-games"):
        points = pd.read_csv(finished.folder / f"build/tiny/figures/{figure}.csv")
        assert points.isin(["exp3"]).any(axis=None), figure


def test_tables_with_both_settings_say_which_gap_is_exact(finished):
    tables = finished.folder / "build/tiny/figures/tables"
    for name in ("real-games", "gap-decay", "ablation"):
        table = pd.read_csv(tables / f"{name}.csv")
        kinds = table.groupby("algorithm")["gap_kind"].unique().map(list)
        assert kinds["evb-sim"] == ["exact"]
        assert kinds["evb-online"] == ["upper"]


def test_a_config_stands_alone(finished):
    """Nothing of config/paper.yaml is mixed in."""
    numbers = json.loads((finished.folder / "results/tiny/paper-numbers.json").read_text())
    assert numbers["sweeps"]["sim-horizon"]["values"] == [4, 8]
    games = finished.folder / "results/tiny/games/real-games"
    assert [path.name for path in games.iterdir()] == ["pathfinding"]


def test_only_the_folders_of_the_config_are_written(finished, fresh):
    before, after = ({path.name for path in each.folder.iterdir()} for each in (fresh, finished))
    assert after - before == {".snakemake", "build", "results"}
    for folder in ("build", "results"):
        assert [path.name for path in (finished.folder / folder).iterdir()] == ["tiny"]
