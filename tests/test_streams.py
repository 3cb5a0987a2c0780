"""Streams depend on what they are for, and on nothing else."""

import itertools

import numpy as np

from ccerates.streams import (
    BOOTSTRAP_STREAM,
    GAME_STREAM,
    LEARNER_STREAM,
    kernel_states,
    seed_sequence,
)

FROZEN_SEED = (6088835607134092481, 3193646212717758188, 3155903326636725340, 427914454397977353)
FROZEN_STATE = [
    2358051631204285863,
    15605507261908625681,
    13701698394249669563,
    12230337361292448240,
]


def words(seed):
    return tuple(seed.generate_state(4, np.uint64).tolist())


def test_every_part_of_the_key_matters() -> None:
    keys = itertools.product(
        (1, 2),
        ("sim-horizon", "real-games"),
        ("horizon-8", "horizon-12", ""),
        (0, 1, 2),
        (GAME_STREAM, LEARNER_STREAM, BOOTSTRAP_STREAM),
    )
    drawn = [words(seed_sequence(*key)) for key in keys]
    assert len(set(drawn)) == len(drawn) == 2 * 2 * 3 * 3 * 3


def test_parts_of_the_key_are_not_run_together() -> None:
    assert words(seed_sequence(1, "ab", "c", 0, 0)) != words(seed_sequence(1, "a", "bc", 0, 0))
    assert words(seed_sequence(1, "a", "b", 0, 1)) != words(seed_sequence(1, "b", "a", 0, 1))
    assert words(seed_sequence(1, "a", "b", 0, 1)) != words(seed_sequence(1, "a", "b", 1, 0))


def test_streams_are_the_same_on_every_machine_and_day() -> None:
    """Frozen values: if they change, all results do."""
    seed = seed_sequence(2023, "sim-horizon", "horizon-8", 3, LEARNER_STREAM)
    assert words(seed) == FROZEN_SEED
    assert kernel_states(seed, 5, count=2)[1].tolist() == FROZEN_STATE


def test_key_of_a_name_is_the_head_of_its_sha256() -> None:
    """SHA-256 of the empty string starts with e3b0c442 98fc1c14."""
    assert seed_sequence(0, "", "", 4, 1).spawn_key[0] == 0x141CFC9842C4B0E3


def test_kernel_states_depend_on_stream_key_and_state_only() -> None:
    seed = seed_sequence(1, "a", "b", 0, LEARNER_STREAM)
    states = kernel_states(seed, 3, count=4)
    assert states.shape == (4, 4)
    assert states.dtype == np.uint64
    np.testing.assert_array_equal(kernel_states(seed, 3, count=9)[:4], states)
    kernel_states(seed, 2, count=4)
    np.testing.assert_array_equal(kernel_states(seed, 3, count=4), states)
    fresh = seed_sequence(1, "a", "b", 0, LEARNER_STREAM)
    fresh.spawn(3)  # NumPy counts children; our streams do not depend on that
    np.testing.assert_array_equal(kernel_states(fresh, 3, count=4), states)
    assert seed.n_children_spawned == 0


def test_kernel_states_differ_by_stream_key_and_state() -> None:
    seeds = [seed_sequence(1, "a", "b", replicate, LEARNER_STREAM) for replicate in range(3)]
    every = [kernel_states(seed, step, count=20) for seed in seeds for step in range(10)]
    rows = np.concatenate(every)
    assert len(np.unique(rows, axis=0)) == len(rows) == 600
    assert rows.any(axis=1).all()  # xoshiro256++ stands still at zero


def test_kernel_states_are_numpy_children_of_the_stream() -> None:
    seed = np.random.SeedSequence(7)
    child = seed.spawn(3)[2]
    np.testing.assert_array_equal(kernel_states(seed, count=3)[2], child.generate_state(4, "u8"))
    grandchild = child.spawn(6)[5]
    expected = grandchild.generate_state(4, np.uint64)
    np.testing.assert_array_equal(kernel_states(seed, 2, count=6)[5], expected)
