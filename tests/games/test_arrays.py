"""Plain arrays: every form of one game, and what does not fit together."""

import itertools

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap, policy_value, uniform_policy
from ccerates.games.arrays import game_from_arrays
from normal_forms import lowest_gap, openspiel_gap

COUNTS = (2, 3)
STATES, STEPS = 4, 3


@pytest.fixture
def generator():
    return np.random.default_rng(11)


@pytest.fixture
def reward(generator):
    return generator.random((2, STATES, *COUNTS))


@pytest.fixture
def transition(generator):
    """Rows with one to four successors."""
    rows = generator.dirichlet(np.ones(STATES), size=(STATES, *COUNTS))
    rows[0, ..., 2:] = 0
    rows[1, ..., :3] = 0
    return rows / rows.sum(axis=-1, keepdims=True)


def brute_values(reward, transition, policy, start):
    """Return each player's value by plain recursion over dense arrays with an axis for steps."""

    def value(step, state):
        if step == len(policy):
            return np.zeros(reward.shape[1])
        total = 0
        for joint, actions in enumerate(np.ndindex(COUNTS)):
            after = sum(
                transition[(step, state, *actions, following)] * value(step + 1, following)
                for following in range(STATES)
            )
            total += policy[step, state, joint] * (reward[step][:, state][(..., *actions)] + after)
        return total

    return sum(chance * value(0, state) for state, chance in enumerate(start))


@pytest.mark.parametrize("layered", list(itertools.product((False, True), repeat=2)))
def test_values_are_those_of_the_arrays(generator, layered):
    steps = (STEPS,)
    reward = generator.random(((STEPS,) if layered[0] else ()) + (2, STATES, *COUNTS))
    shape = (steps if layered[1] else ()) + (STATES, *COUNTS)
    transition = generator.dirichlet(np.full(STATES, 0.2), size=shape)
    transition[transition < 0.05] = 0
    transition /= transition.sum(axis=-1, keepdims=True)
    start = generator.dirichlet(np.ones(STATES))
    game = game_from_arrays(reward=reward, transition=transition, horizon=STEPS, start=start)
    policy = generator.dirichlet(np.ones(6), size=(STEPS, STATES))
    expected = brute_values(
        np.broadcast_to(reward, (STEPS, 2, STATES, *COUNTS)),
        np.broadcast_to(transition, (STEPS, STATES, *COUNTS, STATES)),
        policy,
        start,
    )
    np.testing.assert_allclose(game.start @ policy_value(game, policy)[0], expected, atol=1e-12)
    assert len(game.reward) == (STEPS if any(layered) else 1)
    assert game.probability.shape[-1] == np.count_nonzero(transition, axis=-1).max()
    assert game.metadata == {}


def test_all_forms_of_one_game(reward, transition):
    plain = game_from_arrays(reward=reward, transition=transition, horizon=STEPS)
    assert plain.start.tolist() == [1, 0, 0, 0]
    assert (plain.num_actions, plain.num_states, plain.horizon) == (COUNTS, STATES, STEPS)
    uniform = uniform_policy(plain)
    rewards, transitions = [reward] * STEPS, [transition] * STEPS
    for arrays in (
        {"reward": rewards, "transition": transition},
        {"reward": reward, "transition": transitions},
        {"reward": rewards, "transition": transitions, "horizon": STEPS},
    ):
        game = game_from_arrays(**arrays, start=0)
        for got, expected in zip(cce_gap(game, uniform), cce_gap(plain, uniform), strict=True):
            np.testing.assert_allclose(got, expected)
    for start in (2, np.int64(2), [0, 0, 1, 0], np.array([0, 0, 1, 0], dtype=np.float32)):
        game = game_from_arrays(reward=reward, transition=transition, horizon=1, start=start)
        assert game.start.tolist() == [0, 0, 1, 0]


def test_a_shape_that_two_forms_might_have():
    """Reward (2, 1, x, y): two players in one state, or one player in x states for two steps."""
    reward = np.arange(18).reshape(2, 1, 3, 3) / 20
    two_players = game_from_arrays(reward=reward, transition=np.ones((1, 3, 3, 1)), horizon=2)
    assert (two_players.num_players, two_players.num_states) == (2, 1)
    one_player = game_from_arrays(reward=reward, transition=np.full((3, 3, 3), 1 / 3))
    assert (one_player.num_players, one_player.num_states, one_player.horizon) == (1, 3, 2)


def test_normal_form(generator):
    payoffs = generator.normal(size=(3, 2, 3, 2)) * 50
    game = game_from_arrays(payoffs=payoffs)
    scale, offset = game.metadata["reward_scale"], game.metadata["reward_offset"]
    assert (scale, offset) == (np.ptp(payoffs), payoffs.min())
    np.testing.assert_allclose(offset + scale * game.reward[0, :, 0], payoffs.reshape(3, -1))
    assert (game.reward.min(), game.reward.max()) == (0, 1)
    policy = generator.dirichlet(np.full(12, 0.3))
    gaps = scale * cce_gap(game, policy[None, None]).players
    assert openspiel_gap(payoffs, policy) == pytest.approx(np.maximum(gaps, 0).sum())
    assert lowest_gap(payoffs) <= 1e-9


def test_rewards_are_moved_only_if_they_must_be(reward, transition):
    arrays = {"transition": transition, "horizon": STEPS}
    kept = game_from_arrays(reward=0.5 * reward, **arrays)
    np.testing.assert_array_equal(kept.reward[0].reshape(reward.shape), 0.5 * reward)
    moved = game_from_arrays(reward=100 * reward - 7, **arrays)
    policy = uniform_policy(kept)
    scale, offset = moved.metadata["reward_scale"], moved.metadata["reward_offset"]
    assert scale * cce_gap(moved, policy).gap == pytest.approx(200 * cce_gap(kept, policy).gap)
    own = STEPS * offset + scale * policy_value(moved, policy)[0, 0]
    np.testing.assert_allclose(own, 200 * policy_value(kept, policy)[0, 0] - 7 * STEPS)
    constant = game_from_arrays(reward=np.full_like(reward, -3), **arrays)
    assert constant.metadata == {"reward_scale": 1, "reward_offset": -3}


def test_single_precision_is_rounding_and_no_fault(reward, transition):
    single = transition.astype(np.float32)
    assert np.abs(single.sum(axis=-1, dtype=np.float64) - 1).max() > 1e-9
    game = game_from_arrays(reward=reward, transition=single, horizon=2)
    np.testing.assert_allclose(game.probability.sum(axis=-1), 1, atol=1e-15)
    with pytest.raises(InputError, match="sums to"):
        game_from_arrays(reward=reward, transition=single.astype(float), horizon=2)


def changed(values, place, value):
    values = np.array(values)
    values[place] = value
    return values


FAULTS = [
    ({"payoffs": np.ones((2, 3, 3))}, "payoffs: remove reward, transition, horizon, a normal form"),
    ({"reward": None}, "reward: is missing; give payoffs (a normal form) or reward and transition"),
    ({"transition": None}, "transition: is missing"),
    ({"horizon": None}, "horizon: is missing; give the number of steps"),
    ({"horizon": 0}, "horizon: expected an integer >= 1, got 0"),
    ({"horizon": 2.5}, "horizon: expected an integer, got 2.5"),
    ({"reward": lambda r: [r] * 2}, "the number of steps differs, reward says 2, horizon says 3"),
    ({"reward": lambda r: r[:1]}, "got (1, 4, 2, 3) and (4, 2, 3, 4)"),
    ({"transition": lambda p: p[:3]}, "got (2, 4, 2, 3) and (3, 2, 3, 4)"),
    ({"transition": lambda p: p[..., 0]}, "got (2, 4, 2, 3) and (4, 2, 3)"),
    ({"reward": lambda r: changed(r, (1, 2, 0, 1), np.nan)}, "reward[1, 2, 0, 1] is nan; expected"),
    ({"reward": lambda r: np.where(r > 0.5, 1e308, -1e308)}, "is too wide"),
    ({"reward": "text"}, "reward: expected numbers, got <U4"),
    ({"reward": [[1, 2], [3]]}, "reward: not a rectangular array of numbers"),
    ({"reward": lambda r: r.astype(complex)}, "reward: expected numbers, got complex128"),
    ({"reward": lambda r: r > 0.5}, "reward: expected numbers, got bool"),
    ({"reward": lambda r: r.astype(object)}, "reward: expected numbers, got object"),
    ({"reward": lambda r: r[:0]}, "reward: has no entries, its shape is (0, 4, 2, 3)"),
    (
        {"transition": lambda p: changed(p, (3, 1, 2, 0), -0.5)},
        "transition at step 0, [3, 1, 2, 0] is -0.5; expected a probability in [0, 1]",
    ),
    (
        {"transition": lambda p: changed(p, (3, 1, 2), 0.5)},
        "transition at step 0, [3, 1, 2] sums to 2 over the next states; expected 1",
    ),
    ({"transition": lambda p: 0 * p}, "sums to 0 over the next states"),
    ({"start": 4}, "start: expected an integer in 0..3, got 4"),
    ({"start": 1.5}, "start: expected an integer, got 1.5"),
    ({"start": [1, 0]}, "start: expected a state or 4 probabilities, got shape (2,)"),
    ({"start": [1, 1, 0, 0]}, "start sums to 2"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS)
def test_faults(reward, transition, change, message):
    arrays = {"reward": reward, "transition": transition, "horizon": STEPS}
    for name, value in change.items():
        arrays[name] = value(arrays[name]) if callable(value) else value
    with pytest.raises(InputError) as caught:
        game_from_arrays(**arrays)
    assert message in str(caught.value)


@pytest.mark.parametrize("shape", [(), (2,), (2, 3), (3, 2, 2), (1, 2, 2)])
def test_payoffs_of_other_shapes(shape):
    with pytest.raises(InputError, match="one axis of actions for each player"):
        game_from_arrays(payoffs=np.ones(shape))
