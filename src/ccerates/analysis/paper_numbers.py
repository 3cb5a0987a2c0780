"""Settings of the experiments that the paper quotes, from the config and the learners' defaults."""

from collections.abc import Mapping
from typing import Any

from ccerates.simulator.evb_sim import EvbSimOptions
from ccerates.simulator.q_ftrl import LEARNING_CONSTANTS, QFtrlOptions


def paper_numbers(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings as flat JSON data.

    Parameters
    ----------
    config
        A checked configuration.
    """
    sweep = config["sweeps"]["sim-horizon"]
    game = sweep["game"]
    q_ftrl = QFtrlOptions(**config["learners"].get("q-ftrl", {}))
    c_a, c_b = LEARNING_CONSTANTS[q_ftrl.constants]
    return {
        "replicates": config["replicates"],
        "resamples": config["resamples"],
        "eps_game": game["eps_game"],
        "target": sweep["target_fraction"] * game["eps_game"],
        "num_players": game["num_players"],
        "num_actions": game["num_actions"],
        "alive_states": game["alive_states"],
        "horizons": sweep["values"],
        "fit_low": sweep["fit"][0],
        "fit_high": sweep["fit"][1],
        "q_ftrl_c_a": c_a,
        "q_ftrl_c_b": c_b * q_ftrl.bonus_scale,
        "evb_constants": EvbSimOptions(**config["learners"].get("evb-sim", {})).constants,
    }
