"""EVB-online against its twin, independent bandits and numbers worked out by hand."""

import math

import numpy as np
import pytest

from ccerates.bandits import evb
from ccerates.bandits.evb_bounds import regret_terms
from ccerates.bandits.evb_single import EvbOptions
from ccerates.bandits.single import Bandit
from ccerates.errors import InputError
from ccerates.online.evb_online import EvbOnlineOptions, choose_parameters
from ccerates.online.evb_stage import bound_regret
from ccerates.online.run import OnlineBatch
from ccerates.online.source import Episodes
from ccerates.streams import kernel_states
from ccerates.theory.constants import BanditConstants, bandit_constants
from online.stage_recorder import run
from online.stage_twins import run_twin
from online.test_stage_v_learning import one_state_game

NAME = "evb-online"
CASES = {
    "practical": ((2, 3), EvbOnlineOptions()),
    "scaled": ((3, 2), EvbOnlineOptions(rate_scale=3.0, bonus_scale=0.1)),
    "rigorous": ((2, 3), EvbOnlineOptions(constants="rigorous", failure=0.2)),
    "more-arms-than-visits": ((5, 1), EvbOnlineOptions(constants="rigorous", rate_scale=9.0)),
    "three-players": ((2, 3, 2), EvbOnlineOptions()),
    "centre": ((2, 3), EvbOnlineOptions(ablation="centre")),
    "bias": ((2, 3), EvbOnlineOptions(ablation="bias")),
    "adaptive-rate": ((2, 3), EvbOnlineOptions(ablation="adaptive-rate", rate_scale=0.5)),
    "bonus": ((2, 3), EvbOnlineOptions(ablation="bonus")),
}


@pytest.mark.parametrize("case", CASES)
def test_runs_equal_their_twin(case, make_sources, make_seeds) -> None:
    num_actions, options = CASES[case]
    sources, seeds = make_sources(2, num_actions), make_seeds(2)
    results, visits = run(NAME, sources, seeds, 100, options)
    for replicate, source in enumerate(sources):
        game, words = source._game, kernel_states(seeds[replicate], count=1)[0]
        places, expected, certificate = run_twin(NAME, game, 100, words, options)
        seen, result = visits[replicate], results[replicate]
        np.testing.assert_array_equal(seen.state.ravel(), expected["state"])
        for name in ("policy", "upper", "lower", "surplus"):
            ours = getattr(seen, name)
            theirs = np.reshape(expected[name], ours.shape)
            np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-9, err_msg=name)
        assert result.certificate == pytest.approx(certificate, rel=1e-9)
        assert max(place.stage for place in places.values()) >= 7
        for here, place in places.items():
            check_place(result, here, place)
        assert result.certified == (options.constants == "rigorous")


def check_place(result, here, place) -> None:
    """Compare what a result says of a (step, state) with what the twin knows of it."""
    trace = result.trace
    assert result.visits[here] == place.visits
    assert trace.completed_stages[here] == place.stage
    np.testing.assert_allclose(result.upper_value[here], place.upper, rtol=1e-9)
    np.testing.assert_allclose(result.lower_value[here], place.lower, rtol=1e-9, atol=1e-12)
    for player, report in enumerate(place.report):
        for name in ("mean_gain", "lower_mean_gain", "regret_bound"):
            ours = getattr(trace, name)[here][player]
            expected = report.get(name, math.nan)
            np.testing.assert_allclose(ours, expected, rtol=1e-8, atol=1e-9, err_msg=name)
        slack = trace.pathwise_slack[here][player]
        if report.get("ratios"):
            worst = slack / trace.pathwise_scale[here][player]
            assert worst == pytest.approx(min(report["ratios"]), rel=1e-6, abs=1e-9)
            assert trace.pathwise_right_side[here][player] >= 0.0
            assert slack >= -1e-9
        else:
            assert math.isnan(slack)


def test_bound_of_one_bandit_equals_the_array_formula() -> None:
    generator = np.random.default_rng(5)
    constants = BanditConstants(0.7, 0.3, 0.5, 0.0, 0.0)
    trivial = observed = analytic = 0
    for count in (1, 2, 3, 7):
        for rounds in (1, count, count + 1, 1000):
            for scale, size in ((0.1, 0.1), (10.0, 10.0), (1000.0, 1000.0), (1000.0, 1.0)):
                estimate = generator.normal(size=count) * scale
                square = 4.0 + generator.exponential(size=count) * scale
                sums = generator.exponential(size=evb.NUM_SUMS) * size
                terms = regret_terms(
                    estimate,
                    sums[evb.SUM_CENTRED],
                    sums[evb.SUM_STABILITY],
                    sums[evb.SUM_BIAS],
                    np.array(0.3),
                    rounds,
                    2.0,
                    constants,
                )
                bound, slack, right_side, typical = bound_regret(
                    estimate, square, sums, 0.3, rounds, 2.0, 0.7, 0.3
                )
                assert bound == pytest.approx(float(terms.regret_bound), rel=1e-12)
                trivial += bound == 2.0 * rounds
                if rounds < count:
                    assert math.isnan(slack)
                    continue
                sizes = terms.penalty + terms.stability + terms.bias + np.sqrt(square)
                arm = np.argmin(terms.pathwise_slack / sizes)
                assert slack == pytest.approx(terms.pathwise_slack[arm], rel=1e-12)
                assert typical == pytest.approx(sizes[arm], rel=1e-12)
                assert right_side == pytest.approx(terms.penalty + terms.stability, rel=1e-12)
                four = right_side + terms.bias + terms.constant
                analytic += bound == pytest.approx(float(four)) and bound < 2.0 * rounds
                observed += 0.0 < bound < min(float(four), 2.0 * rounds) * (1 - 1e-9)
    assert min(trivial, observed, analytic) > 0


@pytest.mark.parametrize("place", [0, 1, 2, "square", *range(-evb.NUM_SUMS, 0)])
def test_nan_reaches_bound_and_inequality_of_one_bandit(place) -> None:
    """A NaN estimate, square or sum: no finite number may stand for it, whichever arm has it."""
    estimate, square, sums = np.array([1.0, 2.0, 0.5]), np.full(3, 4.0), np.ones(evb.NUM_SUMS)
    sound = bound_regret(estimate, square, sums, 0.3, 50, 2.0, 0.7, 0.3)
    assert np.isfinite(sound).all()
    if place == "square":
        square[1] = math.nan
    elif place < 0:
        sums[place] = math.nan
    else:
        estimate[place] = math.nan
    bound, slack, _, scale = bound_regret(estimate, square, sums, 0.3, 50, 2.0, 0.7, 0.3)
    used = (evb.SUM_BIAS, evb.SUM_CENTRED, evb.SUM_STABILITY)
    if place != "square" and place < 0 and place + evb.NUM_SUMS not in used:
        assert (bound, slack, scale) == (sound[0], sound[1], sound[3])
        return
    assert math.isnan(slack / scale)
    assert math.isnan(bound) or place == "square"


def test_nan_stays_the_worst_inequality_of_all_stages(make_sources, make_seeds) -> None:
    """A bandit with a NaN estimate in one stage; the later stages are sound."""
    batch = OnlineBatch("evb-online", make_sources(1), make_seeds(1), episodes=400)
    batch.advance(50)
    learner = batch._groups[0].state
    (step, state), player = np.unravel_index(learner.visits[..., 0].argmax(), (3, 3)), 1
    before = int(learner.stage[step, state, 0])
    learner.estimate[step, player, state, 0] = math.nan
    batch.advance(400)
    trace = batch.results()[0].trace
    assert trace.completed_stages[step, state] > before + 1
    ratio = trace.pathwise_slack / trace.pathwise_scale
    assert math.isnan(ratio[step, state, player])
    assert np.isfinite(ratio[:, trace.completed_stages.min(axis=0) > 3, 1 - player]).any()


def test_constants_of_stages() -> None:
    """The failure is shared out as delta / (2 m H S t (t + 1)), which sums to delta / 2."""
    options = EvbOnlineOptions(constants="rigorous", failure=0.1)
    parameters = choose_parameters(options, ((2, 3), 7, 4), 30)
    assert parameters.length.tolist() == [4, 5, 6, 7, 8]
    assert parameters.constants.shape == (4, 5, 2, 6)
    failure = 0.1 / (2 * 2 * 4 * 7 * 3 * 4)  # third stage
    each = bandit_constants("rigorous", 3, 6, 3.0, failure)
    expected = [
        math.sqrt(3 * math.log(6)),
        each.maximal_rate,
        each.bias_deviation,
        each.bias_range,
        each.lower_deviation,
        each.lower_range,
    ]
    np.testing.assert_allclose(parameters.constants[1, 2, 1], expected, rtol=1e-14)


def test_values_and_certificate_by_hand(make_seeds) -> None:
    """One action, rewards .3 and .6, no bonus: stages of 2, 3, ... visits at both steps.

    U: step 2 has .6 from episode 2 on; step 1 reads 1, 1 | .6, .6, .6: 1.3, then .9. L, with .25
    sqrt(V') / n below the mean: step 2 reads .6, .6, centred on .5, .6: V' = .01, L = .5875. Step 1
    reads .3, .3, centred on 1, .3: V' = .49, L = .2125; then .8875 thrice: L = .878125. In its next
    stage step 2 has V' = .01 again: L = .6 - .025 / 3 = .591667.
    """
    sources = [Episodes(one_state_game([[0.3], [0.6]]))]
    results, (seen,) = run(NAME, sources, make_seeds(1), 6, EvbOnlineOptions(ablation="bonus"))
    np.testing.assert_allclose(seen.upper[:, 0, 0], [2.0, 1.3, 1.3, 1.3, 0.9, 0.9], rtol=1e-14)
    np.testing.assert_allclose(seen.upper[:, 1, 0], [1.0] + [0.6] * 5, rtol=1e-14)
    lower = [0.0, 0.2125, 0.2125, 0.2125, 0.878125, 0.878125]
    np.testing.assert_allclose(seen.lower[:, 0, 0], lower, rtol=1e-14)
    lower = [0.0, 0.5875, 0.5875, 0.5875, 0.6 - 0.025 / 3, 0.6 - 0.025 / 3]
    np.testing.assert_allclose(seen.lower[:, 1, 0], lower, rtol=1e-14)
    # Before the episodes upper - lower is 2, 2, 1.0875, 1.0875, 1.0875, .021875.
    assert results[0].certificate == pytest.approx(7.284375 / 6, rel=1e-14)
    assert results[0].trace.completed_stages.tolist() == [[2], [2]]


@pytest.mark.parametrize("constants", ["practical", "rigorous"])
def test_with_one_step_every_stage_is_a_bandit_of_its_own(constants, make_seeds) -> None:
    rewards = np.random.default_rng(2).random(6)
    game = one_state_game([rewards], (2, 3))
    options = EvbOnlineOptions(constants=constants)
    results, (seen,) = run(NAME, [Episodes(game)], make_seeds(1), 63, options, record=True)
    joint = results[0].history.joint_actions[:, 0]
    actions = np.unravel_index(joint, (2, 3))
    for player, count in enumerate((2, 3)):
        for stage in range(6):
            rounds = 2**stage
            failure = 0.05 / (2 * 2 * (stage + 1) * (stage + 2))
            bandit = Bandit("evb", EvbOptions(constants, failure), num_actions=count, rounds=rounds)
            for episode in range(rounds - 1, 2 * rounds - 1):
                ours = seen.policy[episode, 0, player, :count]
                np.testing.assert_array_equal(ours, bandit.probabilities())
                bandit.update(int(actions[player][episode]), float(rewards[joint[episode]]))


def test_lanes_threads_and_companions_change_nothing(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(3), make_seeds(3)
    for constants in ("practical", "rigorous"):
        options = EvbOnlineOptions(constants=constants)
        whole, seen = run(NAME, sources, seeds, 200, options, lanes=8)
        pairs, again = run(NAME, sources, seeds, 200, options, lanes=2, threads=2)
        for one, other in zip(whole, pairs, strict=True):
            assert_equal(one, other)
        for one, other in zip(seen, again, strict=True):
            for ours, theirs in zip(one, other, strict=True):
                np.testing.assert_array_equal(ours, theirs)


def assert_equal(one, other) -> None:
    np.testing.assert_array_equal(one.upper_value, other.upper_value)
    np.testing.assert_array_equal(one.lower_value, other.lower_value)
    assert one.certificate == other.certificate
    for ours, theirs in zip(one.trace, other.trace, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_saved_batch_continues_bit_by_bit(make_sources, make_seeds, tmp_path) -> None:
    sources, seeds = make_sources(3), make_seeds(3)
    options = EvbOnlineOptions(constants="rigorous", failure=0.1)
    whole = OnlineBatch(NAME, sources, seeds, options, episodes=300)
    whole.advance(300)
    first = OnlineBatch(NAME, sources, seeds, options, episodes=300)
    first.advance(123)
    first.save(tmp_path / "state.npz")
    again = OnlineBatch.load(tmp_path / "state.npz", sources)
    again.advance(300)
    for one, other in zip(whole.results(), again.results(), strict=True):
        assert_equal(one, other)


def test_an_ablation_changes_what_it_says(make_sources, make_seeds) -> None:
    """Each differs from the whole algorithm, and the bonus is missing where it is ablated."""
    sources, seeds = make_sources(1), make_seeds(1)
    base, _ = run(NAME, sources, seeds, 200, EvbOnlineOptions())
    for ablation in ("centre", "bias", "adaptive-rate", "bonus"):
        changed, _ = run(NAME, sources, seeds, 200, EvbOnlineOptions(ablation=ablation))
        assert not np.array_equal(changed[0].upper_value, base[0].upper_value), ablation
    committed = ~np.isnan(changed[0].trace.mean_gain)
    means = changed[0].trace.mean_gain[committed]
    np.testing.assert_array_equal(changed[0].upper_value[committed], means)
    assert (base[0].upper_value > base[0].trace.mean_gain)[committed].any()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"constants": "theory"}, "constants"),
        ({"rate_scale": 0.0}, "rate_scale"),
        ({"bonus_scale": -1.0}, "bonus_scale"),
        ({"failure": 1.5}, "failure"),
        ({"ablation": "stages"}, "ablation"),
        ({"constants": "rigorous", "ablation": "bias"}, "takes constants: practical"),
        ({"constants": "rigorous", "bonus_scale": 0.5}, "bonus_scale must be 1"),
    ],
)
def test_options_out_of_range_are_refused(bad, message) -> None:
    with pytest.raises(InputError, match="evb-online: .*" + message):
        EvbOnlineOptions(**bad)
