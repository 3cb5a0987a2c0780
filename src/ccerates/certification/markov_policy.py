"""Markov policies that somebody hands over, checked against the dimensions of a game."""

import numpy as np

from ccerates.certification.sampled_game import SampledGame
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
    values = values.reshape(*places, joint)
    wrong = ~(values >= 0.0)  # also true for NaN
    if wrong.any():
        step, state, action = (int(each) for each in np.argwhere(wrong)[0])
        raise InputError(
            f"policy at step {step}, state {state}, joint action {action} is "
            f"{values[step, state, action]}; expected a probability in [0, 1]"
        )
    total = values.sum(axis=-1)
    wrong = ~(np.abs(total - 1.0) <= _SUM_TOLERANCE)
    if wrong.any():
        step, state = (int(each) for each in np.argwhere(wrong)[0])
        raise InputError(
            f"policy at step {step}, state {state} sums to {total[step, state]:.12g}; expected 1"
        )
    normalised: np.ndarray = values / total[..., None]
    return normalised
