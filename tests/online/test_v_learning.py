"""V-learning and CCE-V-learning against their textbook formulas, and what their bonuses are."""

import math

import numpy as np
import pytest

from ccerates.games.model import MarkovGame
from ccerates.online import cce_v_learning, v_learning
from ccerates.online.registry import online_learner
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from ccerates.streams import kernel_states
from online.v_learning_twin import loss_weights, run, value_weights


class Recorder:
    needs_values = True
    needs_samples = False

    def __init__(self) -> None:
        self.parts = []

    def observe(self, chunk, lane) -> None:
        self.parts.append([values[..., lane].copy() for values in chunk])


def bonus_of(algorithm, game, episodes, scale, constants, failure):
    """beta_t, written out."""
    horizon = game.horizon
    places = game.num_players * horizon * game.num_states * max(game.num_actions)
    iota = math.log(places * episodes / failure)
    c = scale * {"practical": 0.15, "theory": 1.0}[constants]

    def bonus(player, t):
        beta = c * math.sqrt(horizon**3 * game.num_actions[player] * iota / t)
        if algorithm == "cce-v-learning":
            beta += c * horizon**2 * iota / t
        return beta

    return bonus


CASES = [
    ("v-learning", (2, 3), {}),
    ("v-learning", (3,), {"rate_scale": 2.0, "bonus_scale": 0.1}),
    ("v-learning", (2, 1, 3), {"bonus_scale": 0.5}),
    ("v-learning", (2, 2), {"constants": "theory", "failure": 0.2}),
    ("cce-v-learning", (2, 3), {}),
    ("cce-v-learning", (3,), {"rate_scale": 2.0, "bonus_scale": 0.1}),
    ("cce-v-learning", (2, 1, 3), {"bonus_scale": 0.01}),
    ("cce-v-learning", (2, 2), {"constants": "theory", "failure": 0.2}),
]


@pytest.mark.parametrize(("algorithm", "num_actions", "options"), CASES)
def test_kernel_and_textbook_agree(algorithm, num_actions, options, random_game) -> None:
    episodes, planned = 60, 500
    games = [random_game(seed, num_actions, horizon=4, states=3) for seed in range(3)]
    seeds = [np.random.SeedSequence(3, spawn_key=(place,)) for place in range(3)]
    observers = [Recorder() for _ in games]
    options = online_learner(algorithm).options_type(**options)
    runs = next(
        learn_online(
            algorithm,
            [Episodes(game) for game in games],
            [episodes, planned],
            seeds,
            options,
            observers=observers,
            record=True,
        )
    )
    for game, seed, observer, result in zip(games, seeds, observers, runs, strict=True):
        twin = run(
            game,
            episodes,
            kernel_states(seed, count=1)[0],
            truncated=algorithm == "v-learning",
            bonus=bonus_of(
                algorithm,
                game,
                planned,
                options.bonus_scale,
                options.constants,
                options.failure,
            ),
            rate_scale=options.rate_scale,
            exploration={"practical": 0.1, "theory": 1.0}[options.constants],
        )
        np.testing.assert_array_equal(result.history.states, twin.states)
        np.testing.assert_array_equal(result.history.joint_actions, twin.joint_actions)
        np.testing.assert_array_equal(result.visits, twin.visits)
        np.testing.assert_allclose(result.upper_value, twin.upper, rtol=1e-12)
        _, policy, _, _, upper, _, _ = (
            np.concatenate(part) for part in zip(*observer.parts, strict=True)
        )
        np.testing.assert_allclose(upper, twin.values, rtol=1e-12)
        for player, count in enumerate(num_actions):
            own = [[step[player] for step in path] for path in twin.policies]
            np.testing.assert_allclose(policy[:, :, player, :count], own, rtol=1e-10)
            assert (policy[:, :, player, count:] == 0.0).all()


def test_the_cases_reach_both_sides_of_every_truncation(random_game) -> None:
    game = random_game(0, (2, 3), horizon=4, states=3)
    words = kernel_states(np.random.SeedSequence(1), count=1)[0]
    left = np.arange(4, 0, -1)[None, :, None]
    for algorithm, scale in (("v-learning", 0.3), ("cce-v-learning", 0.03)):
        bonus = bonus_of(algorithm, game, 500, scale, "practical", 0.05)
        truncated = algorithm == "v-learning"
        twin = run(
            game, 60, words, truncated=truncated, bonus=bonus, rate_scale=1.0, exploration=0.1
        )
        reaches = np.array(twin.values) >= left
        assert 0.05 < reaches.mean() < 0.95


def test_weights_of_losses_follow_the_ratio_that_avoids_overflow() -> None:
    for horizon in (1, 2, 5, 12):
        weights = loss_weights(horizon, 40)
        for t in range(2, 41):
            assert weights[t - 2] / weights[t - 1] * (horizon + t - 1) == t - 1


def test_weights_of_values_written_out() -> None:
    # H = 2: a_1 = 1, a_2 = 3/4, a_3 = 3/5.
    assert [str(each) for each in value_weights(2, 3)] == ["1/10", "3/10", "3/5"]
    assert [str(each) for each in loss_weights(2, 3)] == ["1", "3", "6"]


def test_values_of_two_visits_by_hand() -> None:
    """One state, one action each, H = 1, reward 1/4: the values are 1/4 and the bonuses."""
    game = MarkovGame(
        num_actions=(1,),
        reward=np.full((1, 1, 1, 1), 0.25),
        next_state=np.zeros((1, 1, 1, 1), dtype=int),
        probability=np.ones((1, 1, 1, 1)),
        layer=np.zeros(1, dtype=int),
        start=np.ones(1),
    )
    seeds = [np.random.SeedSequence(0)]
    iota = math.log(1 * 1 * 1 * 1 * 2 / 0.5)  # m H S max A K / delta
    # a_1 = 1, a_2 = 2/3, c = 0.03
    first, second = 0.03 * math.sqrt(iota), 0.03 * math.sqrt(iota / 2)
    plain = v_learning.VLearningOptions(bonus_scale=0.2, failure=0.5)
    values = [
        runs[0].upper_value[0, 0, 0]
        for runs in learn_online("v-learning", [Episodes(game)], [1, 2], seeds, plain)
    ]
    assert values == pytest.approx([0.25 + first, 0.25 + first / 3 + 2 * second / 3], rel=1e-14)
    quick = cce_v_learning.CceVLearningOptions(bonus_scale=0.2, failure=0.5)
    values = [
        runs[0].upper_value[0, 0, 0]
        for runs in learn_online("cce-v-learning", [Episodes(game)], [1, 2], seeds, quick)
    ]
    first, second = first + 0.03 * iota, second + 0.03 * iota / 2
    assert values == pytest.approx([0.25 + first, 0.25 + first / 3 + 2 * second / 3], rel=1e-14)


def test_stored_values_are_truncated_by_v_learning_only(random_game) -> None:
    game = random_game(0, (2, 3), horizon=4)
    seeds = [np.random.SeedSequence(0)]
    left = np.arange(4.0, 0.0, -1.0)[:, None, None]
    for algorithm, truncates in (("v-learning", True), ("cce-v-learning", False)):
        options = online_learner(algorithm).options_type(constants="theory")
        result = next(learn_online(algorithm, [Episodes(game)], [20], seeds, options))[0]
        visited = result.visits[..., None] > 0
        assert (result.upper_value == left).all(where=~visited)
        if truncates:
            assert (result.upper_value <= left).all()
        else:
            assert (result.upper_value > left).all(where=visited)


def test_exploration_depends_on_the_constants_and_not_on_the_scale_of_the_rate() -> None:
    shape = ((3, 4), 2, 5)
    published = np.array([math.sqrt(5 * math.log(3) / 3), math.sqrt(5 * math.log(4) / 4)])
    for module, options_type in (
        (v_learning, v_learning.VLearningOptions),
        (cce_v_learning, cce_v_learning.CceVLearningOptions),
    ):
        for constants, share in (("practical", 0.1), ("theory", 1.0)):
            options = options_type(rate_scale=3.0, constants=constants)
            rates = module.choose_parameters(options, shape, 10).rates
            np.testing.assert_allclose(rates.exploration, share * published, rtol=1e-15)
            np.testing.assert_allclose(rates.learning, 3 * published, rtol=1e-15)


@pytest.mark.parametrize("algorithm", ["v-learning", "cce-v-learning"])
def test_a_dominant_action_is_learnt(algorithm) -> None:
    """Player 0's action 1 is better whatever player 1 does, and the other way round."""
    reward = np.zeros((1, 2, 1, 4))
    reward[0, 0, 0], reward[0, 1, 0] = [0.2, 0.3, 0.8, 0.9], [0.7, 0.1, 0.7, 0.1]
    game = MarkovGame(
        num_actions=(2, 2),
        reward=reward,
        next_state=np.zeros((1, 1, 4, 1), dtype=int),
        probability=np.ones((1, 1, 4, 1)),
        layer=np.zeros(2, dtype=int),
        start=np.ones(1),
    )
    observer = Recorder()
    seeds = [np.random.SeedSequence(5)]
    sources = [Episodes(game)]
    list(learn_online(algorithm, sources, [20_000], seeds, observers=[observer]))
    policy = np.concatenate([part[1] for part in observer.parts])[-2000:]
    assert policy[:, :, 0, 1].mean() > 0.9
    assert policy[:, :, 1, 0].mean() > 0.9
