"""What is timed without any learner: random numbers, and the two settings' environments."""

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.floors import build_draws, build_episodes, build_look_ups
from benchmarks.games import Case
from benchmarks.timing import Task
from ccerates.online.replicates import divide_into_lanes
from ccerates.sample_source import cumulative_probability, make_tables
from ccerates.simulator.batches import LaneBatch
from ccerates.simulator.source import Simulator
from ccerates.streams import kernel_states

DRAWS = "random numbers"
SIMULATOR_FLOOR = "simulator look-ups"
ONLINE_FLOOR = "episode look-ups"


def seeds(count: int) -> list[np.random.SeedSequence]:
    """Return the streams of the replicates."""
    return np.random.SeedSequence(2).spawn(count)


def environment_tasks(case: Case) -> list[Task]:
    """Return the floors of a case."""
    game = case.game
    samples = case.replicates * case.rounds * game.horizon * game.num_states
    visits = case.replicates * case.episodes * game.horizon
    return [
        Task(DRAWS, samples, prepare_draws(game.num_players + 1, samples)),
        Task(SIMULATOR_FLOOR, samples, prepare_look_ups(case)),
        Task(ONLINE_FLOOR, visits, prepare_episodes(case)),
    ]


def prepare_draws(draws: int, samples: int, lanes: int = 16) -> Callable[[], np.ndarray]:
    """Return what draws as many uniform numbers as so many samples take."""
    draw = build_draws(lanes)
    (seed,) = seeds(1)

    def run() -> np.ndarray:
        total = np.zeros((1, lanes))
        draw(samples // lanes, draws, kernel_states(seed, count=lanes).T.copy(), total)
        return total

    return run


def prepare_look_ups(case: Case) -> Callable[[], list[np.ndarray]]:
    """Return what queries a simulator as evb-sim does, with uniform actions.

    Streams and tables are made here, outside of what is timed. It returns, for each step, the sum
    over rounds of each player's reward and of the next states, (entries, players + 1).
    """
    game, rounds = case.game, case.rounds
    batch = LaneBatch([Simulator(game)] * case.replicates, seeds(case.replicates), None)
    look_up = build_look_ups(batch.lanes)
    num_actions = np.array(game.num_actions)
    steps = [(batch.generators(step), batch.tables(step)) for step in range(game.horizon)]

    def run() -> list[np.ndarray]:
        totals = []
        for generators, tables in steps:
            totals.append(np.zeros((len(batch.entry), game.num_players + 1)))
            groups = (0, batch.num_groups, rounds, num_actions, batch.entry)
            look_up(*groups, generators, *tables, totals[-1])
        return totals

    return run


def prepare_episodes(case: Case) -> Callable[[], list[np.ndarray]]:
    """Return what plays whole episodes with uniform actions.

    It returns, for each group of lanes, sums over all steps as `prepare_look_ups` does.
    """
    game, tables = case.game, make_tables(case.game)
    first = np.flatnonzero(game.start).astype(np.int32)
    start = (first[None, None, None], cumulative_probability(game.start[first])[None, None, None])
    num_actions, layer = np.array(game.num_actions), game.layer.astype(np.int64)
    streams = [kernel_states(seed, count=1)[0] for seed in seeds(case.replicates)]
    spans = divide_into_lanes(case.replicates, None, 1)
    groups = [_stacked(streams, span.members) for span in spans]

    def run() -> list[np.ndarray]:
        totals = []
        for generator in groups:
            lanes = generator.shape[1]
            totals.append(np.zeros((game.num_players + 1, lanes)))
            play = build_episodes(lanes)
            play(case.episodes, num_actions, layer, *start, generator.copy(), *tables, totals[-1])
        return totals

    return run


def _stacked(streams: Sequence[np.ndarray], members: Sequence[int]) -> np.ndarray:
    """Return the (4, lanes) generators of a group of lanes."""
    return np.stack([streams[member] for member in members], axis=1)
