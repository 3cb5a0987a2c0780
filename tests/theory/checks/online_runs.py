"""Runs of online learners under audit."""

import dataclasses

import numpy as np

from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.online.registry import MODULES
from ccerates.online.run import OnlineBatch
from ccerates.online.source import Episodes

EPISODES = 3000


def run(games, name, options=None, *, episodes=EPISODES):
    """Return one result for each game, audited if the learner has stages."""
    averaging = MODULES[name][3]
    audit = averaging == "stage"
    observers = [CertifiedEvaluator(game, averaging, audit=audit) for game in games]
    batch = OnlineBatch(
        name,
        [Episodes(game) for game in games],
        [np.random.SeedSequence(place) for place in range(len(games))],
        options,
        episodes=episodes,
        observers=observers,
    )
    batch.advance(episodes)
    return [
        dataclasses.replace(result, audit=each.audit()) if audit else result
        for result, each in zip(batch.results(), observers, strict=True)
    ]
