"""Settings of the experiments that the paper quotes, from the config and the learners' defaults."""

from collections.abc import Mapping
from typing import Any

from ccerates.online import cce_v_learning, stage_v_learning, v_learning
from ccerates.simulator.q_ftrl import LEARNING_CONSTANTS, QFtrlOptions

_PUBLISHED_ONLINE = {
    "v-learning": (v_learning.VLearningOptions, v_learning.BONUS_CONSTANT),
    "cce-v-learning": (cce_v_learning.CceVLearningOptions, cce_v_learning.BONUS_CONSTANT),
    "stage-v-learning": (stage_v_learning.StageVLearningOptions, stage_v_learning.BONUS_CONSTANT),
}


def paper_numbers(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings as JSON data.

    Parameters
    ----------
    config
        A checked configuration.

    Returns
    -------
    dict
        The config's sections as they are, the constants c_a and c_b of Q-FTRL, and the constant in
        the bonus of each published online learner before `bonus_scale` multiplies it.
    """
    learners = config["learners"]
    q_ftrl = QFtrlOptions(**learners["q-ftrl"])
    c_a, c_b = LEARNING_CONSTANTS[q_ftrl.constants]
    sections = (
        *("replicates", "resamples", "learners", "tuning", "sweeps", "curves", "bandits"),
        "lower-bound",
    )
    return {
        **{name: config[name] for name in sections},
        "q_ftrl_c_a": c_a,
        "q_ftrl_c_b": c_b * q_ftrl.bonus_scale,
        "bonus_constants": {
            name: constants[options_type(**learners[name]).constants]
            for name, (options_type, constants) in _PUBLISHED_ONLINE.items()
        },
    }
