"""Where a deviation from a policy gains most, by estimates from samples."""

from typing import NamedTuple

import numpy as np

from ccerates.certification.draws import Draws
from ccerates.certification.policy_bounds import Values
from ccerates.certification.sampled_game import SampledGame


class Deviation(NamedTuple):
    """The place that adds most to what a player gains by deviating.

    Attributes
    ----------
    step, state, action
        Where it is, and what the player does there whatever is recommended; each from 0.
    gain
        What this adds to the player's estimated gap.
    probability
        With which the play of the deviating player comes there.
    """

    step: int
    state: int
    action: int
    gain: float
    probability: float


def largest_deviation(
    game: SampledGame, draws: Draws, estimate: Values, player: int
) -> Deviation | None:
    """Return the largest addend of a player's estimated gap; None if none is positive.

    The gap of the best response b is the sum over steps and states of the probability of coming
    there with b, times what playing b for this one step gains and then following the policy.

    Parameters
    ----------
    game
        For its dimensions and start.
    draws
        The samples.
    estimate
        Values without radii: both sides are equal.
    player
        Whose deviation.
    """
    policy, response = estimate.policy[0, :, :, player], estimate.response[0, :, :, player]
    own = np.flatnonzero(draws.player == player)
    if game.start is None:
        here = np.zeros(game.num_states)
        here[np.argmax(response[0] - policy[0])] = 1.0
    else:
        here = game.start
    best: Deviation | None = None
    for step in range(game.horizon):
        following = np.zeros(game.num_states)
        for state in np.flatnonzero(here).tolist():
            rewards, nexts = (each[own] for each in draws.deviate(step, state))
            action = int(np.argmax((rewards + response[step + 1, nexts]).mean(axis=-1)))
            once = (rewards[action] + policy[step + 1, nexts[action]]).mean()
            gain = float(here[state] * (once - policy[step, state]))
            if gain > (best.gain if best else 0.0):
                best = Deviation(step, state, action, gain, float(here[state]))
            counts = np.bincount(nexts[action], minlength=game.num_states)
            following += here[state] * counts / counts.sum()
        here = following
    return best
