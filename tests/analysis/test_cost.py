"""What runs cost: samples drawn once are counted once."""

import pandas as pd

from ccerates.analysis.cost import COST_COLUMNS, cost, learning_job

BENCHMARK = pd.DataFrame({"cpu_time": [2.0], "max_rss": [100.0]})


def runs(setting: str, **columns: list[object]) -> pd.DataFrame:
    """Return two replicates at budgets of 100 and 400 samples."""
    fixed = {"experiment": "e", "setting": setting, "algorithm": setting}
    return pd.DataFrame(
        fixed | {"replicate": [0, 1, 0, 1], "samples": [100, 100, 400, 400]} | columns
    )


def test_with_the_simulator_every_budget_is_a_run() -> None:
    assert learning_job([runs("simulator")], BENCHMARK).samples == 1000


def test_online_budgets_are_checkpoints_of_one_run() -> None:
    assert learning_job([runs("online")], BENCHMARK).samples == 800


def test_online_every_setting_of_the_scales_is_a_run() -> None:
    tables = [
        runs("online").assign(rate_scale=rate, bonus_scale=bonus)
        for rate in (1, 4)
        for bonus in (0.3, 1, 3)
    ]
    assert learning_job([pd.concat(tables)], BENCHMARK).samples == 6 * 800


def test_samples_of_all_cells_of_a_job_are_counted() -> None:
    cells = [runs("online"), runs("online").assign(samples=lambda table: 10 * table["samples"])]
    assert learning_job(cells, BENCHMARK).samples == 800 + 8000


def test_jobs_add_up_by_experiment_and_algorithm() -> None:
    larger = BENCHMARK.assign(max_rss=150.0)
    jobs = [learning_job([runs("online")], each) for each in (BENCHMARK, larger)]
    jobs.append(learning_job([runs("simulator")], BENCHMARK))
    table = cost(jobs)
    assert tuple(table.columns) == COST_COLUMNS
    assert table.to_numpy().tolist() == [
        ["e", "online", 2, 4.0, 150.0, 1600, 400.0],
        ["e", "simulator", 1, 2.0, 100.0, 1000, 500.0],
    ]
