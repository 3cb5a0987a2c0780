"""Which lane runs what; errors about replicates that do not fit together."""

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.simulator.batches import LaneBatch
from ccerates.simulator.source import Simulator
from ccerates.streams import kernel_states


def seeds(count):
    return [np.random.SeedSequence(place) for place in range(count)]


@pytest.fixture
def simulators(random_game):
    """Return simulators of two games, the first of them twice, in separate objects."""
    return [Simulator(random_game(seed, (2, 3), states=4)) for seed in (0, 1, 0)]


def test_every_entry_has_one_place_and_the_rest_repeats_the_first(simulators) -> None:
    batch = LaneBatch(simulators, seeds(3), lanes=5)
    assert batch.num_groups == 3
    expected = [
        (game, replicate, state) for replicate, game in enumerate((0, 1, 0)) for state in range(4)
    ]
    assert batch.entry.tolist() == [*map(list, expected), [0, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_full_groups_are_not_extended(simulators) -> None:
    batch = LaneBatch(simulators, seeds(3), lanes=6)
    assert (batch.num_groups, len(batch.entry)) == (2, 12)


def test_generators_belong_to_replicate_step_and_state(simulators) -> None:
    batch = LaneBatch(simulators, seeds(3), lanes=5)
    generators = batch.generators(2)
    for place, (_, replicate, state) in enumerate(batch.entry):
        expected = kernel_states(seeds(3)[replicate], 2, count=4)[state]
        np.testing.assert_array_equal(generators[place], expected)
    assert len(np.unique(generators, axis=0)) == 12
    assert not (batch.generators(1)[:12, None] == generators[None, :12]).all(axis=-1).any()


def test_tables_hold_each_distinct_game_once(simulators) -> None:
    batch = LaneBatch(simulators, seeds(3), lanes=5)
    tables = batch.tables(1)
    for game, simulator in enumerate(simulators[:2]):
        for stacked, own in zip(tables, simulator._step_tables(1), strict=True):
            assert len(stacked) == 2
            np.testing.assert_array_equal(stacked[game], own)


def test_games_with_lists_of_different_lengths_share_a_batch(random_game) -> None:
    games = [random_game(0, (2,), successors=2), random_game(1, (2,), successors=4)]
    tables = LaneBatch([Simulator(game) for game in games], seeds(2), lanes=2).tables(0)
    assert tables.next_state.shape == tables.cumulative.shape == (2, 3, 2, 4)
    layer = games[0].layer[0]
    np.testing.assert_array_equal(tables.next_state[0, ..., :2], games[0].next_state[layer])
    # No uniform number below one reaches a place that was added.
    assert np.isposinf(tables.cumulative[0, ..., 1:]).all()


def test_output_is_sorted_by_replicate(simulators) -> None:
    batch = LaneBatch(simulators, seeds(3), lanes=5)
    values = batch.by_replicate(batch.entry)
    assert values.shape == (3, 4, 3)
    np.testing.assert_array_equal(values[2, 3], [0, 2, 3])


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_share_all_groups(threads, simulators) -> None:
    batch = LaneBatch(simulators, seeds(3), lanes=4)
    calls = []
    batch.run(lambda *call: calls.append(call), threads, "argument")
    assert len(calls) == min(threads, 3)
    assert {call[2:] for call in calls} == {("argument",)}
    groups = sorted(group for first, last, _ in calls for group in range(first, last))
    assert groups == [0, 1, 2]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_a_thread_is_raised(threads, simulators) -> None:
    def fail(first, last):
        raise ZeroDivisionError(f"groups {first} to {last}")

    with pytest.raises(ZeroDivisionError):
        LaneBatch(simulators, seeds(3), lanes=4).run(fail, threads)


def test_one_seed_for_each_simulator(simulators) -> None:
    with pytest.raises(InputError, match="learn_batch: 3 simulators and 2 seeds; give one seed"):
        LaneBatch(simulators, seeds(2), lanes=4)
    with pytest.raises(InputError, match="learn_batch: 0 simulators and 0 seeds; give one seed"):
        LaneBatch([], [], lanes=4)


def test_seeds_are_seed_sequences(simulators) -> None:
    with pytest.raises(InputError, match=r"learn_batch: seed 1 is 7; .*SeedSequence"):
        LaneBatch(simulators, [*seeds(1), 7, *seeds(1)], lanes=4)


@pytest.mark.parametrize(
    "other", [{"horizon": 2}, {"states": 3}, {"num_actions": (3, 2)}, {"num_actions": (2, 3, 1)}]
)
def test_shapes_must_agree(other, simulators, random_game) -> None:
    odd = Simulator(random_game(0, **{"num_actions": (2, 3), "states": 4} | other))
    with pytest.raises(InputError, match=r"learn_batch: simulator 3 has shape .* batches"):
        LaneBatch([*simulators, odd], seeds(4), lanes=4)
