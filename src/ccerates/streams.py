"""Random streams: every random number derives from (root seed, experiment, cell, replicate).

A stream is a `numpy.random.SeedSequence` whose spawn key spells out what the stream is for.
Kernels cannot call a NumPy generator, so they receive xoshiro256++ states, one for each
(replicate, step, state): results therefore do not depend on the number of threads, the lane a
replicate runs in, the order of jobs or the size of a batch.
"""

import hashlib

import numpy as np

GAME_STREAM = 0
LEARNER_STREAM = 1
BOOTSTRAP_STREAM = 2


def _key(name: str) -> int:
    """Return a 64-bit integer that stands for `name` on every machine."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")


def seed_sequence(
    root_seed: int, experiment: str, cell: str, replicate: int, purpose: int
) -> np.random.SeedSequence:
    """Return the stream of one replicate.

    Parameters
    ----------
    root_seed
        The project's seed, `root_seed` in the config.
    experiment
        Claim identifier, for example ``"sim-horizon"``.
    cell
        Cell of the sweep, for example ``"horizon-8"``. Algorithms of one cell share the stream,
        so that they are compared on the same games.
    replicate
        Number of the replicate, from 0.
    purpose
        `GAME_STREAM`, `LEARNER_STREAM` or `BOOTSTRAP_STREAM`.

    Returns
    -------
    numpy.random.SeedSequence
    """
    return np.random.SeedSequence(
        root_seed, spawn_key=(_key(experiment), _key(cell), replicate, purpose)
    )


def kernel_states(seed: np.random.SeedSequence, *key: int, count: int) -> np.ndarray:
    """Return xoshiro256++ states for `count` states of the game.

    Parameters
    ----------
    seed
        Stream of the learner.
    *key
        What the states are for, for example the step; appended to the spawn key.
    count
        Number of states wanted.

    Returns
    -------
    numpy.ndarray
        (count, 4) uint64; row s is the generator of (``*key``, s).
    """
    states = np.empty((count, 4), dtype=np.uint64)
    for index in range(count):
        child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, *key, index))
        states[index] = child.generate_state(4, np.uint64)
    return states
