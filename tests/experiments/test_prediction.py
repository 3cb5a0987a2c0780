"""Costs worked out by hand, and the paper's, which was measured."""

from copy import deepcopy
from pathlib import Path

import pandas as pd
import pytest

from ccerates.config import read_config
from ccerates.errors import InputError
from ccerates.experiments.prediction import Job, Rates, predict, read_rates
from ccerates.experiments.rate_fit import fit_rates
from ccerates.experiments.workload import plan_jobs
from experiments.small_cells import SMOKE

ROOT = Path(__file__).parents[2]
RATES = {"a": Rates(2.0, 0.5, 10.0, 1.0), "b": Rates(1.0, 0.0, 100.0, 0.0)}
SMALL = Job("e", "mine", "a", 4, 1_000_000_000, 6_000_000_000)  # 2 + 2 + 10 + 6 seconds
LARGE = Job("f", "b", "b", 1, 500_000_000, 0)  # 1 + 50 seconds


def test_costs_by_hand():
    found = predict([SMALL, LARGE, SMALL], RATES, cores=1)
    assert found.experiments == {"e": (2, 40.0), "f": (1, 51.0)}
    assert (found.core_seconds, found.longest_job, found.wall_seconds) == (91.0, 51.0, 91.0)


@pytest.mark.parametrize(("cores", "wall"), [(2, 51.0), (3, 51.0), (50, 51.0)])
def test_jobs_share_the_cores(cores, wall):
    assert predict([SMALL, LARGE, SMALL], RATES, cores).wall_seconds == wall


def test_an_unknown_learner_counts_as_the_dearest():
    job = SMALL._replace(algorithm="own")
    # a: 20 seconds, b: 1 + 100 seconds.
    assert predict([job], RATES, 1).core_seconds == 101.0


def test_larger_budgets_cost_more():
    rates = read_rates(ROOT / "reference/rates.csv")
    larger = deepcopy(SMOKE)
    for sweep in larger["sweeps"].values():
        budgets = sweep["budget_scales"].items()
        sweep["budget_scales"] = {name: [2 * scale for scale in own] for name, own in budgets}
    few, many = (predict(plan_jobs(each), rates, 2) for each in (SMOKE, larger))
    assert few.core_seconds < many.core_seconds
    for name in SMOKE["sweeps"]:
        assert few.experiments[name][1] < many.experiments[name][1]


@pytest.fixture(scope="module")
def paper():
    """The paper's jobs added up by experiment and learner, and what they cost."""
    jobs = {}
    for job in plan_jobs(read_config(ROOT / "config/paper.yaml")):
        key = (job.experiment, job.learner)
        jobs[key] = jobs[key] + job if key in jobs else job
    costs = pd.read_csv(ROOT / "reference/paper/cost.csv")
    return jobs, costs.set_index(["experiment", "algorithm"])


def test_planned_samples_of_the_paper_were_drawn(paper):
    jobs, costs = paper
    assert {key: job.samples for key, job in jobs.items()} == costs["samples"].to_dict()


def test_the_paper_costs_what_is_predicted(paper):
    jobs, costs = paper
    rates = read_rates(ROOT / "reference/rates.csv")
    predicted = pd.Series(
        {
            key: rates[job.algorithm].seconds(job)
            # The sum counts as one job.
            + (costs["jobs"][key] - 1) * rates[job.algorithm].seconds_per_job
            for key, job in jobs.items()
        }
    )
    measured = costs["core_seconds"]
    assert predicted.sum() == pytest.approx(measured.sum(), rel=0.25)
    ratios = predicted.groupby(level=0).sum() / measured.groupby(level=0).sum()
    assert ratios.between(0.5, 2.0).all()


def test_exact_costs_give_back_their_rates():
    shapes = [(1, 2, 3, 5), (2, 1, 8, 1), (1, 9, 1, 2), (5, 5, 1, 9), (3, 1, 4, 1), (1, 1, 9, 3)]
    jobs = [
        Job(f"e{place}", "mine", "a", runs, samples * 10**9, joint * 10**9)
        for place, (_, runs, samples, joint) in enumerate(shapes)
    ]
    costs = pd.DataFrame(
        {
            "experiment": [job.experiment for job in jobs],
            "algorithm": "mine",
            "jobs": [shape[0] for shape in shapes],
            "core_seconds": [
                2 * count + 0.5 * runs + 10 * samples + joint
                for count, runs, samples, joint in shapes
            ],
        }
    )
    assert fit_rates(jobs, costs)["a"] == pytest.approx(RATES["a"])


@pytest.mark.parametrize("text", ["", "algorithm\na\n", "a,b\n1,2\n"])
def test_other_tables_are_refused(tmp_path, text):
    path = tmp_path / "rates.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="expected a table of rates with the columns algorithm, s"):
        read_rates(path)
    with pytest.raises(InputError, match="No such file"):
        read_rates(tmp_path / "none.csv")
