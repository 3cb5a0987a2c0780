"""Runs of the arena and of single bandits against plain counterparts on the same numbers."""

import numpy as np
import pytest

from bandits.bandit_twins import TWINS, Evb, gain_table, play
from ccerates.bandits import arena
from ccerates.bandits.adversaries import ADVERSARIES
from ccerates.bandits.evb_single import EvbOptions
from ccerates.bandits.single import Bandit
from ccerates.streams import kernel_states
from twins import Xoshiro

COUNT, ROUNDS, BOUND = 3, 300, 2.0
SEEDS = [np.random.SeedSequence(5, spawn_key=(run,)) for run in range(2)]
CASES = [(name, None) for name in TWINS] + [("evb", "rigorous"), ("evb", "practical")]


def options_of(constants):
    return EvbOptions(constants) if constants else None


def twin_of(name, constants):
    if name == "evb":
        return Evb(COUNT, ROUNDS, BOUND, constants)
    return TWINS[name](COUNT, ROUNDS, BOUND)


def words_of(seed):
    return kernel_states(seed, count=1)[0]


@pytest.mark.parametrize("adversary", ADVERSARIES)
@pytest.mark.parametrize(("name", "constants"), CASES)
def test_arena_agrees_with_the_twin(name, constants, adversary) -> None:
    runs = arena.play(
        name,
        options_of(constants),
        adversary,
        None,
        num_actions=COUNT,
        rounds=ROUNDS,
        gain_bound=BOUND,
        seeds=SEEDS,
    )
    for run, seed in enumerate(SEEDS):
        twin = twin_of(name, constants)
        expected = play(twin, adversary, words_of(seed), COUNT, ROUNDS, BOUND)
        if name == "evb":
            expected["final_estimate"] = twin.estimate
            expected |= {"final_rate": twin.rate, "stability": twin.stability, "bias": twin.bias}
        for field, value in expected.items():
            scale = np.abs(value).max() + BOUND
            actual = getattr(runs, field)[run]
            np.testing.assert_allclose(actual, value, rtol=0, atol=1e-7 * scale, err_msg=field)
        if name != "evb":
            for field in ("final_rate", "stability", "bias", "final_estimate"):
                assert np.isnan(getattr(runs, field)[run]).all()


@pytest.mark.parametrize(("name", "constants"), CASES)
def test_single_bandit_agrees_with_the_twin_and_bit_by_bit_with_the_arena(name, constants) -> None:
    """A single bandit runs in one lane: what it plays depends on neither lanes nor companions."""
    bandit = Bandit(name, options_of(constants), num_actions=COUNT, rounds=ROUNDS, gain_bound=BOUND)
    twin = twin_of(name, constants)
    generator = Xoshiro(words_of(SEEDS[1]))
    least, total = np.full(COUNT, 1 / COUNT), 0.0
    for k in range(ROUNDS):
        weights = bandit.probabilities()
        np.testing.assert_allclose(weights, twin.probabilities(), rtol=1e-7)
        assert weights.sum() == pytest.approx(1.0, abs=1e-14)
        least = np.minimum(least, weights)
        action = int((generator.uniform() >= np.cumsum(weights)[:-1]).sum())
        low, high, chance = gain_table("adaptive", COUNT, ROUNDS, k, weights)
        gain = BOUND * (high if generator.uniform() < chance[action] else low)[action]
        bandit.update(action, gain)
        twin.update(action, gain)
        total += gain
    runs = arena.play(
        name,
        options_of(constants),
        "adaptive",
        None,
        num_actions=COUNT,
        rounds=ROUNDS,
        gain_bound=BOUND,
        seeds=SEEDS,
    )
    assert runs.gain[1] == total
    np.testing.assert_array_equal(runs.range_[1], 1.0 / least)


def test_rates_of_the_log_barrier_were_raised_in_these_runs() -> None:
    twin = twin_of("log-barrier", None)
    play(twin, "stochastic", words_of(SEEDS[0]), COUNT, ROUNDS, BOUND)
    assert twin.raised > 2
