"""Bounds from samples of a policy: against a twin, numbers written out, and exact values."""

import math

import numpy as np
import pytest

from ccerates.certification import radii
from ccerates.certification.draws import Draws, follow_per_round, samples_per_round
from ccerates.certification.policy_bounds import bound_values
from ccerates.certification.radii import SampledRadius, mean_square, no_radius, radius
from ccerates.evaluation.markov import best_response_value, policy_value
from ccerates.games.families import make_game
from ccerates.simulator.source import Simulator
from certification import policy_twin

DELTA = 0.05


def small_game(seed, num_actions=(2, 2), num_states=2, horizon=2):
    parameters = {
        "num_players": len(num_actions),
        "num_actions": list(num_actions),
        "num_states": num_states,
        "horizon": horizon,
    }
    return make_game("dense-random", parameters, np.random.default_rng(seed))


def random_policy(game, seed):
    shape = (game.horizon, game.num_states, game.num_joint_actions)
    return np.random.default_rng(seed).dirichlet(np.full(shape[-1], 0.5), size=shape[:2])


def draw(game, policy, rounds, seed):
    draws = Draws(Simulator(game), policy, rounds, np.random.default_rng(seed))
    draws.extend(rounds, lambda _: None)
    return draws


def test_a_radius_written_out():
    gains = np.array([[1.0, 0.0, 1.0, 1.0]])
    # B = 2, so the centres are 1, 1, 1/2, 2/3.
    spread = mean_square(gains, 2.0)
    np.testing.assert_allclose(spread, (0.0 + 1.0 + 1 / 4 + 1 / 9) / 4, rtol=1e-15)
    expected = (1.44 * math.sqrt(9.0 * (49 / 36)) + 1.18 * 2.0 * 9.0) / 4
    np.testing.assert_allclose(radius(spread, 2.0, 4, 9.0), expected, rtol=1e-15)


def test_the_union_is_over_sides_steps_states_values_and_deviations():
    game = Simulator(small_game(0, (2, 3), num_states=3, horizon=4))
    gains = np.full((2, 64), 0.5)
    found = SampledRadius(game, DELTA)((0, 1, 0), slice(0, 2), gains)
    iota = math.log(2 * 4 * 3 * (2 + 5) * (math.log2(64) + 7) / DELTA)
    squares = (1.5 - 0.5) ** 2  # only the first is not at the centre; B = 3 at step 1 of 4
    expected = (1.44 * math.sqrt(iota * squares) + 1.18 * 3 * iota) / 64
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_samples_of_a_round():
    assert [follow_per_round(each) for each in [(1,), (2, 2), (2, 3), (4, 4), (27,)]] == [
        1, 3, 3, 4, 9,
    ]  # fmt: skip
    assert samples_per_round(Simulator(small_game(0, (2, 3), 3, 4))) == 4 * 3 * (3 + 5)


@pytest.mark.parametrize("num_actions", [(2, 3), (3,), (1, 2, 2)])
def test_bounds_are_those_of_the_twin(num_actions):
    game = small_game(3, num_actions, num_states=3, horizon=3)
    draws = draw(game, random_policy(game, 4), 40, 5)
    source = Simulator(game)
    found = bound_values(source, draws, SampledRadius(source, 0.9))
    twin = policy_twin.bounds(num_actions, 3, 3, draws, 0.9)
    for (h, s, i), expected in twin.items():
        place = (h, s, i)
        got = [each[side][place] for each in (found.policy, found.response) for side in (1, 0)]
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)
    assert (found.policy[0, 0] < 3).any()  # not everything is clipped


def test_deviations_meet_the_marginal_of_the_others():
    """Correlated play 00 or 11: a deviator does not see which, so the other plays both."""
    game = small_game(1, (2, 2), num_states=1, horizon=1)
    policy = np.array([[[0.5, 0.0, 0.0, 0.5]]])
    asked = []

    class Recorder(Simulator):
        def sample(self, step, state, joint_action, generator):
            asked.append(joint_action)
            return super().sample(step, state, joint_action, generator)

    draws = Draws(Recorder(game), policy, 2000, np.random.default_rng(0))
    draws.extend(2000, lambda _: None)
    counts = [
        np.bincount(part, minlength=4) / 2000 for part in np.split(np.array(asked), 7)[3:]
    ]  # 3 parts follow, then player 0 plays 0 and 1, player 1 plays 0 and 1
    expected = [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5]]
    np.testing.assert_allclose(counts, expected, atol=0.05)
    follow = np.bincount(asked[:6000], minlength=4) / 6000
    np.testing.assert_allclose(follow, [0.5, 0, 0, 0.5], atol=0.03)


def violations(runs, rounds):
    """Return in how many runs a bound is wrong at some step, state and player."""
    wrong = 0
    for run in range(runs):
        game = small_game(run % 20)
        policy = random_policy(game, run)
        source = Simulator(game)
        found = bound_values(source, draw(game, policy, rounds, run), SampledRadius(source, DELTA))
        exact = {
            "policy": policy_value(game, policy),
            "response": best_response_value(game, policy),
        }
        wrong += not all(
            (upper[:-1] >= exact[name] - 1e-12).all() and (lower[:-1] <= exact[name] + 1e-12).all()
            for name, (upper, lower) in found._asdict().items()
        )
    return wrong


def test_bounds_hold_everywhere_in_all_runs():
    assert violations(200, 100) == 0  # up to 20 of them would be no contradiction


def test_radii_that_are_too_small_are_caught(monkeypatch):
    monkeypatch.setattr(radii, "DIRECT_DEVIATION", 1.44 / 20)
    monkeypatch.setattr(radii, "DIRECT_RANGE", 1.18 / 20)
    assert violations(30, 100) > 15


def test_estimates_come_near_the_exact_values():
    game = small_game(2)
    policy = random_policy(game, 2)
    found = bound_values(Simulator(game), draw(game, policy, 4000, 2), no_radius)
    exact = best_response_value(game, policy)
    np.testing.assert_allclose(found.response[0][:-1], exact, atol=0.05)
    np.testing.assert_allclose(found.policy[1][:-1], policy_value(game, policy), atol=0.05)
