"""Markov policies that somebody hands over, checked against the dimensions of a game."""

import numpy as np

from ccerates.certification.sampled_game import SampledGame
from ccerates.checks import normalise_policy
from ccerates.errors import InputError

_SUM_TOLERANCE = 1e-6  # of probabilities, which may have been added up in single precision


def read_policy(game: SampledGame, policy: np.ndarray) -> np.ndarray:
    """Return a policy as (horizon, states, joint_actions) float64 with rows that sum to one.

    Raises
    ------
    InputError
        If the shape is wrong or a row is no distribution; the message names the place.
    """
    try:
        values = np.array(policy, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"policy: not a rectangular array of numbers ({error})") from None
    places, joint = (game.horizon, game.num_states), int(np.prod(game.num_actions))
    if values.shape not in ((*places, joint), (*places, *game.num_actions)):
        raise InputError(
            f"policy: expected shape (horizon, states, joint actions) = {(*places, joint)} or "
            f"{(*places, *game.num_actions)}, got {values.shape}"
        )
    return normalise_policy(
        "policy", values.reshape(*places, joint), _SUM_TOLERANCE, "joint action"
    )
