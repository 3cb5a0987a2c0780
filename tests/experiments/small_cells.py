"""A config whose budgets are easy to work out, its cells, and runs of them."""

from pathlib import Path

from ccerates.config import read_yaml
from ccerates.experiments.plan import plan_cells
from ccerates.experiments.simulator_runs import run_cell
from ccerates.games.cell_games import make_cell_game

SMOKE = read_yaml(Path(__file__).parents[2] / "config/smoke.yaml")
SEED = 7


def config():
    """Return the config: three sweeps of two places, a given game, one family, both settings."""
    game = {"family": "survival", "num_players": 2, "alive_states": 1, "eps_game": 0.25}
    sweep = {
        "setting": "simulator",
        "axis": "horizon",
        "values": [4, 6],
        "fit": [4, 6],
        "game": game | {"num_actions": 3},
        "target_fraction": 0.5,
        "budget_scales": {"q-ftrl": [0.025, 0.0025], "evb-sim": [0.0125]},
    }
    width = sweep | {
        "axis": "action-sum",
        "values": [5, 6],
        "fit": [5, 6],
        "game": game | {"num_actions": 4, "horizon": 4},
        "budget_scales": {"evb-sim": [0.0125]},
        "replicates": 5,
    }
    online = sweep | {
        "setting": "online",
        "game": game | {"num_actions": 3},
        "budget_scales": {"v-learning": [0.0025, 0.0005], "evb-online": [0.0025]},
    }
    given = {
        "games": {"pathfinding": SMOKE["curves"]["real-games"]["games"]["pathfinding"]},
        "rounds": {"q-ftrl": [8, 2], "evb-sim": [4], "v-learning": [20, 5]},
    }
    family = {
        "games": {"wear": {"family": "congestion", "num_players": 2, "num_facilities": 2,
                           "horizon": 2}},
        "rounds": {"short": [4]},
    }  # fmt: skip
    tuning = {
        "setting": "simulator",
        "rate_scales": [1, 16],
        "bonus_scales": [1],
        "replicates": 2,
        "game": game | {"num_actions": 3, "horizon": 4},
        "target_fraction": 0.25,
        "budget_scales": {"evb-sim": [0.0125]},
    }
    return SMOKE | {
        "root_seed": SEED,
        "replicates": 3,
        "learners": {
            "q-ftrl": {},
            "evb-sim": {},
            "v-learning": {},
            "evb-online": {},
            "short": {"algorithm": "evb-sim", "rate_scale": 2},
        },
        "tuning": {
            "held-out": tuning,
            "held-out-online": tuning
            | {"setting": "online", "budget_scales": {"v-learning": [0.0025]}},
        },
        "sweeps": {"sim-horizon": sweep, "sim-action-sum": width, "online-horizon": online},
        "curves": {"real-games": given, "gap-decay": family},
    }


CELLS = plan_cells(config())
CELL = CELLS["sim-horizon", "horizon-4"]


def games(cell, count=3):
    place = {"root_seed": SEED, "experiment": cell.experiment, "cell": cell.name}
    return [make_cell_game(cell.game, **place, replicate=number) for number in range(count)]


def run(cell, label, section=None, *, report=lambda line: None):
    """Return the table of runs of one learner on a cell of made games, and its results."""
    return run_cell(cell, label, section or {}, games(cell), root_seed=SEED, report=report)
