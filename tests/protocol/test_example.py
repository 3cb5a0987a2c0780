"""The worked example learns, and is as short as the README says."""

from pathlib import Path

import numpy as np

from ccerates import api
from ccerates.api.trials import prisoners_dilemma
from ccerates.protocol import load_learner

EXAMPLE = str(Path(__file__).parents[2] / "examples/exp3.py")


def test_the_gap_falls_far_below_that_of_uniform_play():
    game = prisoners_dilemma()
    checkpoints = api.learn_online(game, EXAMPLE, episodes=5000, checkpoints=[500], seed=1)
    early, late = (checkpoint.gaps[0].gap for checkpoint in checkpoints)
    assert 0.0 < late < 0.7 * early
    assert late < 0.3 * api.show_game(game).uniform_gap


def test_it_stays_short():
    lines = Path(EXAMPLE).read_text().splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 40


def test_values_follow_v_learning_s_step_size():
    learner = load_learner(EXAMPLE).construct((2, 2), 1, 2, 10)
    for reward in (0.5, 1.0, 0.25):
        learner.act(1, 0)
        learner.update(1, 0, (0, 1), (reward, 0.0), 0)
    # a_1 = 1, a_2 = 3/4, a_3 = 3/5 with H = 2.
    expected = 0.4 * (0.25 * 0.5 + 0.75 * 1.0) + 0.6 * 0.25
    np.testing.assert_allclose(learner.value[1, 0], [expected, 0.0], rtol=1e-14)
