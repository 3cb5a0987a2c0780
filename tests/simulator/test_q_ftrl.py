"""Q-FTRL against its twin, numbers worked out by hand, known games and exact evaluation."""

import math
import warnings
from functools import partial

import numpy as np
import pytest

from ccerates.errors import InputError, TrivialBoundWarning
from ccerates.evaluation.markov import best_response_value, cce_gap, policy_value
from ccerates.games.families import make_game
from ccerates.games.model import MarkovGame
from ccerates.simulator import registry
from ccerates.simulator.batches import DEFAULT_LANES
from ccerates.simulator.q_ftrl import QFtrlOptions, learn_batch, samples
from ccerates.simulator.source import Simulator
from ccerates.streams import kernel_states
from simulator import q_ftrl_twin

learn = partial(registry.learn, "q-ftrl")


def dense(num_actions, horizon, seed=0):
    parameters = {
        "num_players": len(num_actions),
        "num_actions": num_actions,
        "num_states": 3,
        "horizon": horizon,
    }
    return make_game("dense-random", parameters, np.random.default_rng(seed))


def survival(seed=0):
    parameters = {
        "num_players": 2,
        "num_actions": 3,
        "alive_states": 2,
        "horizon": 3,
        "key_cost": 0.1,
    }
    return make_game("survival", parameters, np.random.default_rng(seed))


def choice(horizon):
    """One player, one state: action 0 pays 1, action 1 nothing."""
    return MarkovGame(
        num_actions=(2,),
        reward=np.array([1.0, 0.0]).reshape(1, 1, 1, 2),
        next_state=np.zeros((1, 1, 2, 1), dtype=np.int32),
        probability=np.ones((1, 1, 2, 1)),
        layer=np.zeros(horizon, dtype=np.int32),
        start=np.ones(1),
    )


def same(left, right):
    """Whether two results agree bit by bit."""
    pairs = zip(
        (left.policy, left.upper_value, left.lower_value, *left.trace),
        (right.policy, right.upper_value, right.lower_value, *right.trace),
        strict=True,
    )
    return left.certificate == right.certificate and all(
        np.array_equal(one, other, equal_nan=True) for one, other in pairs
    )


@pytest.mark.parametrize(
    ("num_actions", "horizon", "constants", "c_a", "c_b"),
    [
        ((4,), 3, "practical", 2.0, 0.01),
        ((3, 3), 2, "practical", 2.0, 0.01),
        ((2, 4), 4, "theory", 24.0, 1.0),
        ((4, 1, 3), 3, "practical", 2.0, 0.01),
        ((2, 3, 2), 1, "theory", 24.0, 1.0),
    ],
)
def test_twin(num_actions, horizon, constants, c_a, c_b):
    game = dense(num_actions, horizon)
    seed = np.random.SeedSequence(7)
    result = learn(Simulator(game), 50, seed, QFtrlOptions(constants, failure=0.1))
    generators = [kernel_states(seed, step, count=3) for step in range(horizon)]
    twin = q_ftrl_twin.run(game, 50, generators, c_a=c_a, c_b=c_b, failure=0.1)
    np.testing.assert_allclose(result.policy, twin.policy, rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.trace.value, twin.value, rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.upper_value, twin.upper, rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.lower_value, twin.lower, rtol=0, atol=1e-9)


def test_twin_where_the_bounds_do_not_saturate():
    # With fifty rounds they are mostly 0 and B.
    game, seed = dense((2, 3), 1), np.random.SeedSequence(3)
    result = learn(Simulator(game), 400, seed)
    generators = [kernel_states(seed, 0, count=3)]
    twin = q_ftrl_twin.run(game, 400, generators, c_a=2.0, c_b=0.01, failure=0.05)
    assert np.any(twin.upper < 0.95)
    assert np.any(twin.lower > 0.05)
    np.testing.assert_allclose(result.upper_value, twin.upper, rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.lower_value, twin.lower, rtol=0, atol=1e-9)


# alpha_k = c_a ln K / (k - 1 + c_a ln K) and eta_{k+1} = sqrt(ln K / alpha_k), worked out by hand;
# Q is (1, 0) after every round, so that pi_k(0) = 1 / (1 + exp(-eta_k)).
BY_HAND = {
    # alpha_2 = 0.580940; eta_2 = 0.832555, pi_2(0) = 0.696894
    2: ([0.419060, 0.580940], [0.5, 0.696894]),
    # alpha_2 = 0.687229, alpha_3 = 0.523495; eta_2 = 1.048147, eta_3 = 1.264362
    3: ([0.149037, 0.327468, 0.523495], [0.5, 0.740419, 0.779776]),
}


@pytest.mark.parametrize("rounds", [2, 3])
def test_known_values(rounds):
    result = learn(Simulator(choice(1)), rounds, np.random.SeedSequence(0))
    weight, first = (np.array(numbers) for numbers in BY_HAND[rounds])
    mean = weight @ first
    # ln(K S A / delta): ln 80 = 4.382027, ln 120 = 4.787492
    factor = {2: 0.01 * math.sqrt(4.382027**3 / 2), 3: 0.01 * math.sqrt(4.787492**3 / 3)}[rounds]
    bonus = factor * (weight @ (first * (1 - first)) + 1.0)
    # iota = ln((A + 1)(log2 K + 7) / delta): ln 480 = 6.173786, ln 515.0978 = 6.244357
    iota = {2: 6.173786, 3: 6.244357}[rounds]
    # The first centre is 1/2; then every gain equals its centre.
    deviation = 1.44 * math.sqrt(iota) * 0.5 * weight[0] + 1.18 * weight[-1] * iota
    assert result.policy[0, 0] == pytest.approx([mean, 1 - mean], abs=2e-6)
    assert result.trace.mean_gain.item() == pytest.approx(mean, abs=2e-6)
    assert result.trace.bonus.item() == pytest.approx(bonus, abs=2e-6)
    assert result.trace.value.item() == pytest.approx(mean + bonus, abs=3e-6)
    assert result.trace.arm_mean.ravel() == pytest.approx([1.0, 0.0], abs=1e-12)
    assert result.trace.arm_deviation.ravel() == pytest.approx([deviation] * 2, abs=2e-5)


@pytest.mark.parametrize("rounds", [2000, 20_000])
def test_unlikely_actions_keep_their_probability_down_to_its_limit(rounds):
    """In the last round exp(-eta) is 2**-45 and 2**-144; below 2**-60 it counts as zero."""
    result = learn(Simulator(choice(1)), rounds, np.random.SeedSequence(0))
    step_size = 2.0 * math.log(rounds)
    alpha = step_size / (np.arange(rounds) + step_size)
    weight = alpha * np.append(np.cumprod(1.0 - alpha[:0:-1])[::-1], 1.0)
    odds = np.exp(-np.append(0.0, np.sqrt(math.log(rounds) / alpha[:-1])))
    assert (odds[-1] > 2.0**-60) == (rounds == 2000)
    odds[odds < 2.0**-60] = 0.0
    expected = weight @ (odds / (1.0 + odds))
    assert result.policy[0, 0, 1] == pytest.approx(expected, rel=1e-9, abs=0.0)


def test_horizon_slows_learning():
    # In a game of four steps eta_2 = sqrt(ln 2 / 4) = 0.416277, pi_2(0) = 0.602592.
    result = learn(Simulator(choice(4)), 2, np.random.SeedSequence(0))
    assert result.policy[3, 0, 0] == pytest.approx(0.419060 * 0.5 + 0.580940 * 0.602592, abs=2e-6)


def test_scales():
    seed, simulator = np.random.SeedSequence(0), Simulator(choice(4))
    plain = learn(simulator, 2, seed)
    # Twice the rate undoes the horizon of four.
    fast = learn(simulator, 2, seed, QFtrlOptions(rate_scale=2.0))
    assert fast.policy[3, 0, 0] == pytest.approx(0.614384, abs=2e-6)
    wide = learn(simulator, 2, seed, QFtrlOptions(bonus_scale=3.0))
    assert wide.trace.bonus[3] == pytest.approx(3.0 * plain.trace.bonus[3], rel=1e-12)
    # The certified bounds of the last step rest on samples, not on the bonus.
    assert np.array_equal(wide.trace.arm_deviation[3], plain.trace.arm_deviation[3])


def test_lanes_threads_and_companions_change_no_bit():
    simulators = [Simulator(dense((2, 3), 2, seed)) for seed in (0, 1, 0)]
    seeds = [np.random.SeedSequence(number) for number in range(3)]
    alone = [learn(*run) for run in zip(simulators, [40] * 3, seeds, strict=True)]
    for lanes in (1, 4, DEFAULT_LANES):
        for threads in (1, 2):
            batch = learn_batch(simulators, 40, seeds, threads=threads, lanes=lanes)
            assert all(same(*pair) for pair in zip(batch, alone, strict=True))
    backwards = learn_batch(simulators[::-1], 40, seeds[::-1])
    assert all(same(*pair) for pair in zip(backwards, alone[::-1], strict=True))
    assert not same(alone[0], alone[2])  # one game, two seeds


def test_rows_of_the_policy_do_not_drift_from_one():
    policy = learn(Simulator(dense((3, 2), 2)), 20_000, np.random.SeedSequence(0)).policy
    np.testing.assert_allclose(policy.sum(axis=-1), 1.0, rtol=0, atol=5e-16)


def test_dominant_actions_are_found():
    # Action 1 of each player pays it 0.6 and 0.4 goes with the other's action 0; every joint
    # action leads to one known state. All players playing 1 is the one CCE.
    own, other = np.meshgrid([0, 1], [0, 1], indexing="ij")
    first, second = 0.6 * own + 0.4 * (1 - other), 0.6 * other + 0.4 * (1 - own)
    rewards = np.stack([first.ravel(), second.ravel()])[:, None, :]
    game = MarkovGame(
        num_actions=(2, 2),
        reward=np.broadcast_to(rewards, (1, 2, 2, 4)),
        next_state=np.broadcast_to(np.array([1, 0]).reshape(1, 2, 1, 1), (1, 2, 4, 1)),
        probability=np.ones((1, 2, 4, 1)),
        layer=np.zeros(3, dtype=np.int32),
        start=np.array([1.0, 0.0]),
    )
    result = learn(Simulator(game), 2000, np.random.SeedSequence(0))
    assert result.policy[..., 3].min() > 0.999
    assert cce_gap(game, result.policy).gap == pytest.approx(0.0, abs=2e-3)
    left = np.arange(3, 0, -1)[:, None, None]
    np.testing.assert_allclose(
        result.trace.mean_gain, np.broadcast_to(0.6 * left, (3, 2, 2)), atol=0.1
    )


@pytest.mark.parametrize("make", [survival, lambda seed: dense((2, 3), 3, seed)])
@pytest.mark.parametrize("constants", ["practical", "theory"])
def test_certificate_covers_the_exact_gap(make, constants):
    games = [make(seed) for seed in range(10)]
    simulators = [Simulator(game) for game in games]
    seeds = [np.random.SeedSequence(number) for number in range(10)]
    results = learn_batch(simulators, 40_000, seeds, QFtrlOptions(constants))
    for game, result in zip(games, results, strict=True):
        assert np.all(result.upper_value >= best_response_value(game, result.policy) - 1e-12)
        assert np.all(result.lower_value <= policy_value(game, result.policy) + 1e-12)
        assert cce_gap(game, result.policy).gap <= result.certificate < 2.5
        assert result.samples == samples(simulators[0], 40_000)
        assert result.certified


def test_trivial_bonuses_are_reported_once():
    simulators, seeds = [Simulator(choice(2))] * 2, [np.random.SeedSequence(0)] * 2
    message = r"^q-ftrl: with 20 rounds the bonus is trivial at 4 of 4 \(.*more rounds$"
    with pytest.warns(TrivialBoundWarning, match=message) as caught:
        learn_batch(simulators, 20, seeds, QFtrlOptions("theory"))
    assert len(caught) == 1
    # A bonus of at least sqrt(ln(20 * 2 / 0.05)^3 / 40) * 2 = 5.5.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learn_batch(simulators, 20, seeds)
        learn_batch(simulators, 100_000, seeds, QFtrlOptions("theory"))


def test_learning_closes_the_gap():
    game = dense((3, 3), 2)
    gaps = [
        cce_gap(game, learn(Simulator(game), rounds, np.random.SeedSequence(1)).policy).gap
        for rounds in (20, 20_000)
    ]
    assert gaps[1] < 0.02 < gaps[0]


def test_samples_count_every_action_of_every_player():
    assert samples(Simulator(dense((2, 3), 4)), 10) == 10 * 4 * 3 * 5


@pytest.mark.parametrize("rounds", [1, 0, -3, 2.5])
def test_too_few_rounds(rounds):
    with pytest.raises(InputError, match="q-ftrl: rounds"):
        learn(Simulator(choice(1)), rounds, np.random.SeedSequence(0))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("constants", "rigorous"),
        ("rate_scale", 0.0),
        ("rate_scale", math.nan),
        ("bonus_scale", -1.0),
        ("failure", 1.0),
    ],
)
def test_bad_options(name, value):
    with pytest.raises(InputError, match=f"q-ftrl: {name}"):
        QFtrlOptions(**{name: value})
