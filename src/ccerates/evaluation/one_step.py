"""One step of play under a Markov joint policy, outcome by outcome."""

import numpy as np

from ccerates.games.model import MarkovGame


def step_outcomes(
    game: MarkovGame, policy: np.ndarray, step: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what can happen at one step, from every state.

    Parameters
    ----------
    game
        The game.
    policy
        (horizon, states, joint_actions), rows non-negative and summing to one.
    step
        h, from 0.

    Returns
    -------
    chance : numpy.ndarray
        (states, joint_actions, successors): probability of an outcome; each state's sum to one.
    reward : numpy.ndarray
        (states, joint_actions, 1, players): rewards, whatever the successor.
    successor : numpy.ndarray
        (states, joint_actions, successors): the next state.
    """
    layer = game.layer[step]
    chance = policy[step][..., None] * game.probability[layer]
    reward = np.moveaxis(game.reward[layer], 0, -1)[:, :, None]
    return chance, reward, game.next_state[layer]


def average(chance: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the expectation of something over the outcomes of a step.

    Parameters
    ----------
    chance
        (states, joint_actions, successors), as `step_outcomes` returns it.
    values
        (states, joint_actions, successors, players); axes of length one are stretched.

    Returns
    -------
    numpy.ndarray
        (states, players).
    """
    stretched = np.broadcast_to(values, (*chance.shape, values.shape[-1]))
    expected: np.ndarray = np.einsum("sjz,sjzi->si", chance, stretched)
    return expected
