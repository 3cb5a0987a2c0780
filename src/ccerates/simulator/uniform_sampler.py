"""The uniform sampler: a yardstick for the hidden-action family that does not adapt.

It is told the family: which states are rich, that only player 0 matters, and that neither poor
states nor the last step have anything to learn. At every other step, in every rich state, it
samples every action of player 0 equally often, the others playing action 0, and returns the policy
that plays the action seen to stay rich most often, drawn at random among those that tie. It is not
told the hidden actions, the probabilities or the accuracy. From samples that are spread evenly, no
other choice finds the hidden action of a place more often. Ours.
"""

import math
from collections.abc import Sequence

import numpy as np

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.simulator.source import Simulator

NAME = "uniform-sampler"


def samples(simulator: Simulator, rounds: int) -> int:
    """Return the number of simulator calls of a run: K (H-1) (S/2) A_0."""
    blocks = simulator.num_states // 2
    return rounds * (simulator.horizon - 1) * blocks * simulator.num_actions[0]


def sample_uniformly(
    simulators: Sequence[Simulator], rounds: int, seeds: Sequence[np.random.SeedSequence]
) -> list[np.ndarray]:
    """Run the uniform sampler on hidden-action games.

    Parameters
    ----------
    simulators
        One for each run, of hidden-action games: even states are rich.
    rounds
        K >= 0, samples of every action of player 0 at every place; with none it guesses.
    seeds
        Learner's stream of each run.

    Returns
    -------
    list of numpy.ndarray
        (horizon, states, joint_actions) policies: the chosen action of player 0 where there is
        something to choose, action 0 elsewhere; the others play action 0.

    Raises
    ------
    InputError
        If `rounds` is no integer >= 0, or simulators and seeds do not match.
    """
    check_integer(f"{NAME}: rounds", rounds, 0)
    if len(simulators) != len(seeds):
        raise InputError(
            f"{NAME}: {len(simulators)} simulators and {len(seeds)} seeds; give one seed for each"
        )
    pairs = zip(simulators, seeds, strict=True)
    return [_policy(simulator, rounds, np.random.default_rng(seed)) for simulator, seed in pairs]


def _policy(simulator: Simulator, rounds: int, generator: np.random.Generator) -> np.ndarray:
    num_joint = math.prod(simulator.num_actions)
    others = num_joint // simulator.num_actions[0]  # joint actions that share one of player 0
    played = np.zeros((simulator.horizon, simulator.num_states), dtype=np.int64)
    for step in range(simulator.horizon - 1):
        for rich in range(0, simulator.num_states, 2):
            stays = [
                _count_stays(simulator, step, rich, others * action, generator.random(rounds))
                for action in range(simulator.num_actions[0])
            ]
            best = np.flatnonzero(np.array(stays) == max(stays))
            played[step, rich] = others * generator.choice(best)
    return np.eye(num_joint)[played]


def _count_stays(
    simulator: Simulator, step: int, state: int, joint_action: int, uniforms: np.ndarray
) -> int:
    """Return how many samples stay in `state`, one drawn with each of (rounds,) `uniforms`.

    They are those that as many calls of `Simulator.sample` would draw.
    """
    tables = simulator._step_tables(step)
    cumulative = tables.cumulative[state, joint_action]
    places = np.count_nonzero(uniforms[:, None] >= cumulative, axis=1)
    return int(np.count_nonzero(tables.next_state[state, joint_action, places] == state))
