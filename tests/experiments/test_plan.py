"""Plans of cells by hand."""

import math

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.experiments.plan import plan_cells
from experiments.small_cells import CELL, CELLS, config, games


def test_cells_of_sweeps_curves_and_tuning():
    assert set(CELLS) == {
        ("sim-horizon", "horizon-4"),
        ("sim-horizon", "horizon-6"),
        ("sim-action-sum", "action-sum-5"),
        ("sim-action-sum", "action-sum-6"),
        ("online-horizon", "horizon-4"),
        ("online-horizon", "horizon-6"),
        ("real-games", "pathfinding"),
        ("gap-decay", "wear"),
        ("tuning", "held-out"),
        ("tuning", "held-out-online"),
    }
    assert all((cell.experiment, cell.name) == key for key, cell in CELLS.items())


def test_budgets_are_scales_times_horizon_cubed_times_actions_over_eps_squared():
    # 64 * 3 / 0.25^2 = 3072 and 216 * 3 / 0.25^2 = 10368 rounds at scale 1; 7.68 makes 8.
    assert CELL.rounds == {"q-ftrl": (8, 77), "evb-sim": (39,)}
    assert CELLS["sim-horizon", "horizon-6"].rounds == {"q-ftrl": (26, 260), "evb-sim": (130,)}
    # Of the two players the first has more actions: 64 * 4 / 0.25^2 = 4096.
    for total in (5, 6):
        assert CELLS["sim-action-sum", f"action-sum-{total}"].rounds == {"evb-sim": (52,)}


def test_online_budgets_count_states_and_have_another_horizon():
    # 256 * 2 * 3 / 0.25^2 = 24576 and 1296 * 2 * 3 / 0.25^2 = 124416 episodes at scale 1.
    expected = {4: {"v-learning": (13, 62), "evb-online": (62,)},
                6: {"v-learning": (63, 312), "evb-online": (312,)}}  # fmt: skip
    for horizon, rounds in expected.items():
        assert CELLS["online-horizon", f"horizon-{horizon}"].rounds == rounds
    assert CELLS["tuning", "held-out-online"].rounds == {"v-learning": (62,)}


def test_coinciding_online_budgets_are_called_episodes():
    wanted = config()
    wanted["sweeps"]["online-horizon"]["budget_scales"] = {"v-learning": [1e-9, 2e-9]}
    with pytest.raises(InputError, match=r"horizon 4: the budgets of v-learning come to 1, 1 epis"):
        plan_cells(wanted)


def test_plan_of_a_sweep_fills_in_the_axis():
    assert (CELL.axis, CELL.value) == ("horizon", 4.0)
    assert CELL.game["horizon"] == 4
    assert (CELL.eps_game, CELL.target) == (0.25, 0.125)


def test_replicates_may_be_more_than_games():
    assert (CELL.num_games, CELL.replicates) == (3, 3)
    wide = CELLS["sim-action-sum", "action-sum-5"]
    assert (wide.num_games, wide.replicates) == (3, 5)


def test_plan_of_a_given_game_has_no_axis():
    cell = CELLS["real-games", "pathfinding"]
    assert (cell.axis, cell.num_games, cell.replicates) == ("", 1, 3)
    assert all(math.isnan(value) for value in (cell.value, cell.eps_game, cell.target))
    assert cell.rounds == {"q-ftrl": (2, 8), "evb-sim": (4,), "v-learning": (5, 20)}


def test_plan_of_a_family_on_a_curve_has_a_game_for_each_replicate():
    cell = CELLS["gap-decay", "wear"]
    assert (cell.axis, cell.num_games, cell.rounds) == ("", 3, {"short": (4,)})


@pytest.mark.parametrize("name", ["held-out", "held-out-online"])
def test_tuning_cells_are_at_one_horizon(name):
    cell = CELLS["tuning", name]
    assert (cell.axis, cell.value, cell.replicates) == ("horizon", 4.0, 2)
    assert cell.target == 0.0625


def test_games_held_out_for_tuning_are_different_ones():
    keys = [
        game.metadata["keys"]
        for name in ("held-out", "held-out-online")
        for game in games(CELLS["tuning", name])
    ]
    assert len({str(each) for each in keys}) == len(keys)


def test_plan_for_one_learner_knows_no_other_budget():
    assert CELL.only("evb-sim").rounds == {"evb-sim": (39,)}
    assert CELL.only("evb-sim").game == CELL.game


def test_a_cell_where_wrong_keys_cost_too_much_has_no_place_in_a_fit():
    wanted = config()
    sweep = wanted["sweeps"]["sim-horizon"]
    sweep["game"] |= {"eps_game": 0.5}  # needs H >= 8 m eps = 8
    with pytest.raises(InputError, match=r"horizon 4: wrong keys .* narrow fit"):
        plan_cells(wanted)
    sweep |= {"values": [4, 6, 8, 12], "fit": [8, 12]}
    assert ("sim-horizon", "horizon-12") in plan_cells(wanted)


def test_an_unreadable_game_file_is_found_before_anything_runs(tmp_path):
    wanted = config()
    path = tmp_path / "mine.npz"
    path.write_bytes(b"PK not a game")
    wanted["curves"]["real-games"] |= {"games": {"mine": {"file": str(path)}}}
    with pytest.raises(InputError, match=r"games\.mine\.file: .*mine\.npz: not a usable array"):
        plan_cells(wanted)


def test_gambit_files_and_plain_arrays_are_games(tmp_path):
    wanted = config()
    np.savez(tmp_path / "mine.npz", payoffs=np.zeros((2, 2, 2)))
    files = {"mine": tmp_path / "mine.npz", "game": tmp_path / "game.nfg"}
    games = {name: {"file": str(file)} for name, file in files.items()}
    wanted["curves"]["real-games"] |= {"games": games}
    files["game"].write_text('NFG 1 R "" { "a" } { 2 } 1')
    with pytest.raises(InputError, match=r"games\.game\.file: .*game\.nfg: line 1, column 27"):
        plan_cells(wanted)
    files["game"].write_text('NFG 1 R "" { "a" } { 2 } 1 2')
    assert {("real-games", "mine"), ("real-games", "game")} <= plan_cells(wanted).keys()
