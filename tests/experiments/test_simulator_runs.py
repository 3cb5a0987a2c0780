"""Rows of runs against learners and exact gaps called directly."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from ccerates.evaluation.markov import cce_gap
from ccerates.experiments.simulator_runs import run_cell
from ccerates.experiments.tuning_runs import run_tuning
from ccerates.games.cell_games import make_cell_game
from ccerates.games.families import make_game
from ccerates.games.model import MarkovGame
from ccerates.simulator import evb_sim, q_ftrl
from ccerates.simulator.registry import learn
from ccerates.simulator.source import Simulator
from ccerates.streams import LEARNER_STREAM, seed_sequence
from experiments.small_cells import CELL, CELLS, SEED, games, run

LEARNERS = {"q-ftrl": (q_ftrl, q_ftrl.QFtrlOptions), "evb-sim": (evb_sim, evb_sim.EvbSimOptions)}
COLUMNS = [
    "experiment", "setting", "algorithm", "constants", "axis", "value", "game", "game_hash",
    "players", "states", "horizon", "max_actions", "eps_game", "target", "replicate", "rounds",
    "samples", "gap_kind", "gap", "gap_worst", "uniform_gap", "certificate", "certified",
]  # fmt: skip

# Random streams


def test_games_differ_between_cells_and_replicates():
    longer = CELLS["sim-horizon", "horizon-6"]
    keys = [np.ravel(game.metadata["keys"])[:8] for game in games(CELL, 8) + games(longer, 8)]
    assert len({tuple(each) for each in keys}) == len(keys)


def test_games_are_the_same_whenever_they_are_made():
    assert [game.content_hash for game in games(CELL)] == [
        game.content_hash for game in games(CELL)
    ]
    other_seed = make_cell_game(
        CELL.game, root_seed=SEED + 1, experiment="sim-horizon", cell="horizon-4", replicate=0
    )
    assert other_seed.content_hash != games(CELL)[0].content_hash


@pytest.fixture
def seeds(monkeypatch):
    """Random states that each run handed to its learner, by (algorithm, cell, rounds)."""
    seen = {}

    def spy(name, learn_batch):
        def learn(simulators, rounds, streams, options):
            states = [tuple(stream.generate_state(4)) for stream in streams]
            seen[name, simulators[0].horizon, rounds] = states
            return learn_batch(simulators, rounds, streams, options)

        return learn

    for name, (module, _) in LEARNERS.items():
        monkeypatch.setattr(module, "learn_batch", spy(name, module.learn_batch))
    return seen


def test_learners_share_streams_that_cells_and_replicates_do_not(seeds):
    for name, algorithm in product(("horizon-4", "horizon-6"), LEARNERS):
        run(CELLS["sim-horizon", name], algorithm)
    by_horizon = {}
    for (_, horizon, _), states in seeds.items():
        by_horizon.setdefault(horizon, set()).add(tuple(states))
    assert len(seeds) == 6
    assert {len(batches) for batches in by_horizon.values()} == {1}  # every learner and budget
    distinct = {state for batches in by_horizon.values() for batch in batches for state in batch}
    assert len(distinct) == 2 * 3


# Runs


@pytest.mark.parametrize("algorithm", LEARNERS)
def test_rows_are_what_learner_and_evaluation_return(algorithm):
    table, results = run(CELL, algorithm, {"failure": 0.1})
    assert list(table.columns) == COLUMNS
    order = list(product(CELL.rounds[algorithm], range(3)))
    assert list(zip(table["rounds"], table["replicate"], strict=True)) == order

    _, options_type = LEARNERS[algorithm]
    rows = zip(order, table.itertuples(), results, strict=True)
    for (rounds, replicate), row, kept in rows:
        game = games(CELL)[replicate]
        seed = seed_sequence(SEED, "sim-horizon", "horizon-4", replicate, LEARNER_STREAM)
        result = learn(algorithm, Simulator(game), rounds, seed, options_type(failure=0.1))
        np.testing.assert_array_equal(kept.policy, result.policy)
        gap = cce_gap(game, result.policy)
        assert (row.gap, row.gap_worst) == (gap.gap, gap.gap_worst)
        assert (row.certificate, row.certified) == (result.certificate, algorithm == "q-ftrl")
        assert row.samples == result.samples
        assert (row.game_hash, row.constants) == (game.content_hash, "practical")
        uniform = np.full((4, 2, 9), 1 / 9)
        assert row.uniform_gap == pytest.approx(cce_gap(game, uniform).gap, abs=1e-12)


def test_columns_that_hold_for_the_whole_cell():
    table, _ = run(CELL, "evb-sim")
    expected = {
        "experiment": "sim-horizon", "setting": "simulator", "algorithm": "evb-sim",
        "axis": "horizon", "value": 4.0, "game": "survival", "players": 2, "states": 2,
        "horizon": 4, "max_actions": 3, "eps_game": 0.25, "target": 0.125, "rounds": 39,
        "samples": 39 * 4 * 2, "gap_kind": "exact",
    }  # fmt: skip
    for column, value in expected.items():
        assert set(table[column]) == {value}, column


def test_replicates_beyond_the_games_play_them_again_with_other_luck():
    table, _ = run(CELLS["sim-action-sum", "action-sum-5"], "evb-sim")
    assert table["replicate"].tolist() == [0, 1, 2, 3, 4]
    hashes = table["game_hash"].tolist()
    assert hashes[3:] == hashes[:2]
    assert len(set(hashes)) == 3
    assert table["gap"].nunique() == 5


def test_a_label_stands_for_an_algorithm_with_options():
    cell = replace(CELL, rounds={"short": (39,)})
    table, results = run(cell, "short", {"algorithm": "evb-sim", "rate_scale": 2})
    assert set(table["algorithm"]) == {"short"}
    assert {result.algorithm for result in results} == {"evb-sim"}
    plain, _ = run(CELL, "evb-sim", {"rate_scale": 2})
    assert table["gap"].tolist() == plain["gap"].tolist()


@pytest.mark.parametrize("algorithm", LEARNERS)
def test_replicates_do_not_depend_on_the_size_of_the_batch(algorithm):
    five, two = (run(replace(CELL, replicates=count), algorithm)[0] for count in (5, 2))
    shared = five[five["replicate"] < 2].reset_index(drop=True)
    pd.testing.assert_frame_equal(shared, two, check_exact=True)


def test_replicates_of_a_given_game_share_the_game_only():
    cell = CELLS["real-games", "pathfinding"]
    rng = np.random.default_rng(3)
    parameters = {"num_players": 2, "num_actions": 2, "num_states": 3, "horizon": 3}
    game = make_game("dense-random", parameters, rng)
    settings = {"root_seed": SEED, "report": lambda line: None}
    table, _ = run_cell(cell, "evb-sim", {}, [game], **settings)
    assert set(table["game_hash"]) == {game.content_hash}
    assert set(table["game"]) == {"pathfinding"}
    assert table["gap"].nunique() == 3
    assert table[["value", "eps_game", "target"]].isna().all(axis=None)
    assert set(table["axis"]) == {""}


def test_known_game_known_gap():
    """One player, one state, two actions worth 0.75 and 0.25: uniform play is 0.25 off."""
    game = MarkovGame(
        num_actions=(2,),
        reward=[[[[0.75, 0.25]]]],
        next_state=[[[[0], [0]]]],
        probability=[[[[1.0], [1.0]]]],
        layer=[0],
        start=[1.0],
        name="choice",
    )
    cell = replace(CELLS["real-games", "pathfinding"], replicates=2, rounds={"q-ftrl": (5,)})
    settings = {"root_seed": SEED, "report": lambda line: None}
    table, _ = run_cell(cell, "q-ftrl", {}, [game], **settings)
    assert table["uniform_gap"].tolist() == [0.25, 0.25]
    assert (table["gap"] < 0.25).all()
    assert table["samples"].tolist() == [5 * 2, 5 * 2]


def test_progress_is_reported_after_each_budget():
    lines = []
    table, _ = run(CELL, "q-ftrl", report=lines.append)
    means = table.groupby("rounds")["gap"].mean()
    assert lines == [
        f"q-ftrl horizon-4: {rounds} rounds, mean gap {means[rounds]:.4g}" for rounds in (8, 77)
    ]


def test_tuning_runs_every_setting_on_the_same_games_and_luck():
    cell = CELLS["tuning", "held-out"]
    scales = {"rate_scale": [1, 3], "bonus_scale": [0.5, 1]}
    settings = {"root_seed": SEED, "report": lambda line: None}
    section = {"failure": 0.1}
    table = run_tuning(run_cell, cell, "evb-sim", section, games(cell), scales, **settings)
    assert list(table.groupby(["rate_scale", "bonus_scale"]).groups) == [
        *[(1, 0.5), (1, 1)],
        *[(3, 0.5), (3, 1)],
    ]
    for (rate, bonus), rows in table.groupby(["rate_scale", "bonus_scale"]):
        section = {"failure": 0.1, "rate_scale": rate, "bonus_scale": bonus}
        alone, _ = run(cell, "evb-sim", section)
        assert rows["gap"].tolist() == alone["gap"].tolist()
    assert table["gap"].nunique() >= 4  # two settings of the rate, two replicates
