"""EVB-sim against its twin; the same numbers whatever the lanes, threads and companions."""

import dataclasses
import warnings
from functools import partial

import numpy as np
import pytest

from ccerates.errors import InputError, TrivialBoundWarning
from ccerates.games.model import MarkovGame
from ccerates.simulator import registry
from ccerates.simulator.evb_sim import EvbSimOptions, learn_batch, samples
from ccerates.simulator.source import Simulator
from simulator.evb_sim_twin import run_twin

learn = partial(registry.learn, "evb-sim")

TOLERANCE = 1e-8  # the kernel's weights solve their equation to 1e-10


def seeds(count, start=0):
    return [np.random.SeedSequence(start + place) for place in range(count)]


def words_of(seed):
    """Return the generator states that the learner documents: one for each (step, state)."""

    def words(step, state):
        child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, step, state))
        return child.generate_state(4, np.uint64)

    return words


@dataclasses.dataclass
class Case:
    num_actions: tuple
    rounds: int
    options: dict = dataclasses.field(default_factory=dict)
    game: dict = dataclasses.field(default_factory=dict)


RIGOROUS = {"constants": "rigorous", "failure": 0.1, "record": True}
CASES = {
    "one player": Case((3,), 40),
    "one player, rigorous": Case((4,), 37, RIGOROUS),
    "two players": Case((3, 2), 40),
    "two players, recorded": Case((3, 2), 40, {"record": True}, {"states": 4}),
    "two players, rigorous": Case((2, 4), 40, RIGOROUS),
    "three players": Case((2, 3, 2), 24),
    "three players, rigorous": Case((3, 2, 2), 24, RIGOROUS),
    "a player without a choice": Case((1, 3), 30, RIGOROUS),
    "fewer rounds than actions": Case((5, 2), 3),
    "fewer rounds than actions, rigorous": Case((2, 6), 4, RIGOROUS),
    "as many rounds as actions": Case((3, 2), 3, {"rate_scale": 0.01}, {"states": 12}),
    "one round": Case((2, 3), 1),
    "one round, rigorous": Case((3, 1), 1, RIGOROUS),
    "large rate, small bonus": Case((3, 3), 40, {"rate_scale": 3.0, "bonus_scale": 0.25}),
    "small rate": Case((3, 2), 40, {"rate_scale": 0.2, "bonus_scale": 2.0}),
    "small rate, rigorous": Case((3, 2), 40, {**RIGOROUS, "rate_scale": 0.01}),
    "no centre": Case((3, 2), 40, {"ablation": "centre"}),
    "no centre, small rate": Case((2, 3), 40, {"ablation": "centre", "rate_scale": 0.2}),
    "no bias": Case((3, 2), 40, {"ablation": "bias"}),
    "no bias, large bonus": Case((2, 4), 40, {"ablation": "bias", "bonus_scale": 2.0}),
    "constant rate": Case((3, 2), 40, {"ablation": "adaptive-rate"}),
    "constant rate at its limit": Case((3, 2), 40, {"ablation": "adaptive-rate", "rate_scale": 4}),
    "no bonus": Case((3, 2), 40, {"ablation": "bonus", "record": True}),
    "one step, one state": Case((4, 3), 60, RIGOROUS, {"horizon": 1, "states": 1}),
    "one successor": Case((2, 2), 30, {}, {"successors": 1, "states": 5, "horizon": 2}),
}


@pytest.mark.parametrize("name", CASES)
def test_kernel_equals_twin(name, random_game) -> None:
    case = CASES[name]
    game = random_game(len(name), case.num_actions, **case.game)
    options = EvbSimOptions(**case.options)
    (seed,) = seeds(1, start=len(name))
    result = learn(Simulator(game), case.rounds, seed, options)
    policy, upper, lower, certificate, trace, transitions = run_twin(
        game, case.rounds, words_of(seed), options
    )

    np.testing.assert_allclose(result.policy, policy, rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(result.upper_value, upper, rtol=TOLERANCE)
    np.testing.assert_allclose(result.lower_value, lower, rtol=TOLERANCE, atol=TOLERANCE)
    assert result.certificate == pytest.approx(certificate, rel=TOLERANCE)
    for (step, state, player), report in trace.items():
        count = case.num_actions[player]
        for field, expected in report.items():
            actual = getattr(result.trace, field)[step, state, player]
            if field in {"pathwise_slack", "square", "range_"}:
                assert np.isnan(actual[count:]).all()
                actual = actual[:count]
            # A slack is a difference of sums that can be much larger than it is.
            scale = report["constant"] + report["penalty"] if field == "pathwise_slack" else 0.0
            np.testing.assert_allclose(
                actual, expected, rtol=TOLERANCE, atol=TOLERANCE * (1 + scale), err_msg=field
            )
    assert set(result.trace._fields) == {*report, "transitions"}
    assert result.trace.transitions.shape == (
        (0, 0, 0) if not options.record else np.shape(transitions)
    )
    if options.record:
        np.testing.assert_array_equal(result.trace.transitions, transitions)
    assert (result.algorithm, result.constants) == ("evb-sim", options.constants)
    assert (result.game_hash, result.failure) == (game.content_hash, options.failure)
    assert result.certified == (options.constants == "rigorous")
    assert result.rounds == case.rounds
    assert result.samples == case.rounds * game.horizon * game.num_states


def test_cases_reach_every_branch_of_the_bound(random_game) -> None:
    """Both bounds on the regret, the trivial one and both learning rates decide somewhere."""
    seen = set()
    for name, case in CASES.items():
        game = random_game(len(name), case.num_actions, **case.game)
        options = EvbSimOptions(**case.options)
        trace = learn(Simulator(game), case.rounds, *seeds(1, start=len(name)), options).trace
        bounds = np.arange(game.horizon, 0, -1)[:, None, None]
        analytic = trace.penalty + trace.stability + trace.bias + trace.constant
        seen |= {"trivial"} if (trace.regret_bound == case.rounds * bounds).any() else set()
        seen |= {"analytic"} if (trace.regret_bound == analytic).any() else set()
        seen |= {"observed"} if (trace.regret_bound < analytic).any() else set()
        seen |= {"adaptive rate"} if np.ptp(trace.final_rate * bounds) > 1e-6 else set()
    assert seen == {"trivial", "analytic", "observed", "adaptive rate"}


def arrays(result):
    values = [result.policy, result.upper_value, result.lower_value, result.certificate]
    return [*values, *result.trace]


def assert_identical(results, expected) -> None:
    assert len(results) == len(expected)
    for result, reference in zip(results, expected, strict=True):
        for actual, desired in zip(arrays(result), arrays(reference), strict=True):
            np.testing.assert_array_equal(actual, desired)


@pytest.fixture(scope="module")
def batch(random_game):
    """Return five runs on three games of one shape, each run on its own."""
    games = [random_game(seed, (3, 2), successors=2 + seed) for seed in range(3)]
    simulators = [Simulator(games[place]) for place in (0, 1, 0, 2, 1)]
    options = EvbSimOptions(constants="rigorous", rate_scale=0.5, record=True)
    alone = [
        learn(simulator, 50, seed, options)
        for simulator, seed in zip(simulators, seeds(5), strict=True)
    ]
    return simulators, options, alone


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("lanes", [1, 4, 16])
def test_lanes_and_threads_change_no_bit(lanes, threads, batch) -> None:
    simulators, options, alone = batch
    results = learn_batch(simulators, 50, seeds(5), options, threads=threads, lanes=lanes)
    assert_identical(results, alone)


def test_companions_and_order_change_no_bit(batch, random_game) -> None:
    simulators, options, alone = batch
    assert_identical(learn_batch(simulators[::-1], 50, seeds(5)[::-1], options), alone[::-1])
    assert_identical(learn_batch(simulators[1:3], 50, seeds(5)[1:3], options), alone[1:3])
    # Equal games behind separate objects, and one object for several replicates.
    separate = [Simulator(random_game(0, (3, 2), successors=2)) for _ in range(2)]
    pair = [seeds(5)[0], seeds(5)[2]]
    assert_identical(learn_batch(separate, 50, pair, options), [alone[0], alone[2]])
    assert_identical(learn_batch(separate[:1] * 2, 50, pair, options), [alone[0], alone[2]])


def test_recording_changes_nothing_else(batch) -> None:
    simulators, options, alone = batch
    results = learn_batch(simulators, 50, seeds(5), dataclasses.replace(options, record=False))
    for result, recorded in zip(results, alone, strict=True):
        assert result.trace.transitions.shape == (0, 0, 0)
        for actual, desired in zip(arrays(result)[:-1], arrays(recorded)[:-1], strict=True):
            np.testing.assert_array_equal(actual, desired)


def test_each_ablation_switches_off_what_it_says(batch) -> None:
    simulators, _, _ = batch
    whole = learn(simulators[0], 400, *seeds(1))
    bounds = np.arange(3, 0, -1)[:, None, None]
    for ablation in ("centre", "bias", "adaptive-rate", "bonus"):
        result = learn(simulators[0], 400, *seeds(1), EvbSimOptions(ablation=ablation))
        trace, differs = result.trace, ~np.isclose(result.policy, whole.policy, atol=1e-3)
        assert differs.any(), ablation
        bonus = result.upper_value - trace.mean_gain
        assert ((bonus == 0.0).all()) == (ablation == "bonus")
        assert ((trace.bias == 0.0).all()) == (ablation == "bias")
        rates = trace.final_rate * bounds / np.sqrt([3, 2])
        assert (np.ptp(rates) < 1e-12) == (ablation == "adaptive-rate")
        square = 400 * (trace.mean_gain**2 + trace.gain_variance)  # sum of the squared gains
        assert np.allclose(trace.played_variance, square) == (ablation == "centre")


def test_every_round_leads_to_a_possible_state(batch) -> None:
    simulators, _, alone = batch
    for simulator, result in zip(simulators, alone, strict=True):
        game, counts = simulator._game, result.trace.transitions
        assert (counts.sum(axis=-1) == 50).all()
        for step, state, there in zip(*np.nonzero(counts), strict=True):
            here = game.layer[step], state
            assert (game.probability[here][game.next_state[here] == there] > 0.0).any()


def test_variance_of_equal_gains_is_no_rounding_error() -> None:
    """The mean square minus the squared mean would be off by some 1e-16."""
    game = MarkovGame(
        num_actions=(3,),
        reward=np.full((1, 1, 1, 3), 0.7),
        next_state=np.zeros((1, 1, 3, 1), dtype=int),
        probability=np.ones((1, 1, 3, 1)),
        layer=np.zeros(2, dtype=int),
        start=np.ones(1),
    )
    trace = learn(Simulator(game), 5000, *seeds(1)).trace
    assert trace.played_variance.min() > 0.01  # the first gain's difference from B/2
    assert max(trace.gain_variance.max(), trace.lower_variance.max()) < 1e-24


def test_runs_differ_by_seed_step_state_and_game(batch) -> None:
    simulators, _, alone = batch
    assert not np.array_equal(alone[0].policy, alone[2].policy)  # seed
    again = learn(simulators[1], 50, seeds(5)[0], EvbSimOptions(constants="rigorous"))
    assert not np.array_equal(alone[0].policy, again.policy)  # game
    rows = alone[0].policy.reshape(-1, alone[0].policy.shape[-1])
    assert len(np.unique(rows, axis=0)) == len(rows)


def test_policy_and_bounds_have_the_promised_ranges(batch) -> None:
    simulators, _, alone = batch
    for simulator, result in zip(simulators, alone, strict=True):
        assert result.samples == samples(simulator, 50) == 50 * 3 * 3
        np.testing.assert_allclose(result.policy.sum(axis=-1), 1.0, rtol=0, atol=1e-12)
        assert (result.policy > 0.0).all()
        left = np.arange(simulator.horizon, 0, -1)[:, None, None]
        assert ((result.lower_value >= 0.0) & (result.upper_value <= left)).all()
        assert (result.lower_value <= result.upper_value).all()


def test_rows_of_the_policy_do_not_drift_from_one(random_game) -> None:
    """Sums over 20 000 rounds of weights that add up to one are off by some 1e-14."""
    (result,) = learn_batch([Simulator(random_game(0, (3, 2)))], 20_000, seeds(1))
    np.testing.assert_allclose(result.policy.sum(axis=-1), 1.0, rtol=0, atol=5e-16)


def test_trivial_bounds_are_reported_once(random_game) -> None:
    simulators, options = [Simulator(random_game(0, (3, 2)))] * 2, EvbSimOptions("rigorous")
    message = r"^evb-sim: with 50 rounds the regret bound is trivial at 36 of 36 \(.*more rounds$"
    with pytest.warns(TrivialBoundWarning, match=message) as caught:
        learn_batch(simulators, 50, seeds(2), options)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_bounds_that_say_something_are_not_reported(random_game) -> None:
    simulators = [Simulator(random_game(0, (2,), horizon=1))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learn_batch(simulators, 2000, seeds(1), EvbSimOptions("rigorous"))
        learn_batch(simulators, 1, seeds(1))  # practical constants promise nothing


def test_a_run_changes_neither_seed_nor_game(random_game) -> None:
    game = random_game(0, (2, 2))
    (seed,) = seeds(1)
    before = game.content_hash, seed.n_children_spawned
    first = learn(Simulator(game), 20, seed)
    assert_identical([learn(Simulator(game), 20, seed)], [first])
    assert (random_game(0, (2, 2)).content_hash, seed.n_children_spawned) == before


@pytest.mark.parametrize("rounds", [0, -3, 2.5, float("nan"), "10", None])
def test_rounds_must_be_a_positive_integer(rounds, random_game) -> None:
    with pytest.raises(InputError, match=r"^evb-sim: rounds: expected an integer( >= 1)?, got "):
        learn(Simulator(random_game(0, (2,))), rounds, *seeds(1))


def test_rounds_may_come_from_numpy(random_game) -> None:
    simulator = Simulator(random_game(0, (2,)))
    assert_identical([learn(simulator, np.int64(9), *seeds(1))], [learn(simulator, 9, *seeds(1))])


@pytest.mark.parametrize("name", ["threads", "lanes"])
def test_threads_and_lanes_must_be_positive_integers(name, random_game) -> None:
    simulators = [Simulator(random_game(0, (2,)))]
    with pytest.raises(InputError, match=f"^evb-sim: {name}: expected an integer >= 1, got 0"):
        learn_batch(simulators, 5, seeds(1), **{name: 0})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"constants": "theory"}, "constants: expected one of practical, rigorous, got 'theory'"),
        ({"rate_scale": 0.0}, "rate_scale: expected a number > 0, got 0.0"),
        ({"rate_scale": "1"}, "rate_scale: expected a finite number, got '1'"),
        ({"rate_scale": True}, "rate_scale: expected a finite number, got True"),
        ({"bonus_scale": -1}, "bonus_scale: expected a number > 0, got -1"),
        ({"bonus_scale": float("inf")}, "bonus_scale: expected a finite number, got inf"),
        ({"failure": 0.0}, "failure: expected a number > 0 and < 1, got 0.0"),
        ({"failure": 1}, "failure: expected a number > 0 and < 1, got 1"),
        ({"failure": float("nan")}, "failure: expected a finite number, got nan"),
        (
            {"ablation": "rate"},
            "ablation: expected one of none, centre, bias, adaptive-rate, bonus",
        ),
        (
            {"constants": "rigorous", "ablation": "bias"},
            "ablation 'bias' takes constants: practical; the rigorous ones hold for the whole",
        ),
        ({"record": 1}, "record: expected true or false, got 1"),
        ({"constants": "rigorous", "bonus_scale": 0.5}, "bonus_scale must be 1 with rigorous"),
    ],
)
def test_options_name_what_is_wrong(options, message) -> None:
    with pytest.raises(InputError, match=f"^evb-sim: {message}"):
        EvbSimOptions(**options)
