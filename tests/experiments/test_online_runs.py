"""Rows of online runs against learners and evaluators called directly."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.evaluation.markov import cce_gap, uniform_policy
from ccerates.experiments.cells import AUDIT
from ccerates.experiments.online_runs import run_cell
from ccerates.experiments.tuning_runs import run_tuning
from ccerates.games.model import MarkovGame
from ccerates.online import run as online_run
from ccerates.online.evb_online import EvbOnlineOptions
from ccerates.online.registry import MODULES
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from ccerates.online.v_learning import VLearningOptions
from ccerates.streams import LEARNER_STREAM, seed_sequence
from experiments.small_cells import CELLS, SEED, games

CELL = CELLS["online-horizon", "horizon-4"]
LEARNERS = {"v-learning": VLearningOptions, "evb-online": EvbOnlineOptions}


def run(cell, label, section=None, *, report=lambda line: None):
    return run_cell(cell, label, section or {}, games(cell), root_seed=SEED, report=report)


@pytest.mark.parametrize("algorithm", LEARNERS)
def test_rows_are_what_learner_and_evaluator_return(algorithm):
    table, results = run(CELL, algorithm, {"rate_scale": 2})
    checkpoints = CELL.rounds[algorithm]
    assert list(zip(table["rounds"], table["replicate"], strict=True)) == list(
        product(checkpoints, range(3))
    )
    options = LEARNERS[algorithm](rate_scale=2)
    for replicate, game in enumerate(games(CELL)):
        evaluator = CertifiedEvaluator(game, MODULES[algorithm][3])
        seed = seed_sequence(SEED, "online-horizon", "horizon-4", replicate, LEARNER_STREAM)
        alone = learn_online(
            algorithm, [Episodes(game)], checkpoints, [seed], options, observers=[evaluator]
        )
        rows = table[table["replicate"] == replicate]
        kept = results[replicate::3]
        for row, result, (expected,) in zip(rows.itertuples(), kept, alone, strict=True):
            gap = evaluator.gap()
            assert (row.gap, row.gap_worst) == (gap.gap, gap.gap_worst)
            assert row.samples == result.samples == expected.samples == row.rounds * 4
            np.testing.assert_array_equal(result.upper_value, expected.upper_value)
            assert (result.episodes, result.audit) == (row.rounds, None)
            assert row.uniform_gap == cce_gap(game, uniform_policy(game)).gap
            assert row.game_hash == game.content_hash


def test_columns_are_those_of_the_simulator_with_the_words_of_the_other_setting():
    table, _ = run(CELL, "evb-online")
    expected = {
        "experiment": "online-horizon", "setting": "online", "algorithm": "evb-online",
        "constants": "practical", "axis": "horizon", "value": 4.0, "game": "survival",
        "players": 2, "states": 2, "horizon": 4, "max_actions": 3, "eps_game": 0.25,
        "target": 0.125, "rounds": 62, "samples": 248, "gap_kind": "upper",
    }  # fmt: skip
    for column, value in expected.items():
        assert set(table[column]) == {value}, column
    assert set(table["certified"]) == {False}


def test_all_budgets_are_checkpoints_of_one_run(monkeypatch):
    """It is planned for the largest budget, and what it has done by the first is the same."""
    played = []
    advance = online_run.OnlineBatch.advance

    def spy(batch, to_episode, progress=None):
        played.append((batch.episodes, batch.episode, to_episode))
        advance(batch, to_episode, progress)

    monkeypatch.setattr(online_run.OnlineBatch, "advance", spy)
    lines = []
    table, _ = run(CELL, "v-learning", report=lines.append)
    assert played == [(62, 0, 13), (62, 13, 62)]
    means = table.groupby("rounds")["gap"].mean()
    assert lines == [
        f"v-learning horizon-4: {rounds} episodes, mean gap {means[rounds]:.4g}"
        for rounds in (13, 62)
    ]


def test_replicates_beyond_the_games_play_them_again_with_other_luck():
    table, _ = run(replace(CELL, replicates=5), "v-learning")
    last = table[table["rounds"] == 62]
    hashes = last["game_hash"].tolist()
    assert hashes[3:] == hashes[:2]
    assert last["gap"].nunique() == 5
    fewer, _ = run(CELL, "v-learning")
    shared = table[table["replicate"] < 3].reset_index(drop=True)
    pd.testing.assert_frame_equal(shared, fewer, check_exact=True)


def test_one_player_who_cannot_err_has_no_gap():
    """One player, one action: the value, the best response and every policy are the same."""
    game = MarkovGame(
        num_actions=(1,),
        reward=[[[[0.75]]]],
        next_state=[[[[0]]]],
        probability=[[[[1.0]]]],
        layer=[0, 0],
        start=[1.0],
        name="no-choice",
    )
    cell = replace(CELLS["real-games", "pathfinding"], replicates=2, rounds={"evb-online": (40,)})
    settings = {"root_seed": SEED, "report": lambda line: None}
    table, results = run_cell(cell, "evb-online", {}, [game], **settings)
    assert table["gap"].tolist() == pytest.approx([0.0, 0.0], abs=1e-12)
    assert table["samples"].tolist() == [80, 80]
    assert table["certificate"].tolist() == [result.certificate for result in results]


def test_bounds_are_audited_in_the_experiment_for_it_only():
    cell = replace(CELL, rounds={"rigorous": (30, 60), "v-learning": (30,)})
    section = {"algorithm": "evb-online", "constants": "rigorous"}
    _, plain = run(cell, "rigorous", section)
    assert {result.audit for result in plain} == {None}
    audited, results = run(replace(cell, experiment=AUDIT), "rigorous", section)
    assert set(audited["certified"]) == {True}
    for first, last in zip(results[:3], results[3:], strict=True):
        assert first.audit.commits.sum() < last.audit.commits.sum(), "a copy, not one for all"
    _, without = run(replace(cell, experiment=AUDIT), "v-learning")
    assert {result.audit for result in without} == {None}, "it has no stages"


def test_tuning_runs_every_setting_on_the_same_games_and_luck():
    cell = CELLS["tuning", "held-out-online"]
    scales = {"rate_scale": [1, 3], "bonus_scale": [0.5, 1]}
    settings = {"root_seed": SEED, "report": lambda line: None}
    table = run_tuning(run_cell, cell, "v-learning", {}, games(cell), scales, **settings)
    for (rate, bonus), rows in table.groupby(["rate_scale", "bonus_scale"]):
        alone, _ = run(cell, "v-learning", {"rate_scale": rate, "bonus_scale": bonus})
        assert rows["gap"].tolist() == alone["gap"].tolist()
    assert len(table) == 4 * 2
    assert table["gap"].nunique() >= 4


OWN = """
class Learner:
    averaging = "alpha"

    def __init__(self, num_actions, num_states, horizon, episodes, favourite=0):
        self.num_actions, self.favourite = num_actions, favourite

    def act(self, step, state):
        return [[float(a == self.favourite) for a in range(count)] for count in self.num_actions]

    def update(self, step, state, actions, rewards, next_state):
        pass
"""


def test_a_learner_in_a_file_gets_rows(tmp_path):
    """Always the same action: its gap falls from that of uniform play to that of the constant."""
    path = tmp_path / "constant.py"
    path.write_text(OWN)
    cell = replace(CELL, rounds={"constant": (5, 400)})
    table, results = run(cell, "constant", {"file": str(path), "favourite": 1})
    assert set(table["algorithm"]) == {"constant"}
    assert set(table["setting"]) == {"online"}
    assert {result.algorithm for result in results} == {"constant.py"}
    for replicate, game in enumerate(games(CELL)):
        policy = np.zeros((4, 2, 9))
        policy[:, :, 1 * 3 + 1] = 1.0
        exact = cce_gap(game, policy).gap
        rows = table[table["replicate"] == replicate]
        near, far = (abs(rows.set_index("rounds").loc[k, "gap"] - exact) for k in (400, 5))
        assert near < 0.1 * exact
        assert near < far
