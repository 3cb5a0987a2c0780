"""Random streams of single runs, apart from those of the experiments."""

import numpy as np

from ccerates.checks import check_integer
from ccerates.streams import GAME_STREAM, LEARNER_STREAM, seed_sequence

_EXPERIMENT, _CELL = "command-line", ""
_CERTIFICATION = "command-line-certification"


def game_seed(seed: int) -> np.random.SeedSequence:
    """Return the stream that a game is made from.

    Parameters
    ----------
    seed
        Integer >= 0, the user's choice.
    """
    check_integer("seed", seed, 0)
    return seed_sequence(int(seed), _EXPERIMENT, _CELL, 0, GAME_STREAM)


def learner_seeds(seed: int, replicates: int) -> list[np.random.SeedSequence]:
    """Return the streams of a learner's runs; more replicates leave the first ones as they are.

    Parameters
    ----------
    seed
        Integer >= 0, the user's choice.
    replicates
        Number of runs, >= 1.
    """
    check_integer("seed", seed, 0)
    return [
        seed_sequence(int(seed), _EXPERIMENT, _CELL, replicate, LEARNER_STREAM)
        for replicate in range(replicates)
    ]


def certification_seed(seed: int) -> np.random.SeedSequence:
    """Return the stream of the samples that certify a policy; no learner has used it.

    Parameters
    ----------
    seed
        Integer >= 0, the user's choice.
    """
    check_integer("seed", seed, 0)
    return seed_sequence(int(seed), _CERTIFICATION, _CELL, 0, LEARNER_STREAM)
