"""EVB attacked: every history of a few rounds, and adversaries that see weights and history."""

import itertools
import math

import numpy as np
import pytest

from ccerates.bandits.evb_single import EvbOptions
from ccerates.bandits.single import Bandit
from theory.explicit_numbers import rate_factors
from theory.plain_evb import PlainEvb, Sums, rigorous_iota

SIZES = [(1, 1), (1, 5), (2, 2), (2, 3), (2, 6), (3, 3), (3, 4), (4, 4)]


def factors(mode, num_actions, rounds, failure):
    """Return c_1 sqrt(iota) and c_2 iota."""
    if mode == "practical":
        return 0.25, 0.0
    iota = rigorous_iota(num_actions, rounds, failure)
    return 1.44 * math.sqrt(iota), 2.36 * iota


def bias_cost(run):
    """Return (paths,): what the bias may cost at most."""
    squares = np.log(run.square / run.gain_bound**2).sum(axis=1)
    ranges = np.log(run.inverse / run.num_actions).sum(axis=1)
    cost = run.deviation * np.sqrt(run.variance * squares)
    return cost + run.range_ * run.gain_bound * ranges


def explicit_rate(run, iota):
    """Return (paths,): C_1 sqrt(A V iota iota') + C_2 A B iota iota'."""
    product = run.num_actions * iota * (iota + math.log(run.rounds))
    first, second = rate_factors(run.rate_scale)
    return first * np.sqrt(product * run.variance) + second * product * run.gain_bound


@pytest.mark.parametrize("failure", [0.999, 1e-3, 1e-300])
@pytest.mark.parametrize("mode", ["rigorous", "practical"])
def test_deterministic_inequalities_in_every_history(mode, failure) -> None:
    """All sequences of actions and of gains in {0, B}, however unlikely the actions are."""
    for (count, rounds), scale, bound in itertools.product(SIZES, (0.1, 1.0, 100.0), (1e-6, 50.0)):
        histories = np.array(list(itertools.product(range(2 * count), repeat=rounds)))
        constants = factors(mode, count, rounds, failure)
        run = PlainEvb(len(histories), count, rounds, bound, *constants, rate_scale=scale)
        for k in range(rounds):
            run.weights()
            run.update(histories[:, k] % count, bound * (histories[:, k] // count))
        size = run.penalty() + run.stability + run.bias + bound
        assert (run.pathwise_slack() >= -1e-12 * size[:, None]).all()
        assert (run.bias <= bias_cost(run) + 1e-12 * size).all()
        assert run.largest_step <= 0.68
        # <w, g> = x - m + <w, b>: the weight of the played arm cancels.
        np.testing.assert_allclose(run.product, run.centred + run.bias, atol=1e-9 * size.max())
        certificate = run.certificate()
        np.testing.assert_allclose(run.observed_bound(), certificate, atol=1e-9 * size.max())
        if mode == "rigorous":
            iota = rigorous_iota(count, rounds, failure)
            assert (run.worst_case_bound() <= explicit_rate(run, iota)).all()


@pytest.mark.parametrize("count", [2, 3, 4])
def test_without_most_of_the_stability_term_some_history_breaks_the_inequality(count) -> None:
    """With K = A rounds the comparator is uniform and costs nothing: what is left is stability."""
    histories = np.array(list(itertools.product(range(2 * count), repeat=count)))
    run = PlainEvb(len(histories), count, count, 1.0, 0.25, 0.0)
    for k in range(count):
        run.weights()
        run.update(histories[:, k] % count, 1.0 * (histories[:, k] // count))
    slack = run.pathwise_slack()
    assert (slack >= -1e-12).all()
    assert (slack - 0.7 * run.stability[:, None] < -1e-3).any()


def starve(run, _):
    """Pay only the arm that is least likely."""
    mean = np.zeros(run.weight.shape)
    mean[run.every, run.weight.argmin(axis=1)] = run.gain_bound
    return mean


def trap(run, state):
    """Arm 0 pays nothing until it is hardly played any more, and B from then on."""
    on = state.setdefault("on", np.zeros(run.every.size, bool))
    on |= run.weight[:, 0] < 0.02
    mean = np.full(run.weight.shape, 0.5 * run.gain_bound)
    mean[:, 0] = np.where(on, run.gain_bound, 0.0)
    return mean


def hide(run, _):
    """Arm 0 pays B while it is unlikely and nothing while it is likely."""
    mean = np.full(run.weight.shape, 0.3 * run.gain_bound)
    mean[:, 0] = np.where(run.weight[:, 0] < 1.0 / run.num_actions, run.gain_bound, 0.0)
    return mean


def mislead(run, state):
    """Pay only the arm whose estimate has fallen behind its true sum the most."""
    behind = state["surplus"] - run.importance
    mean = np.zeros(run.weight.shape)
    mean[run.every, behind.argmax(axis=1)] = run.gain_bound
    return mean


def switch(run, _):
    """Pay one arm after the other."""
    mean = np.zeros(run.weight.shape)
    mean[:, run.played * 7 // run.rounds % run.num_actions] = run.gain_bound
    return mean


def play(run, adversary, generator, weights, noise):
    """Play all rounds; return (paths, arms): sum of mu_k(a) - m_k."""
    state = {"surplus": np.zeros(run.importance.shape)}
    for _ in range(run.rounds):
        weight = weights(run)
        mean = adversary(run, state)
        state["surplus"] += mean - run.centre()[:, None]
        uniform = generator.random(run.every.size)
        action = (uniform[:, None] >= weight.cumsum(axis=1)[:, :-1]).sum(axis=1)
        gain = mean[run.every, action]
        if noise:
            gain = run.gain_bound * (generator.random(gain.size) * run.gain_bound < gain)
        if isinstance(run, PlainEvb):
            run.update(action, gain)
        else:
            run.take(weight, action, gain)
    return state["surplus"]


@pytest.mark.parametrize("adversary", [starve, trap, hide, mislead, switch])
def test_evb_against_adversaries_that_see_its_weights(adversary) -> None:
    """200 runs: lemma, regret and explicit rate hold in all, for delta near 1 and for delta .05."""
    rounds, bound, count = 600, 2.0, 3
    generator = np.random.default_rng(5)
    for failure, noise in itertools.product((0.999, 0.05), (False, True)):
        constants = factors("rigorous", count, rounds, failure)
        run = PlainEvb(50, count, rounds, bound, *constants)
        surplus = play(run, adversary, generator, PlainEvb.weights, noise)
        regret = (surplus - run.centred[:, None]).max(axis=1)
        assert (surplus <= run.deviation_bound()).all()
        assert (regret <= run.regret_bound()).all()
        assert (run.regret_bound() < rounds * bound).any()
        assert (run.worst_case_bound() <= explicit_rate(run, run.range_ / 2.36)).all()


def extreme_weights(run):
    """Weights that nobody learns with: one arm in K, one in 10, or near certainty, by turns."""
    small = (1.0 / run.rounds, 0.1, 0.45)[run.played % 3]
    run.weight = np.tile([small, small, 1.0 - 2.0 * small], (run.every.size, 1))
    return run.weight


def doubling_weights(run):
    """Weights as small as what the estimates still lack asks for: a bet on not being played."""
    lack = np.clip((run.played + 1.0) / run.rounds, 0.0, 1.0)
    small = np.full(run.every.size, max(1.0 / run.rounds, 0.3 * (1.0 - lack) ** 4))
    run.weight = np.stack([small, small, 1.0 - 2.0 * small], axis=1)
    return run.weight


@pytest.mark.parametrize("weights", [extreme_weights, doubling_weights])
@pytest.mark.parametrize("adversary", [starve, hide, mislead])
def test_certificate_of_any_bandit_for_weights_chosen_against_it(adversary, weights) -> None:
    """The lemma and the certificate hold; a twentieth of iota would not do."""
    rounds, bound, count = 500, 1.0, 3
    failure = 0.5
    iota = rigorous_iota(count, rounds, failure)
    run = Sums(400, count, rounds, bound, 1.44 * math.sqrt(iota), 2.36 * iota)
    surplus = play(run, adversary, np.random.default_rng(9), weights, noise=True)
    assert (surplus <= run.deviation_bound()).all()
    regret = (surplus - run.centred[:, None]).max(axis=1)
    assert (regret <= run.certificate()).all()
    assert (surplus > run.importance).any()  # the estimates do miss something
    squares = np.sqrt(run.square - bound**2)
    smaller = run.importance + 0.05 * run.deviation * squares
    assert (surplus > smaller).any(axis=1).mean() > failure


@pytest.mark.parametrize("adversary", [trap, mislead])
@pytest.mark.parametrize("mode", ["rigorous", "practical"])
def test_the_package_plays_the_same_weights(mode, adversary) -> None:
    """One run of the compiled bandit against an adversary that sees the weights."""
    rounds, bound, count, failure = 300, 2.0, 3, 0.25
    options = EvbOptions(constants=mode, failure=failure)
    bandit = Bandit("evb", options, num_actions=count, rounds=rounds, gain_bound=bound)
    run = PlainEvb(1, count, rounds, bound, *factors(mode, count, rounds, failure))
    state = {"surplus": np.zeros((1, count))}
    generator = np.random.default_rng(3)
    for _ in range(rounds):
        weight = run.weights()
        np.testing.assert_allclose(bandit.probabilities(), weight[0], rtol=1e-7)
        mean = adversary(run, state)
        state["surplus"] += mean - run.centre()[:, None]
        action = int(generator.choice(count, p=weight[0]))
        bandit.update(action, float(mean[0, action]))
        run.update(np.array([action]), mean[:, action])
