"""Runs in the arena: known answers, bounds that must hold, and planted errors that must show."""

import math
from functools import cache

import numpy as np
import pytest

from ccerates.bandits import arena
from ccerates.bandits.adversaries import ADVERSARIES, HighVarianceOptimumOptions, StochasticOptions
from ccerates.bandits.evb_bounds import regret_terms
from ccerates.bandits.evb_single import EvbOptions
from ccerates.bandits.registry import MODULES
from ccerates.errors import InputError
from ccerates.theory.constants import bandit_constants

FAILURE = 0.05


def seeds_of(count, first=0):
    return [np.random.SeedSequence(11, spawn_key=(first + run,)) for run in range(count)]


def play(bandit, adversary, rounds, count, *, options=None, law=None, actions=4, bound=1.0, **rest):
    return arena.play(
        bandit,
        options,
        adversary,
        law,
        num_actions=actions,
        rounds=rounds,
        gain_bound=bound,
        seeds=seeds_of(count),
        **rest,
    )


@cache
def short_runs(bandit, adversary):
    """Return 320 runs of 2,000 rounds with gains in [0, 2]."""
    return play(bandit, adversary, 2000, 320, bound=2.0)


def failures(runs, rounds, bound):
    """Return the frequencies with which the deviation lemma and the certificate fail."""
    constants = bandit_constants("rigorous", runs.square.shape[1], rounds, bound, FAILURE)
    deviation = constants.bias_deviation * np.sqrt(runs.square)
    deviation += constants.bias_range * bound * runs.range_
    lemma = (runs.mean_sum > runs.estimate_sum + deviation).any(axis=1).mean()
    certificate = arena.certificate(runs, rounds, bound, FAILURE)
    return lemma, (arena.realised_regret(runs) > certificate).mean()


@pytest.mark.parametrize("bandit", MODULES)
@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_lemma_and_certificate_cover(bandit, adversary) -> None:
    assert max(failures(short_runs(bandit, adversary), 2000, 2.0)) <= FAILURE


@pytest.mark.parametrize("bandit", MODULES)
def test_means_and_estimates_differ_by_noise_only(bandit) -> None:
    """The sum of mu_k(a) - m_k - Y_k(a) is a martingale; its variance is about E Q_K(a)."""
    for adversary in ADVERSARIES:
        runs = short_runs(bandit, adversary)
        difference = runs.mean_sum - runs.estimate_sum
        deviation = np.sqrt(runs.square.mean(axis=0) / len(difference))
        # The rare arms of a few bandits make the sums far from normal; rarely is never wrong here.
        assert (np.abs(difference.mean(axis=0)) < 5.0 * deviation).all(), adversary


def test_errors_in_the_sums_show() -> None:
    """A certificate twenty times too small, estimates of the wrong sign and shifted means."""
    runs = play("evb", "stochastic", 20000, 64)
    regret, certificate = arena.realised_regret(runs), arena.certificate(runs, 20000, 1.0, FAILURE)
    assert (regret > certificate / 20.0).mean() > FAILURE
    runs = play("evb", "switching", 20000, 64)
    assert max(failures(runs, 20000, 1.0)) == 0.0
    wrong = runs._replace(estimate_sum=-runs.estimate_sum)
    assert failures(wrong, 20000, 1.0)[0] > FAILURE
    runs = short_runs("evb", "adaptive")
    shifted = np.abs((runs.mean_sum + 2000 * 0.04 - runs.estimate_sum).mean(axis=0))
    assert (shifted > 5.0 * np.sqrt(runs.square.mean(axis=0) / 320)).any()


def terms_of(runs, constants, rounds, bound):
    return regret_terms(
        runs.final_estimate,
        runs.centred,
        runs.stability,
        runs.bias,
        runs.final_rate,
        rounds,
        bound,
        bandit_constants(constants, runs.square.shape[1], rounds, bound, FAILURE),
    )


@pytest.mark.parametrize("constants", ["rigorous", "practical"])
@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_inequalities_of_evb_that_hold_in_every_run(constants, adversary) -> None:
    """The pathwise inequality, and the cost of the bias.

    With q the increments of Q(a): sum <w, b> <= c_1 sqrt(iota) sum |x - m| sqrt(q/Q) + the range's
    part <= c_1 sqrt(iota V_K sum_a ln(Q_K(a)/B^2)) + c_2 iota B sum_a ln(rho_K(a)/A).
    """
    runs = play("evb", adversary, 2000, 64, options=EvbOptions(constants), bound=2.0)
    terms = terms_of(runs, constants, 2000, 2.0)
    assert (terms.pathwise_slack >= 0.0).all()
    numbers = bandit_constants(constants, 4, 2000, 2.0, FAILURE)
    growth = np.log(runs.square / 4.0).sum(axis=1)
    cost = numbers.bias_deviation * np.sqrt(runs.played_variance * growth)
    cost += numbers.bias_range * 2.0 * np.log(runs.range_ / 4.0).sum(axis=1)
    assert (runs.bias <= cost).all()
    if constants == "rigorous":
        assert (runs.bias > 0.2 * cost).all()  # five times the bias would show
        assert (arena.realised_regret(runs) <= terms.regret_bound).all()


def test_observed_bound_of_rigorous_evb_is_its_certificate() -> None:
    """G_K(a) is the sum of Y and of a bias that telescopes to the deviation less its start."""
    runs = play("evb", "adaptive", 20000, 8)
    bound = terms_of(runs, "rigorous", 20000, 1.0).regret_bound
    np.testing.assert_allclose(bound, arena.certificate(runs, 20000, 1.0, FAILURE), rtol=1e-9)


def test_variance_bias_is_what_protects_against_switching() -> None:
    """A quarter of the runs without it exceed the bound of the analysis, by far; with it, none."""
    exceeds = {}
    for constants in ("practical", "rigorous"):
        runs = play("evb", "switching", 50000, 96, options=EvbOptions(constants))
        terms = terms_of(runs, constants, 50000, 1.0)
        analytic = terms.penalty + terms.stability + terms.bias + terms.constant
        exceeds[constants] = arena.realised_regret(runs) / analytic
    assert (exceeds["practical"] > 1.0).mean() > 0.15
    assert exceeds["practical"].max() > 10.0
    assert exceeds["rigorous"].max() < 1.0


@pytest.mark.parametrize("bandit", MODULES)
def test_best_of_deterministic_arms_is_found(bandit) -> None:
    """Arm 0 always yields 1, the others 0: the gain counts how often it was played."""
    options = EvbOptions("practical") if bandit == "evb" else None
    runs = play(
        bandit, "stochastic", 20000, 8, options=options, law=StochasticOptions(gap=1.0, noise=0.0)
    )
    np.testing.assert_array_equal(runs.gain, np.round(runs.gain))
    assert (runs.gain > 0.9 * 20000).all()
    np.testing.assert_allclose(arena.realised_regret(runs), 20000 - runs.gain, atol=1e-6)
    # m_k is the mean of earlier gains: a sequence of mostly ones varies little.
    assert (runs.played_variance < 20000 - runs.gain + math.log(20000) + 1).all()


def test_centred_quantities_do_not_see_a_common_shift() -> None:
    """Gains all equal to 0.6 B: everything but the first round, with m_1 = B/2, is zero."""
    law = HighVarianceOptimumOptions(gap=0.0, noise=0.0)
    runs = play("exp3-ix", "high-variance-optimum", 500, 8, law=law, bound=3.0)
    np.testing.assert_allclose(runs.mean_sum[:, 1], runs.mean_sum[:, 3], rtol=0, atol=1e-9)
    flat = StochasticOptions(gap=0.0, noise=0.0)
    runs = play("exp3-ix", "stochastic", 500, 8, law=flat, bound=3.0)
    for values in (runs.centred, runs.mean_sum, runs.estimate_sum, runs.played_variance):
        np.testing.assert_allclose(values, 0.0, atol=1e-9)
    np.testing.assert_allclose(runs.gain, 500 * 1.5, rtol=1e-12)
    np.testing.assert_allclose(runs.square, 9.0, rtol=1e-12)


def test_published_bounds_hold_on_a_stochastic_instance() -> None:
    """Exp3-IX and Exp3.P with probability 0.95; the expectation of Tsallis-INF.

    The latter's bound is that of the reduced-variance estimator; 4 sqrt(AK) + 1 is that of plain
    importance weighting and half the rate.
    """
    for rounds in (2000, 32000):
        log_rate = math.sqrt(2 * 4 * rounds * math.log(4))
        neu = 2 * log_rate + (log_rate / math.log(4) + 1) * math.log(2 / FAILURE)
        auer = 5.15 * math.sqrt(rounds * 4 * math.log(4 / FAILURE))
        for bandit, bound in (("exp3-ix", neu), ("exp3-p", auer)):
            regret = arena.realised_regret(play(bandit, "stochastic", rounds, 64))
            assert (regret > bound).mean() <= FAILURE
        regret = arena.realised_regret(play("tsallis-inf", "stochastic", rounds, 64))
        assert regret.mean() <= 2 * math.sqrt(4 * rounds) + 10 * 4 * math.log(rounds) + 16


@pytest.mark.parametrize("bandit", MODULES)
def test_regret_grows_slower_than_the_number_of_rounds(bandit) -> None:
    """Four times the rounds cost at most 2.6 times as much: sqrt(4) and a logarithm."""
    regrets = [
        arena.realised_regret(play(bandit, "stochastic", rounds, 16)).mean()
        for rounds in (20000, 80000)
    ]
    assert 0.0 < regrets[1] < 2.6 * regrets[0]


def test_runs_depend_on_their_seed_only() -> None:
    whole = play("evb", "adaptive", 300, 19)
    for lanes in (2, 16):
        again = play("evb", "adaptive", 300, 19, lanes=lanes)
        for field, values in whole._asdict().items():
            np.testing.assert_array_equal(values, getattr(again, field), err_msg=field)
    part = arena.play(
        "evb",
        None,
        "adaptive",
        None,
        num_actions=4,
        rounds=300,
        gain_bound=1.0,
        seeds=seeds_of(2, first=17),
    )
    for field, values in whole._asdict().items():
        np.testing.assert_array_equal(values[17:], getattr(part, field), err_msg=field)
    assert len(set(whole.gain)) > 10


def test_scaling_gains_scales_runs() -> None:
    """With B = 4 instead of 1, a power of two, all bandits draw the same actions."""
    for bandit in MODULES:
        one, four = (play(bandit, "adaptive", 300, 4, bound=bound) for bound in (1.0, 4.0))
        np.testing.assert_allclose(four.gain, 4.0 * one.gain, rtol=1e-12)
        np.testing.assert_allclose(four.square, 16.0 * one.square, rtol=1e-9)
        np.testing.assert_allclose(four.range_, one.range_, rtol=1e-9)


@pytest.mark.parametrize("actions", [1, 2, 16])
def test_few_rounds_and_any_number_of_actions(actions) -> None:
    for bandit in MODULES:
        for rounds in (1, 2, 5):
            runs = play(bandit, "switching", rounds, 3, actions=actions)
            assert np.isfinite(runs.square).all()
            assert ((runs.gain >= 0.0) & (runs.gain <= rounds)).all()
            if actions == 1:
                np.testing.assert_allclose(arena.realised_regret(runs), 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bandit": "exp3-xi"}, "unknown bandit 'exp3-xi'; did you mean 'exp3-ix'"),
        ({"options": EvbOptions()}, "exp3-ix: options must be Exp3IxOptions"),
        ({"adversary": "swiching"}, "unknown adversary 'swiching'; did you mean 'switching'"),
        ({"law": StochasticOptions()}, "switching: options must be SwitchingOptions"),
        ({"num_actions": 0}, "exp3-ix: num_actions: expected an integer >= 1"),
        ({"rounds": 1.5}, "exp3-ix: rounds: expected an integer"),
        ({"gain_bound": 0.0}, "exp3-ix: gain_bound: expected a number > 0"),
        ({"seeds": []}, "play: no seeds"),
        ({"seeds": [3]}, "play: seed 0 is 3; give a numpy.random.SeedSequence"),
        ({"lanes": 0}, "play: lanes: expected an integer >= 1"),
    ],
)
def test_bad_input_is_named(change, message) -> None:
    given = {"bandit": "exp3-ix", "options": None, "adversary": "switching", "law": None}
    shape = {"num_actions": 2, "rounds": 9, "gain_bound": 1.0, "seeds": seeds_of(1), "lanes": 16}
    for name, value in change.items():
        (given if name in given else shape)[name] = value
    with pytest.raises(InputError, match=message):
        arena.play(*given.values(), **shape)


def test_bad_options_are_named() -> None:
    with pytest.raises(InputError, match="evb: constants: expected one of"):
        EvbOptions("published")
    with pytest.raises(InputError, match="evb: failure"):
        EvbOptions(failure=1.0)
    with pytest.raises(InputError, match=r"stochastic: noise: expected a number in \[0, 0.4\]"):
        StochasticOptions(gap=0.2, noise=0.5)
