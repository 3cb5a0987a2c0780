"""The peers of EVB-sim and V-learning as tasks, each in the set-up that suits it.

Loops run one replicate, the others all of them side by side. All take their random numbers in
blocks from NumPy's generator, which is quicker than one at a time. Samples are as many as take a
good part of a second, far fewer than the kernels take in that time.
"""

from importlib import import_module

import numpy as np

from benchmarks.games import Case
from benchmarks.peers import jax_setup
from benchmarks.timing import Task

STYLES = {
    "loop": ", NumPy loop",
    "vectorised": ", vectorised NumPy",
    "numba": ", plain Numba",
    "jax": ", JAX",
}
"""Styles of peers, and what each adds to the learner's name."""

NUMPY = STYLES["loop"]
ONE_BY_ONE = ("loop", "numba")
"""Styles that run a single replicate."""

# Share of a case's rounds or episodes that a style runs: it is slower by about as much.
_SHARES = {"loop": 1 / 256, "vectorised": 1 / 64, "numba": 1.0, "jax": 1 / 8}


def peer_tasks(case: Case) -> list[Task]:
    """Return all peers on a game; JAX only if it is installed."""
    tasks = []
    for style in STYLES:
        if style == "jax" and not jax_setup.is_installed():
            continue
        tasks += [_evb_sim(style, case), _v_learning(style, case)]
    return tasks


def _evb_sim(style: str, case: Case) -> Task:
    learn = import_module(f"benchmarks.peers.evb_sim_{style}").learn
    game, generator = case.game, np.random.default_rng(0)
    # With fewer rounds than actions there is no bound on the regret.
    rounds = max(2 * max(game.num_actions), round(case.rounds * _SHARES[style]))
    shape, lanes = (rounds, game.num_players + 1), case.replicates * game.num_states

    def alone() -> object:
        return learn(game, rounds, lambda _step, _state: generator.random(shape))

    def side_by_side() -> object:
        return learn(game, rounds, case.replicates, lambda _step: generator.random((*shape, lanes)))

    is_alone = style in ONE_BY_ONE
    samples = rounds * game.horizon * (game.num_states if is_alone else lanes)
    return Task(f"evb-sim{STYLES[style]}", samples, alone if is_alone else side_by_side)


def _v_learning(style: str, case: Case) -> Task:
    learn = import_module(f"benchmarks.peers.v_learning_{style}").learn
    game, generator = case.game, np.random.default_rng(0)
    episodes = max(1, round(case.episodes * _SHARES[style]))
    shape = episodes, 1 + game.horizon * (game.num_players + 1)

    def alone() -> object:
        return learn(game, episodes, lambda: generator.random(shape))

    def side_by_side() -> object:
        return learn(
            game, episodes, case.replicates, lambda: generator.random((*shape, case.replicates))
        )

    is_alone = style in ONE_BY_ONE
    samples = episodes * game.horizon * (1 if is_alone else case.replicates)
    return Task(f"v-learning{STYLES[style]}", samples, alone if is_alone else side_by_side)
