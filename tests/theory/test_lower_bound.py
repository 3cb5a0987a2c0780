"""The lower bound on hidden-action games against exact values and exact Bayes play."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import entropy

from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap
from ccerates.games.families import make_game
from ccerates.games.families.hidden_action import HiddenActionParameters
from ccerates.theory.lower_bound import CONSTANT, HiddenActionBound


def bound_of(horizon, actions, blocks, eps, constant=8.0):
    half = constant * eps / horizon**2
    middle = 1.0 - 1.0 / horizon
    return HiddenActionBound(horizon, actions, blocks, eps, middle - half, middle + half)


@pytest.mark.parametrize("seed", range(6))
def test_gap_is_its_closed_form_and_not_below_its_bound(seed):
    generator = np.random.default_rng(seed)
    horizon, blocks = int(generator.integers(2, 8)), int(generator.integers(1, 4))
    counts = (int(generator.integers(2, 5)), *generator.integers(1, 4, size=seed % 3).tolist())
    parameters = {
        "num_players": len(counts),
        "num_actions": list(counts),
        "num_blocks": blocks,
        "horizon": horizon,
        "eps_game": 0.1,
    }
    stay_wrong, stay_right = HiddenActionParameters(**parameters).stay
    game = make_game("hidden-action", parameters, generator)
    keys = game.metadata["keys"]
    # Correlated: rows are distributions over joint actions, not products.
    policy = generator.dirichlet(np.full(math.prod(counts), 0.3), size=(horizon, 2 * blocks))
    right = np.empty((horizon, blocks))
    for step, block in itertools.product(range(horizon), range(blocks)):
        joint = policy[step, 2 * block].reshape(counts)
        right[step, block] = joint[keys[step][block]].sum()
    stay = stay_wrong + (stay_right - stay_wrong) * right
    gaps = []
    for block in range(blocks):
        reached = [math.prod(stay[:step, block]) for step in range(horizon)]
        best = [stay_right**step for step in range(horizon)]
        gaps.append(sum(best) - sum(reached))
    gap = cce_gap(game, policy).gap
    assert gap == pytest.approx(np.mean(gaps), abs=1e-12)

    bound = HiddenActionBound(horizon, counts[0], blocks, 0.1, stay_wrong, stay_right)
    wrong = 1.0 - right[:-1]  # the last step has no consequence
    least = (stay_right - stay_wrong) / blocks * (bound.weights[:, None] * wrong).sum()
    assert 0.0 < least <= gap
    np.testing.assert_allclose(least, gap, rtol=0.6)


def test_all_wrong_attains_the_bound():
    bound = bound_of(7, 3, 1, 0.1)
    value = sum(bound.stay_right**step - bound.stay_wrong**step for step in range(7))
    assert bound.largest_gap_bound == pytest.approx(value, rel=1e-12)
    assert bound.tolerated_share == pytest.approx(0.1 / value, rel=1e-12)


def test_written_out_for_three_steps():
    bound = HiddenActionBound(3, 2, 1, 0.1, 0.4, 0.8)
    np.testing.assert_allclose(bound.weights, [1.8, 0.4])
    assert bound.largest_gap_bound == pytest.approx(0.4 * 2.2)
    assert bound.divergence == pytest.approx(entropy([0.4, 0.6], [0.8, 0.2]))
    assert bound.room == pytest.approx(0.75 * (1 - 0.1 / 0.88) - 0.5)
    spread = (1.8**1.5 + 0.4**1.5) / 2.2
    samples = 32 / 81 * bound.room**3 * 2 * 2.2 / (spread**2 * bound.divergence)
    assert bound.failing_samples == pytest.approx(samples)


@pytest.mark.parametrize(("horizon", "actions", "blocks"), [(6, 4, 1), (8, 3, 2), (16, 12, 5)])
def test_constant_is_the_best_of_all_thresholds(horizon, actions, blocks):
    """Thresholds tau w_h of samples: success <= 3/4 as long as n <= n(tau)."""
    bound = bound_of(horizon, actions, blocks, 0.1)
    total = bound.weights.sum()
    spread = (bound.weights**1.5).sum() / total

    def samples(log_tau):
        tau = math.exp(log_tau)
        told = spread * math.sqrt(tau * bound.divergence / (2 * actions))
        return tau * total * blocks / 0.75 * (bound.room - told)

    best = minimize_scalar(lambda log_tau: -samples(log_tau), bounds=(-10, 20), method="bounded")
    assert bound.failing_samples == pytest.approx(-best.fun, rel=1e-6)


def test_universal_constant_holds_on_a_grid():
    ratios = [
        bound.failing_samples * bound.epsilon**2 / (horizon**4 * 2 * blocks * actions)
        for horizon, actions, share, blocks in itertools.product(
            (6, 7, 8, 12, 24, 100, 1000), (4, 5, 16, 1000), (1e-4, 0.1, 0.5, 1.0), (1, 3)
        )
        for bound in [bound_of(horizon, actions, blocks, share * horizon / 24)]
    ]
    assert CONSTANT <= min(ratios) < 12 * CONSTANT


def test_nothing_is_proved_without_room():
    assert bound_of(8, 2, 1, 0.1, constant=4.0).failing_samples == 0.0


def bayes_success(actions, stay_wrong, stay_right, budget):
    """Best probability to name the hidden action after `budget` samples, adaptively placed."""

    @cache
    def value(stays, leaves, left):
        # Probability of what was seen, up to a common factor, by hidden action.
        likelihood = [
            math.prod(
                (stay_right if action == key else stay_wrong) ** stays[action]
                * (1 - (stay_right if action == key else stay_wrong)) ** leaves[action]
                for action in range(actions)
            )
            for key in range(actions)
        ]
        if left == 0:
            return max(likelihood) / actions
        options = []
        for action in range(actions):
            more = tuple(int(other == action) for other in range(actions))
            after = [
                value(tuple(map(sum, zip(stays, more, strict=True))), leaves, left - 1),
                value(stays, tuple(map(sum, zip(leaves, more, strict=True))), left - 1),
            ]
            options.append(sum(after))
        return max(options)

    zero = (0,) * actions
    return value(zero, zero, budget)


@pytest.mark.parametrize("actions", [2, 3, 4])
@pytest.mark.parametrize(("stay_wrong", "stay_right"), [(0.45, 0.55), (0.3, 0.8), (0.6, 0.99)])
def test_no_adaptive_algorithm_beats_the_bound_at_one_place(actions, stay_wrong, stay_right):
    """H = 2 and one block: exact Bayes play against each step of the proof."""
    bound = HiddenActionBound(2, actions, 1, 0.1, stay_wrong, stay_right)
    assert bayes_success(actions, stay_wrong, stay_right, 0) == pytest.approx(1 / actions)
    for budget in range(6 if actions < 4 else 4):
        success = bayes_success(actions, stay_wrong, stay_right, budget)
        told = math.sqrt(budget * bound.divergence / (2 * actions))
        assert success <= 1 / actions + told + 1e-12  # no threshold: all runs have N <= budget
        # With a threshold of tau samples, as in the proof; to succeed is to be right here.
        for tau in (0.5, 1, 3, 10, 100):
            share = 1 - bound.tolerated_share - budget / tau
            if share > 0:
                told = math.sqrt(tau * bound.divergence / (2 * actions))
                assert success <= (1 / actions + told) / share + 1e-12
        if budget <= bound.failing_samples:
            assert success <= 0.75


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((1, 2, 1, 0.1, 0.4, 0.8), "lower bound: horizon: expected an integer >= 2, got 1"),
        ((3, 1, 1, 0.1, 0.4, 0.8), "lower bound: num_actions: expected an integer >= 2, got 1"),
        ((3, 2, 1, 0.0, 0.4, 0.8), "lower bound: epsilon: expected a number > 0, got 0.0"),
        ((3, 2, 1, 0.1, 0.4, 1.0), "lower bound: stay_right: expected a number > 0 and < 1"),
        ((3, 2, 1, 0.1, 0.4, 0.4), "must be less than stay_right"),
    ],
)
def test_impossible_values_are_named(values, message):
    with pytest.raises(InputError, match=message):
        HiddenActionBound(*values)
