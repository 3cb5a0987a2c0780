"""Replicates side by side: which lane runs which (replicate, state), with which random stream."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from ccerates.errors import InputError
from ccerates.sample_source import SamplingTables, extend_lists
from ccerates.simulator.source import Simulator
from ccerates.streams import kernel_states

FEW_LANES, DEFAULT_LANES = 8, 16


class LaneBatch:
    """Runs of equal shape, one for each simulator, cut into groups of lanes.

    Given the values of the next step, the states of one step are independent problems; an
    *entry* is one of them in one replicate, and a lane runs one entry.

    Parameters
    ----------
    simulators
        One for each replicate; all of the same shape. Equal games are stored once.
    seeds
        Learner's stream of each replicate.
    lanes
        Lanes of a group; None chooses 8 if that holds all entries, else 16.

    Attributes
    ----------
    entry
        (groups * lanes, 3) int64: game, replicate and state. The last group is filled up with
        repetitions of the first entry.
    num_groups
        Number of groups.

    Raises
    ------
    InputError
        If there are no simulators, if their shapes differ, if seeds and simulators do not match or
        if a seed is not a SeedSequence.
    """

    def __init__(
        self,
        simulators: Sequence[Simulator],
        seeds: Sequence[np.random.SeedSequence],
        lanes: int | None,
    ) -> None:
        if not simulators or len(simulators) != len(seeds):
            raise InputError(
                f"learn_batch: {len(simulators)} simulators and {len(seeds)} seeds; "
                "give one seed for each simulator, and at least one of each"
            )
        for place, seed in enumerate(seeds):
            if not isinstance(seed, np.random.SeedSequence):
                raise InputError(
                    f"learn_batch: seed {place} is {seed!r}; give a numpy.random.SeedSequence"
                )
        first = simulators[0]
        for place, simulator in enumerate(simulators):
            if simulator.shape != first.shape:
                raise InputError(
                    f"learn_batch: simulator {place} has shape {simulator.shape}, the first "
                    f"{first.shape}; run games of different shapes in separate batches"
                )
        self.seeds = seeds
        self.num_replicates, self.num_states = len(simulators), first.num_states
        games: dict[str, int] = {}
        self._distinct: list[Simulator] = []
        entries: list[tuple[int, int, int]] = []
        for replicate, simulator in enumerate(simulators):
            key = simulator.content_hash
            if key not in games:
                games[key] = len(games)
                self._distinct.append(simulator)
            entries.extend((games[key], replicate, state) for state in range(simulator.num_states))
        few = len(entries) <= FEW_LANES
        self.lanes = lanes or (FEW_LANES if few else DEFAULT_LANES)
        self.num_groups = -(-len(entries) // self.lanes)
        entries += [entries[0]] * (self.num_groups * self.lanes - len(entries))
        self.entry = np.array(entries, dtype=np.int64)

    def tables(self, step: int) -> SamplingTables:
        """Return the sampling tables of one step with a leading axis over distinct games."""
        layers = [simulator._step_tables(step) for simulator in self._distinct]
        # Games of one shape may have successor lists of different lengths.
        longest = max(layer.next_state.shape[-1] for layer in layers)
        return SamplingTables(
            np.stack([layer.reward for layer in layers]),
            np.stack([extend_lists(layer.next_state, longest, 0) for layer in layers]),
            np.stack([extend_lists(layer.cumulative, longest, np.inf) for layer in layers]),
        )

    def generators(self, step: int) -> np.ndarray:
        """Return the (entries, 4) uint64 generator states of one step."""
        states = np.stack([kernel_states(seed, step, count=self.num_states) for seed in self.seeds])
        return states[self.entry[:, 1], self.entry[:, 2]]

    def by_replicate(self, values: np.ndarray) -> np.ndarray:
        """Return entry-wise kernel output as (replicates, states, ...)."""
        count = self.num_replicates * self.num_states
        return values[:count].reshape(self.num_replicates, self.num_states, *values.shape[1:])

    def run(self, kernel: Callable[..., None], threads: int, *arguments: Any) -> None:
        """Call ``kernel(first_group, last_group, *arguments)`` on all groups, in threads."""
        bounds = np.linspace(0, self.num_groups, min(threads, self.num_groups) + 1).astype(int)
        if len(bounds) == 2:
            kernel(0, self.num_groups, *arguments)
            return
        with ThreadPoolExecutor(len(bounds) - 1) as pool:
            parts = [
                pool.submit(kernel, first, last, *arguments) for first, last in pairwise(bounds)
            ]
            for part in parts:
                part.result()
