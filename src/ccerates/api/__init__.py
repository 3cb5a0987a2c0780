"""What the command line does, as functions that return data: ``from ccerates import api``.

`list_games`, `make_game`, `import_openspiel`, `show_game`, `learn`, `learn_online`, `gap`,
`certify`, `rates`, `predict_cost` and `doctor`; `save_game`, `load_game`, `save_results` and
`load_results` for their files, `load_learner` for a learner of your own, `load_simulator` for a
game of your own.
`import_gambit`, `import_gambit_catalogue`, `game_from_arrays` and `load_arrays` make games of what
is there already, `read_game` of any file that holds a game.
`certify_policy` answers for any Markov policy (`load_policy` reads one) whether it is an eps-CCE of
a game that can only be sampled, `judge` for a certificate. `save_policies` writes policies as
Parquet, `openspiel_policy` and `openspiel_device` turn them into OpenSpiel's own. Beyond that,
`certified_policy` plays what an online learner learnt. Nothing is compiled before a learner runs.
"""

from ccerates.api.algorithms import ALGORITHMS, list_options, setting_of
from ccerates.api.bounds import Bound, rates
from ccerates.api.certification import certify_policy, load_policy
from ccerates.api.certified_play import certified_policy
from ccerates.api.cost import predict_cost
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
from ccerates.api.judgement import Judgement, judge
from ccerates.api.learning import affordable_rounds, learn
from ccerates.api.online_learning import Checkpoint, Stopped, learn_online
from ccerates.api.openspiel_policies import openspiel_device, openspiel_policy
from ccerates.api.policies import save_policies
from ccerates.api.results import load_results, save_results
from ccerates.api.settings import Setting
from ccerates.certification.answer import PolicyCertificate
from ccerates.certification.deviations import Deviation
from ccerates.experiments.prediction import Prediction
from ccerates.games.arrays import game_from_arrays
from ccerates.games.files import load_arrays, read_game
from ccerates.games.gambit import import_gambit, import_gambit_catalogue
from ccerates.games.openspiel import import_openspiel
from ccerates.games.store import load_game, save_game
from ccerates.online.source import Episodes
from ccerates.protocol import PythonLearner, PythonSimulator, load_learner, load_simulator

__all__ = [
    "ALGORITHMS",
    "Bound",
    "Certificate",
    "Checkpoint",
    "Deviation",
    "Episodes",
    "FamilySummary",
    "GameSummary",
    "GapSummary",
    "HealthCheck",
    "Judgement",
    "PolicyCertificate",
    "Prediction",
    "PythonLearner",
    "PythonSimulator",
    "Setting",
    "Stopped",
    "affordable_rounds",
    "certified_policy",
    "certify",
    "certify_policy",
    "doctor",
    "game_from_arrays",
    "gap",
    "has_openspiel",
    "import_gambit",
    "import_gambit_catalogue",
    "import_openspiel",
    "judge",
    "learn",
    "learn_online",
    "list_games",
    "list_options",
    "load_arrays",
    "load_game",
    "load_learner",
    "load_policy",
    "load_results",
    "load_simulator",
    "make_game",
    "openspiel_device",
    "openspiel_policy",
    "predict_cost",
    "rates",
    "read_game",
    "save_game",
    "save_policies",
    "save_results",
    "setting_of",
    "show_game",
]
