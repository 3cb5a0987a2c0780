"""Plans of cells by hand; rows of runs against learners and exact gaps called directly."""

import math
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ccerates.config import read_yaml
from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap
from ccerates.experiments import CellPlan, plan_cells, run_cell
from ccerates.games.cell_games import make_cell_game
from ccerates.games.families import make_game
from ccerates.games.model import MarkovGame
from ccerates.simulator import evb_sim, q_ftrl
from ccerates.simulator.registry import learn
from ccerates.simulator.source import Simulator
from ccerates.streams import LEARNER_STREAM, seed_sequence

SMOKE = read_yaml(Path(__file__).parents[1] / "config/smoke.yaml")
LEARNERS = {"q-ftrl": (q_ftrl, q_ftrl.QFtrlOptions), "evb-sim": (evb_sim, evb_sim.EvbSimOptions)}
SEED = 7
COLUMNS = [
    "experiment", "setting", "algorithm", "constants", "axis", "value", "game", "game_hash",
    "players", "states", "horizon", "max_actions", "eps_game", "target", "replicate", "rounds",
    "samples", "gap_kind", "gap", "gap_worst", "uniform_gap", "certificate",
    "certified",
]  # fmt: skip


def config():
    """Return a config whose budgets are easy to work out."""
    sweep = SMOKE["sweeps"]["sim-horizon"] | {
        "values": [4, 6],
        "game": {
            "family": "survival",
            "num_players": 2,
            "num_actions": 3,
            "alive_states": 1,
            "eps_game": 0.25,
        },
        "target_fraction": 0.5,
        "budget_scales": {"q-ftrl": [0.025, 0.0025], "evb-sim": [0.0125]},
    }
    real_games = SMOKE["real_games"] | {"rounds": {"q-ftrl": [8, 2], "evb-sim": [4]}}
    return SMOKE | {
        "root_seed": SEED,
        "replicates": 3,
        "sweeps": {"sim-horizon": sweep},
        "real_games": real_games,
    }


CELLS = plan_cells(config())
CELL = CELLS["sim-horizon", "horizon-4"]


def games(cell, replicates=3):
    place = {"root_seed": SEED, "experiment": cell.experiment, "cell": cell.name}
    return [make_cell_game(cell.game, **place, replicate=number) for number in range(replicates)]


def run(cell, algorithm, options=None, *, replicates=3, report=lambda line: None):
    return run_cell(
        cell,
        algorithm,
        options or {},
        games(cell, replicates),
        root_seed=SEED,
        replicates=replicates,
        report=report,
    )


# Plans


def test_cells_of_the_sweep_and_of_real_games():
    assert list(CELLS) == [
        ("sim-horizon", "horizon-4"),
        ("sim-horizon", "horizon-6"),
        ("real-games", "pathfinding"),
        ("real-games", "goofspiel-4"),
    ]
    assert all((cell.experiment, cell.name) == key for key, cell in CELLS.items())


def test_budgets_are_scales_times_horizon_cubed_times_actions_over_eps_squared():
    # 64 * 3 / 0.25^2 = 3072 and 216 * 3 / 0.25^2 = 10368 rounds at scale 1; 7.68 makes 8.
    assert CELL.rounds == {"q-ftrl": (8, 77), "evb-sim": (39,)}
    assert CELLS["sim-horizon", "horizon-6"].rounds == {"q-ftrl": (26, 260), "evb-sim": (130,)}


def test_plan_of_a_sweep_fills_in_the_axis():
    assert (CELL.axis, CELL.value, CELL.setting) == ("horizon", 4.0, "simulator")
    assert CELL.game["horizon"] == 4
    assert (CELL.eps_game, CELL.target, CELL.num_games) == (0.25, 0.125, 3)


def test_plan_of_a_real_game_has_no_axis():
    cell = CELLS["real-games", "pathfinding"]
    assert (cell.axis, cell.num_games) == ("", 1)
    assert all(math.isnan(value) for value in (cell.value, cell.eps_game, cell.target))
    assert cell.rounds == {"q-ftrl": (2, 8), "evb-sim": (4,)}


def test_plan_for_one_learner_knows_no_other_budget():
    assert CELL.only("evb-sim").rounds == {"evb-sim": (39,)}
    assert CELL.only("evb-sim").game == CELL.game


def test_a_cell_where_wrong_keys_cost_too_much_has_no_place_in_a_fit():
    wanted = config()
    wanted["sweeps"]["sim-horizon"]["game"] |= {"eps_game": 0.5}  # needs H >= 8 m eps = 8
    with pytest.raises(InputError, match=r"horizon 4: wrong keys .* raise the lower end of fit"):
        plan_cells(wanted)
    wanted["sweeps"]["sim-horizon"] |= {"values": [4, 6, 8, 12], "fit": [8, 12]}
    assert len(plan_cells(wanted)) == 6


def test_an_unreadable_game_file_is_found_before_anything_runs(tmp_path):
    wanted = config()
    path = tmp_path / "mine.npz"
    path.write_bytes(b"PK not a game")
    wanted["real_games"] |= {"games": {"mine": {"file": str(path)}}}
    with pytest.raises(InputError, match=r"mine\.npz"):
        plan_cells(wanted)


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
    options = {"failure": 0.1}
    table = run(CELL, algorithm, options)
    assert list(table.columns) == COLUMNS
    order = list(product(CELL.rounds[algorithm], range(3)))
    assert list(zip(table["rounds"], table["replicate"], strict=True)) == order

    _, options_type = LEARNERS[algorithm]
    for (rounds, replicate), row in zip(order, table.itertuples(), strict=True):
        game = games(CELL)[replicate]
        seed = seed_sequence(SEED, "sim-horizon", "horizon-4", replicate, LEARNER_STREAM)
        result = learn(algorithm, Simulator(game), rounds, seed, options_type(failure=0.1))
        gap = cce_gap(game, result.policy)
        assert (row.gap, row.gap_worst) == (gap.gap, gap.gap_worst)
        assert (row.certificate, row.certified) == (result.certificate, algorithm == "q-ftrl")
        assert row.samples == result.samples
        assert (row.game_hash, row.constants) == (game.content_hash, "practical")
        uniform = np.full((4, 2, 9), 1 / 9)
        assert row.uniform_gap == pytest.approx(cce_gap(game, uniform).gap, abs=1e-12)


def test_columns_that_hold_for_the_whole_cell():
    table = run(CELL, "evb-sim")
    expected = {
        "experiment": "sim-horizon", "setting": "simulator", "algorithm": "evb-sim",
        "axis": "horizon", "value": 4.0, "game": "survival", "players": 2, "states": 2,
        "horizon": 4, "max_actions": 3, "eps_game": 0.25, "target": 0.125, "rounds": 39,
        "samples": 39 * 4 * 2, "gap_kind": "exact",
    }  # fmt: skip
    for column, value in expected.items():
        assert set(table[column]) == {value}, column


@pytest.mark.parametrize("algorithm", LEARNERS)
def test_replicates_do_not_depend_on_the_size_of_the_batch(algorithm):
    five, two = (run(CELL, algorithm, replicates=count) for count in (5, 2))
    shared = five[five["replicate"] < 2].reset_index(drop=True)
    pd.testing.assert_frame_equal(shared, two, check_exact=True)


def test_replicates_of_a_real_game_share_the_game_only():
    cell = CELLS["real-games", "pathfinding"]
    rng = np.random.default_rng(3)
    parameters = {"num_players": 2, "num_actions": 2, "num_states": 3, "horizon": 3}
    game = make_game("dense-random", parameters, rng)
    settings = {"root_seed": SEED, "replicates": 3, "report": lambda line: None}
    table = run_cell(cell, "evb-sim", {}, [game], **settings)
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
    cell = CellPlan(
        "real-games", "choice", "simulator", "", math.nan, {}, 1, {"q-ftrl": (5,)}, math.nan,
        math.nan,
    )  # fmt: skip
    settings = {"root_seed": SEED, "replicates": 2, "report": lambda line: None}
    table = run_cell(cell, "q-ftrl", {}, [game], **settings)
    assert table["uniform_gap"].tolist() == [0.25, 0.25]
    assert (table["gap"] < 0.25).all()
    assert table["samples"].tolist() == [5 * 2, 5 * 2]


def test_progress_is_reported_after_each_budget():
    lines = []
    table = run(CELL, "q-ftrl", report=lines.append)
    means = table.groupby("rounds")["gap"].mean()
    assert lines == [
        f"q-ftrl horizon-4: {rounds} rounds, mean gap {means[rounds]:.4g}" for rounds in (8, 77)
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate_scal": 2}, "learners.q-ftrl: unknown parameter 'rate_scal'; did you mean 'rate_sc"),
        (
            {"failure": 2},
            "learners.q-ftrl: q-ftrl: failure: expected a number > 0 and < 1, got 2",
        ),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(InputError) as caught:
        run(CELL, "q-ftrl", options)
    assert str(caught.value).startswith(message)
