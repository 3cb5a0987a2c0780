"""Runs on hidden-action games: which cells and budgets, and what they record."""

import copy
from pathlib import Path

import numpy as np
import pytest

from ccerates.config import check_config, read_config, read_yaml
from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap
from ccerates.experiments.lower_bound import COLUMNS, run_lower_bound
from ccerates.experiments.lower_bound_cells import game_bound, plan_lower_bound
from ccerates.games.cell_games import make_cell_game
from ccerates.simulator.source import Simulator
from ccerates.simulator.uniform_sampler import sample_uniformly
from ccerates.streams import LEARNER_STREAM, seed_sequence

ROOT = Path(__file__).parents[2]
SMOKE = read_config(ROOT / "config/smoke.yaml")
SCHEMA = read_yaml(ROOT / "workflow/schemas/config.schema.yaml")
GAME = {
    "family": "hidden-action",
    "num_players": 2,
    "num_actions": [4, 3],
    "num_blocks": 2,
    "horizon": 6,
    "eps_game": 0.05,
    "advantage_constant": 8,
}
SECTION = {
    "replicates": 3,
    "game": GAME,
    "below": {"eps_game": 0.005},
    "axes": {"horizon": [8], "states": [1]},
    "failing_shares": [0, 0.5, 1],
    "budget_scales": {"evb-sim": [0.0005], "q-ftrl": [0.001], "uniform-sampler": [0.0001, 0.01]},
}


def with_section(**changes):
    config = copy.deepcopy(SMOKE)
    config["lower-bound"] = copy.deepcopy(SECTION) | changes
    return config


@pytest.mark.parametrize("name", ["smoke", "paper", "full"])
def test_configs_ask_for_budgets_on_both_sides_of_the_bound(name):
    config = read_config(ROOT / f"config/{name}.yaml")
    cells = plan_lower_bound(config)
    assert {cell.axis for cell in cells.values()} == {"", *config["lower-bound"]["axes"]}
    assert set(cells["below"].rounds) == set(config["lower-bound"]["budget_scales"])
    assert all(set(cells["below"].rounds) == set(cell.rounds) for cell in cells.values())


def test_cells_are_the_base_game_with_one_change():
    cells = plan_lower_bound(with_section())
    assert list(cells) == ["base", "below", "horizon-8", "states-1"]
    assert cells["horizon-8"].game == GAME | {"horizon": 8}
    assert cells["states-1"].game == GAME | {"num_blocks": 1}
    assert cells["below"].game == GAME | {"eps_game": 0.005}
    assert (cells["base"].axis, cells["states-1"].axis) == ("", "states")


def test_budgets_are_shares_of_the_two_units():
    cells = plan_lower_bound(with_section())
    unit = 6**4 * 4 * 4 / 0.05**2
    proved = game_bound(GAME).failing_samples
    rounds = cells["base"].rounds
    # One round of EVB-sim costs H S = 24 samples, one of the sampler (H-1) B A_0 = 40.
    below = {int(proved / 2 / 24), int(proved / 24)} - {0}
    assert rounds["evb-sim"] == tuple(sorted(below | {int(np.ceil(0.0005 * unit / 24))}))
    below = {0, int(proved / 2 / 40), int(proved / 40)}
    above = {int(np.ceil(scale * unit / 40)) for scale in (0.0001, 0.01)}
    assert rounds["uniform-sampler"] == tuple(sorted(below | above))
    assert all(count * 24 * 7 <= proved or count > 2 for count in rounds["q-ftrl"])
    proved = game_bound(cells["below"].game).failing_samples
    assert cells["below"].rounds["q-ftrl"][-1] == int(proved / (24 * 7))
    assert cells["below"].rounds["evb-sim"] == (int(proved / 2 / 24), int(proved / 24))


@pytest.mark.parametrize("label", ["evb-sim", "uniform-sampler"])
def test_rows_hold_exact_gaps_and_whether_they_fail(label):
    config = with_section()
    cell = plan_lower_bound(config)["base"].only(label)
    section = config["learners"].get(label, {})
    lines = []
    runs = run_lower_bound(cell, label, section, root_seed=5, report=lines.append)
    assert tuple(runs.columns) == COLUMNS
    assert len(runs) == 3 * len(cell.rounds[label])
    assert len(lines) == len(cell.rounds[label])
    np.testing.assert_array_equal(runs["fails"], runs["gap"] > 0.05)
    assert set(runs["failing_samples"]) == {game_bound(GAME).failing_samples}
    assert (runs[["players", "states", "max_actions", "sum_actions"]] == [2, 4, 4, 7]).all(
        axis=None
    )
    cost = {"evb-sim": 24, "uniform-sampler": 40}[label]
    np.testing.assert_array_equal(runs["samples"], cost * runs["rounds"])
    if label == "uniform-sampler":
        place = {"root_seed": 5, "experiment": "lower-bound", "cell": "base", "replicate": 2}
        game = make_cell_game(GAME, **place)
        seed = seed_sequence(*place.values(), LEARNER_STREAM)
        (policy,) = sample_uniformly([Simulator(game)], cell.rounds[label][-1], [seed])
        assert runs["gap"].iloc[-1] == cce_gap(game, policy).gap


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"game": GAME | {"advantage_constant": 2}},
            "lower-bound: game of the cell base: the lower bound proves nothing",
        ),
        (
            {"game": GAME | {"num_actions": [2, 4]}},
            "lower-bound: game of the cell base: num_actions: player 0, whose action matters, has",
        ),
        (
            {"axes": {"actions": [1]}},
            "lower-bound: game of the cell actions-1: lower bound: num_actions: expected an",
        ),
        (
            {"axes": {"epsilon": [5]}},
            "lower-bound: game of the cell epsilon-5: eps_game=5, horizon=6, ",
        ),
        ({"axes": {"horizon": [6]}}, "lower-bound.axes.horizon: remove 6, which is that of the"),
        ({"budget_scales": {"evb": [1]}}, "lower-bound.budget_scales: no options for 'evb'; did "),
        (
            {"budget_scales": {"v-learning": [1]}},
            "lower-bound.budget_scales: 'v-learning' is not a compiled learner of the setting sim",
        ),
        (
            {"budget_scales": {"evb-sim": [1e-9, 2e-9]}},
            "lower-bound.budget_scales: on the game of the cell base budgets of evb-sim coincide",
        ),
    ],
)
def test_impossible_sections_are_named(changes, message):
    config = with_section(**changes)
    check_config(config, SCHEMA)
    with pytest.raises(InputError) as caught:
        plan_lower_bound(config)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": GAME | {"family": "survival"}}, "game.family: expected hidden-action, got 'surv"),
        ({"replicates": 1}, "replicates: expected an integer >= 2, got 1"),
        ({"axes": {"time": [3]}}, "axes: unknown key 'time'; known: actions, epsilon, horizon, "),
        ({"axes": {"horizon": [8.5]}}, "axes.horizon[0]: expected an integer >= 1, got 8.5"),
        ({"failing_shares": []}, "failing_shares: expected a list of 1 or more"),
    ],
)
def test_wrong_sections_do_not_pass_the_schema(changes, message):
    with pytest.raises(InputError) as caught:
        check_config(with_section(**changes), SCHEMA)
    assert str(caught.value).startswith(f"lower-bound.{message}")
