"""What the command line does, as functions that return data: ``from ccerates import api``.

`list_games`, `make_game`, `import_openspiel`, `show_game`, `learn`, `gap`, `certify`, `rates` and
`doctor`; `save_game`, `load_game`, `save_results` and `load_results` for their files. Nothing is
compiled before a learner runs.
"""

from ccerates.api.bounds import Bound, rates
from ccerates.api.evaluation import Certificate, GapSummary, certify, gap
from ccerates.api.games import (
    FamilySummary,
    GameSummary,
    has_openspiel,
    list_games,
    make_game,
    show_game,
)
from ccerates.api.health import HealthCheck, doctor
from ccerates.api.learning import ALGORITHMS, affordable_rounds, learn, list_options
from ccerates.api.settings import Setting
from ccerates.games.openspiel import import_openspiel
from ccerates.games.store import load_game, save_game
from ccerates.simulator.results_store import load_results, save_results

__all__ = [
    "ALGORITHMS",
    "Bound",
    "Certificate",
    "FamilySummary",
    "GameSummary",
    "GapSummary",
    "HealthCheck",
    "Setting",
    "affordable_rounds",
    "certify",
    "doctor",
    "gap",
    "has_openspiel",
    "import_openspiel",
    "learn",
    "list_games",
    "list_options",
    "load_game",
    "load_results",
    "make_game",
    "rates",
    "save_game",
    "save_results",
    "show_game",
]
