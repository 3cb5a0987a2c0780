"""Settings of the experiments that the paper quotes, from the config and the learners' defaults."""

from collections.abc import Mapping
from typing import Any

from ccerates.simulator.q_ftrl import LEARNING_CONSTANTS, QFtrlOptions


def paper_numbers(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings as JSON data.

    Parameters
    ----------
    config
        A checked configuration.

    Returns
    -------
    dict
        The config's sections as they are, and the constants c_a and c_b of Q-FTRL.
    """
    q_ftrl = QFtrlOptions(**config["learners"]["q-ftrl"])
    c_a, c_b = LEARNING_CONSTANTS[q_ftrl.constants]
    sections = ("replicates", "resamples", "learners", "tuning", "sweeps", "curves", "bandits")
    return {
        **{name: config[name] for name in sections},
        "q_ftrl_c_a": c_a,
        "q_ftrl_c_b": c_b * q_ftrl.bonus_scale,
    }
