"""An observer that keeps all it sees, and runs of one learner with one on each replicate."""

import numpy as np

from ccerates.online.run import learn_online
from ccerates.online.visits import VisitChunk


class Recorder:
    needs_values = True
    needs_samples = False

    def __init__(self) -> None:
        self.parts = []

    def observe(self, chunk, lane) -> None:
        self.parts.append([values[..., lane].copy() for values in chunk])

    def visits(self):
        """Return a `VisitChunk` of all episodes, without the axis over lanes."""
        return VisitChunk(*(np.concatenate(parts) for parts in zip(*self.parts, strict=True)))


def run(algorithm, sources, seeds, episodes, options, **arguments):
    """Return results and visits of all replicates."""
    recorders = [Recorder() for _ in sources]
    results = list(
        learn_online(
            algorithm, sources, [episodes], seeds, options, observers=recorders, **arguments
        )
    )[-1]
    return results, [recorder.visits() for recorder in recorders]
