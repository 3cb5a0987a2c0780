"""Runs of both simulator learners on random games, for the checks of learners."""

import numpy as np
import pytest

from ccerates.games.model import MarkovGame
from ccerates.online.evb_online import EvbOnlineOptions
from ccerates.simulator import evb_sim, q_ftrl
from ccerates.simulator.evb_sim import EvbSimOptions
from ccerates.simulator.source import Simulator
from theory.checks.online_runs import run

COUNT = 6


def _random_game(seed):
    """Return a game of two players with three and two actions, three steps and states."""
    generator = np.random.default_rng(seed)
    shape = (3, 3, 6, 2)
    return MarkovGame(
        num_actions=(3, 2),
        reward=generator.random((3, 2, 3, 6)),
        next_state=generator.integers(0, 3, shape),
        probability=generator.dirichlet(np.ones(2), shape[:3]),
        layer=generator.permutation(3),
        start=generator.dirichlet(np.ones(3)),
    )


@pytest.fixture(scope="session")
def games():
    return [_random_game(seed) for seed in range(COUNT)]


@pytest.fixture(scope="session")
def learnt(games):
    """Return the runs by kind."""
    simulators = [Simulator(game) for game in games]
    seeds = [np.random.SeedSequence(place) for place in range(COUNT)]
    options = {
        "rigorous": EvbSimOptions(constants="rigorous", record=True),
        "practical": EvbSimOptions(record=True),
        "unrecorded": EvbSimOptions(),
        # Fewer rounds than the first player has actions, enough for the second's.
        "two rounds": EvbSimOptions(record=True),
    }
    runs = {
        name: evb_sim.learn_batch(simulators, 2 if name == "two rounds" else 1500, seeds, each)
        for name, each in options.items()
    }
    runs["q-ftrl"] = q_ftrl.learn_batch(simulators, 1500, seeds)
    return runs


@pytest.fixture(scope="session")
def played(games):
    """Return the audited runs of online learners by kind."""
    return {
        "rigorous": run(games, "evb-online", EvbOnlineOptions(constants="rigorous")),
        "practical": run(games, "evb-online"),
        "stage-v-learning": run(games, "stage-v-learning"),
        "v-learning": run(games, "v-learning"),
    }
