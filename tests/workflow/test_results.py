"""What a run leaves behind: tables of runs, logs, and the same numbers on any number of cores."""

import json

import pandas as pd
import pytest

RUNS = "runs/sim-horizon/horizon-4"
ALGORITHMS = ["evb-sim", "q-ftrl"]


@pytest.fixture(scope="module")
def alone(finished, tmp_path_factory, config):
    """Two of the runs of `finished`, made again by one job at a time."""
    workflow = finished.copy(tmp_path_factory.mktemp("alone") / "folder")
    name = workflow.write_config("alone.yaml", config | {"name": "alone"})
    targets = [f"results/alone/{RUNS}/{algorithm}.parquet" for algorithm in ALGORITHMS]
    run = workflow.snakemake("--cores", "1", *targets, config=name)
    assert run.returncode == 0, run.stderr
    return workflow


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_results_do_not_depend_on_the_number_of_cores(finished, alone, algorithm):
    one = pd.read_parquet(alone.folder / f"results/alone/{RUNS}/{algorithm}.parquet")
    two = pd.read_parquet(finished.folder / f"results/tiny/{RUNS}/{algorithm}.parquet")
    pd.testing.assert_frame_equal(one, two, check_exact=True)
    assert list(zip(two["rounds"], two["replicate"], strict=True)) == [
        # 0.025 and 0.05 times 4^3 * 2 / 0.25^2 = 2048, rounded up
        *[(52, 0), (52, 1)],
        *[(103, 0), (103, 1)],
    ]
    assert two["gap"].nunique() == 4


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_logs_hold_progress(finished, algorithm):
    log = finished.folder / f"results/tiny/logs/{RUNS}/{algorithm}.log"
    first, second = log.read_text().splitlines()
    assert first.startswith(f"{algorithm} horizon-4: 52 rounds, mean gap 0.")
    assert second.startswith(f"{algorithm} horizon-4: 103 rounds, mean gap 0.")


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
