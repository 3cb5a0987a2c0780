"""The driver of plain-Python simulator learners: it owns rounds, samples and the output policy."""

from collections.abc import Sequence
from functools import reduce

import numpy as np
from tqdm import tqdm

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.protocol.games import PythonSimulator
from ccerates.protocol.loading import PythonLearner
from ccerates.protocol.player import Player, draw
from ccerates.results_archive import NoTrace
from ccerates.simulator.result import LearningResult
from ccerates.simulator.source import Simulator


def samples(simulator: Simulator | PythonSimulator, rounds: int) -> int:
    """Return the number of simulator calls of a run: one a round, K H S."""
    return rounds * simulator.horizon * simulator.num_states


def learn_batch(
    learner: PythonLearner,
    simulators: Sequence[Simulator | PythonSimulator],
    rounds: int,
    seeds: Sequence[np.random.SeedSequence],
) -> list[LearningResult]:
    """Run a user's simulator learner, once for each simulator, one after the other.

    Parameters
    ----------
    learner
        What `load_learner` returned.
    simulators
        One for each replicate.
    rounds
        K, rounds at each step and state.
    seeds
        Stream of each replicate, for the actions and the samples.

    Returns
    -------
    list of LearningResult
        Their policies are averages over rounds of the products of what the players played.

    Raises
    ------
    InputError
        If it is an online learner, an argument is out of range or their code fails.
    """
    if learner.setting != "simulator":
        raise InputError(
            f"{learner.path}: an online learner, since it has the attribute averaging; give it "
            "episodes, or remove the attribute"
        )
    check_integer(f"{learner.path}: rounds", rounds, 1)
    return [
        _learn(learner, simulator, rounds, np.random.default_rng(seed))
        for simulator, seed in zip(simulators, seeds, strict=True)
    ]


def _learn(
    learner: PythonLearner,
    simulator: Simulator | PythonSimulator,
    rounds: int,
    generator: np.random.Generator,
) -> LearningResult:
    (num_actions, num_states, horizon), num_players = simulator.shape, simulator.num_players
    player = Player(learner, num_actions, num_states, horizon, rounds)
    policy = np.empty((horizon, num_states, *num_actions))
    places = [(step, state) for step in range(horizon - 1, -1, -1) for state in range(num_states)]
    for step, state in tqdm(places, desc=learner.name, unit="state", leave=False, disable=None):
        total = np.zeros(num_actions)
        for turn in range(rounds):
            played = player.act(turn, step, state)
            total += reduce(np.multiply.outer, played)
            actions = draw(played, generator)
            joint_action = int(np.ravel_multi_index(actions, num_actions))
            rewards, next_state = simulator.sample(step, state, joint_action, generator)
            player.update(turn, step, state, actions, rewards, next_state)
        policy[step, state] = total / total.sum()
    unknown = np.full((horizon, num_states, num_players), np.nan)
    return LearningResult(
        algorithm=learner.name,
        game_hash=simulator.content_hash,
        constants="own",
        certified=False,
        failure=np.nan,
        rounds=rounds,
        samples=samples(simulator, rounds),
        policy=policy.reshape(horizon, num_states, -1),
        upper_value=unknown,
        lower_value=unknown,
        certificate=np.nan,
        trace=NoTrace(),
    )
