"""The settings that the paper quotes."""

import json
from pathlib import Path

import yaml

from ccerates.analysis.paper_numbers import paper_numbers
from ccerates.online import v_learning

SMOKE = Path(__file__).parents[2] / "config/smoke.yaml"


def test_constants_are_those_of_the_learners_sections() -> None:
    config = yaml.safe_load(SMOKE.read_text(encoding="utf-8"))
    config["learners"]["q-ftrl"] = {"constants": "theory", "bonus_scale": 0.5}
    config["learners"]["stage-v-learning"] = {"constants": "theory", "bonus_scale": 0.5}
    config["learners"]["v-learning"] = {"bonus_scale": 3}
    numbers = json.loads(json.dumps(paper_numbers(config)))
    assert (numbers["q_ftrl_c_a"], numbers["q_ftrl_c_b"]) == (24.0, 0.5)
    constants = numbers["bonus_constants"]
    assert constants["stage-v-learning"] == 6.0, "the publication's, before bonus_scale"
    assert constants["v-learning"] == v_learning.BONUS_CONSTANT["practical"]
    assert constants.keys() == {"v-learning", "cce-v-learning", "stage-v-learning"}
    assert numbers["tuning"]["held-out-online"]["setting"] == "online"
    assert numbers["sweeps"] == config["sweeps"]
