import numpy as np
import pytest

from benchmarks.environment import seeds
from benchmarks.games import case_of, dense
from benchmarks.learners import LEARNERS, learner_task
from ccerates.evaluation.markov import cce_gap
from ccerates.simulator.registry import MODULES as SIMULATOR


@pytest.mark.parametrize("name", LEARNERS)
def test_samples_are_those_that_the_runs_report(name, tiny):
    task = learner_task(name, tiny)
    results = task.run()
    assert len(results) == len(seeds(tiny.replicates))
    assert sum(result.samples for result in results) == task.samples
    gaps = learner_task(name, tiny, gaps=True).run()
    if name in SIMULATOR:
        expected = [cce_gap(tiny.game, result.policy).gap for result in results]
        np.testing.assert_array_equal([gap.gap for gap in gaps], expected)
    else:
        assert [gap.episodes for gap in gaps] == [result.episodes for result in results]


def test_a_case_takes_about_the_samples_that_are_asked_for():
    case = case_of("", dense(states=4, horizon=5), 0.1)
    assert case.rounds * 4 * 5 == 16_000
    assert case.episodes * 5 == 4_000
    assert case_of("", dense(states=64), 1e-4, least_rounds=7).rounds == 7
