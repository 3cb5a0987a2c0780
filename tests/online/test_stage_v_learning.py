"""Stage-based V-learning against its twin, numbers worked out by hand, and exact gaps."""

import math

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.games.model import MarkovGame
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from ccerates.online.stage_v_learning import StageVLearningOptions, choose_parameters
from ccerates.streams import kernel_states
from online.stage_recorder import run
from online.stage_twins import run_twin, stage_length

NAME = "stage-v-learning"


def one_state_game(rewards, num_actions=(1,)):
    """Return a game of one state; ``rewards[step][joint_action]`` goes to every player."""
    horizon, joint = len(rewards), math.prod(num_actions)
    players = len(num_actions)
    return MarkovGame(
        num_actions=num_actions,
        reward=np.array(rewards).reshape(horizon, 1, 1, joint).repeat(players, axis=1),
        next_state=np.zeros((horizon, 1, joint, 1), dtype=int),
        probability=np.ones((horizon, 1, joint, 1)),
        layer=np.arange(horizon),
        start=[1.0],
    )


@pytest.mark.parametrize(
    ("num_actions", "options"),
    [
        ((2, 3), StageVLearningOptions()),
        ((2, 3), StageVLearningOptions(constants="theory", bonus_scale=0.01, failure=0.3)),
        ((1, 4), StageVLearningOptions(rate_scale=5.0, bonus_scale=0.5)),
        ((2, 3, 2), StageVLearningOptions(rate_scale=2.0, bonus_scale=1e-300)),
    ],
)
def test_runs_equal_their_twin(num_actions, options, make_sources, make_seeds) -> None:
    sources, seeds = make_sources(2, num_actions), make_seeds(2)
    results, visits = run(NAME, sources, seeds, 150, options)
    for replicate, source in enumerate(sources):
        game, words = source._game, kernel_states(seeds[replicate], count=1)[0]
        places, expected, _ = run_twin(NAME, game, 150, words, options)
        seen = visits[replicate]
        np.testing.assert_array_equal(seen.state.ravel(), expected["state"])
        for name in ("policy", "upper"):
            ours = getattr(seen, name)
            theirs = np.reshape(expected[name], ours.shape)
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
        for (step, state), place in places.items():
            assert results[replicate].visits[step, state] == place.visits
            value = results[replicate].upper_value[step, state]
            np.testing.assert_allclose(value, place.upper, rtol=1e-12)
        assert np.isnan(results[replicate].lower_value).all()
        assert math.isnan(results[replicate].certificate)
        assert results[replicate].averaging == "stage"


def test_values_by_hand(make_seeds) -> None:
    """Rewards .3 and .6, no bonus, stages of 2, 3, 4 ... visits; U_2 = 1 until episode 2 ends."""
    sources = [Episodes(one_state_game([[0.3], [0.6]]))]
    _, (seen,) = run(NAME, sources, make_seeds(1), 7, StageVLearningOptions(bonus_scale=1e-300))
    # Stages of step 1 end in episodes 2 and 5: means of (1.3, 1.3) and (.9, .9, .9).
    first = [2.0, 1.3, 1.3, 1.3, 0.9, 0.9, 0.9]
    np.testing.assert_allclose(seen.upper[:, 0, 0], first, rtol=1e-14)
    np.testing.assert_allclose(seen.upper[:, 1, 0], [1.0] + [0.6] * 6, rtol=1e-14)


def test_bonus_by_hand(make_seeds) -> None:
    """One state, step and action: U = min(.4 + .3 sqrt(ln(6 / .05) / n), 1), n = 1, 2, 4."""
    sources = [Episodes(one_state_game([[0.4]]))]
    _, (seen,) = run(NAME, sources, make_seeds(1), 6, StageVLearningOptions())
    bonus = [0.3 * math.sqrt(4.787491742782046 / n) for n in (1, 1, 2, 2, 2, 2)]
    np.testing.assert_allclose(
        seen.upper[:, 0, 0], np.minimum(0.4 + np.array(bonus), 1.0), rtol=1e-14
    )
    _, (seen,) = run(NAME, sources, make_seeds(1), 6, StageVLearningOptions(constants="theory"))
    assert (seen.upper == 1.0).all()


def test_lengths_of_stages_by_hand() -> None:
    for horizon, lengths in (
        (1, [1, 2, 4, 8, 16]),
        (4, [4, 5, 6, 7, 8, 10, 12, 15, 18, 22]),
        (47, [47, 48, 49]),  # int((1 + 1/47) * 47) is 47
    ):
        parameters = choose_parameters(StageVLearningOptions(), ((2, 3), 2, horizon), sum(lengths))
        assert parameters.length.tolist() == lengths
        assert [stage_length(horizon, stage) for stage in range(len(lengths))] == lengths


def test_rates_by_hand() -> None:
    """A = 3, n = 4: eta = sqrt(ln 3 / 12) = .302574, gamma half of it; practical: a tenth."""
    for constants, gamma in (("theory", 0.151287), ("practical", 0.0151287)):
        options = StageVLearningOptions(constants=constants, rate_scale=10.0)
        table = choose_parameters(options, ((3,), 1, 4), 10).constants
        np.testing.assert_allclose(table[:, 0, 0, 0], 3.02574, rtol=1e-6)
        np.testing.assert_allclose(table[:, 0, 0, 1], gamma, rtol=1e-5)


def test_lanes_and_companions_change_nothing(make_sources, make_seeds) -> None:
    sources, seeds = make_sources(3), make_seeds(3)
    options = StageVLearningOptions()
    whole, seen = run(NAME, sources, seeds, 200, options, lanes=8)
    pairs, again = run(NAME, sources, seeds, 200, options, lanes=2, threads=2)
    for replicate in range(3):
        np.testing.assert_array_equal(whole[replicate].upper_value, pairs[replicate].upper_value)
        np.testing.assert_array_equal(seen[replicate].policy, again[replicate].policy)


def test_gap_falls(make_seeds) -> None:
    """A game in which the second action of both is worth .2 more at both steps."""
    game = one_state_game([[0.1, 0.3, 0.3, 0.5]] * 2, (2, 2))
    evaluator = CertifiedEvaluator(game, "stage")
    gaps = [
        evaluator.gap().gap
        for _ in learn_online(
            NAME, [Episodes(game)], [20, 2000, 200_000], make_seeds(1), observers=[evaluator]
        )
    ]
    assert gaps[0] == pytest.approx(0.2, abs=0.03)  # that of uniform play
    assert gaps[1] < 0.19
    assert gaps[2] < 0.07


def test_options_out_of_range_are_refused() -> None:
    for bad in ({"constants": "rigorous"}, {"rate_scale": -1.0}, {"failure": 0.0}):
        with pytest.raises(InputError, match="stage-v-learning: " + next(iter(bad))):
            StageVLearningOptions(**bad)
