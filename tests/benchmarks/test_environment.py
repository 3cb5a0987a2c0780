"""The floors draw what a learner would: their totals are what plain Python adds up."""

import numpy as np

from benchmarks.environment import (
    environment_tasks,
    prepare_draws,
    prepare_episodes,
    prepare_look_ups,
    seeds,
)
from benchmarks.games import case_of
from ccerates.games.families import make_game
from ccerates.streams import kernel_states
from twins import Xoshiro


def ragged_case():
    """Two replicates of a game whose players differ, with states of which one starts."""
    parameters = {"num_players": 2, "num_actions": (2, 3), "alive_states": 2}
    parameters |= {"horizon": 3, "eps_game": 0.1}
    game = make_game("survival", parameters, np.random.default_rng(3))
    return case_of("", game, 1e-3, replicates=2)


def look_up(game, step, state, generator):
    """Play uniformly once; return the players' rewards and the next state."""
    actions = [int(generator.uniform() * count) for count in game.num_actions]
    joint = np.ravel_multi_index(actions, game.num_actions)
    layer = game.layer[step]
    cumulative = np.cumsum(game.probability[layer, state, joint])
    there = game.next_state[layer, state, joint, np.searchsorted(cumulative, generator.uniform())]
    return game.reward[layer, :, state, joint], int(there)


def test_draws_are_those_of_the_generator():
    (seed,) = seeds(1)
    words = kernel_states(seed, count=4)
    generators = [Xoshiro(each) for each in words]
    expected = [sum(each.uniform() for _ in range(30)) for each in generators]
    np.testing.assert_allclose(prepare_draws(3, 40, lanes=4)()[0], expected)


def test_simulator_is_queried_everywhere():
    case = ragged_case()
    game = case.game
    totals = prepare_look_ups(case)()
    for step, total in enumerate(totals):
        entry = 0
        for seed in seeds(2):
            for state, words in enumerate(kernel_states(seed, step, count=game.num_states)):
                generator = Xoshiro(words)
                expected = np.zeros(3)
                for _ in range(case.rounds):
                    rewards, there = look_up(game, step, state, generator)
                    expected += [*rewards, there]
                np.testing.assert_allclose(total[entry], expected)
                entry += 1


def test_episodes_go_on_where_they_lead():
    case = ragged_case()
    game = case.game
    (total,) = prepare_episodes(case)()
    for lane, seed in enumerate(seeds(2)):
        generator = Xoshiro(kernel_states(seed, count=1)[0])
        expected = np.zeros(3)
        for _ in range(case.episodes):
            state = int(np.searchsorted(np.cumsum(game.start), generator.uniform(), side="right"))
            for step in range(game.horizon):
                rewards, state = look_up(game, step, state, generator)
                expected += [*rewards, state]
        np.testing.assert_allclose(total[:, lane], expected)


def test_counts_are_those_of_all_replicates(tiny):
    draws, simulator, online = environment_tasks(tiny)
    assert draws.samples == simulator.samples == 2 * tiny.rounds * 2 * 3
    assert online.samples == 2 * tiny.episodes * 2
