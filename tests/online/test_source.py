"""Episodes: what they draw, and that they show nothing of the model."""

import numpy as np
import pytest

from ccerates.games.model import MarkovGame
from ccerates.online.source import Episodes


def test_frequencies_are_those_of_the_game(random_game) -> None:
    game = random_game(1, (2, 2))
    episodes, generator = Episodes(game), np.random.default_rng(0)
    count = 20_000
    starts = np.bincount([episodes.reset(generator) for _ in range(count)], minlength=3) / count
    np.testing.assert_allclose(starts, game.start, atol=5 * 0.5 / np.sqrt(count))
    assert starts[1] == game.start[1] == 0.0
    step, state, joint_action = 2, 0, 3
    layer = game.layer[step]
    drawn = np.zeros(3)
    for _ in range(count):
        rewards, there = episodes.step(step, state, joint_action, generator)
        drawn[there] += 1 / count
    np.testing.assert_array_equal(rewards, game.reward[layer, :, state, joint_action])
    expected = np.bincount(
        game.next_state[layer, state, joint_action],
        game.probability[layer, state, joint_action],
        minlength=3,
    )
    np.testing.assert_allclose(drawn, expected, atol=5 * 0.5 / np.sqrt(count))


def test_every_draw_takes_one_uniform_number(random_game) -> None:
    episodes = Episodes(random_game(0, (2, 2)))
    used, fresh = (np.random.default_rng(4) for _ in range(2))
    state = episodes.reset(used)
    episodes.step(0, state, 0, used)
    fresh.random(2)
    assert used.random() == fresh.random()


def test_the_last_possible_first_state_takes_what_rounding_leaves() -> None:
    class AlmostOne:
        def random(self):
            return 1.0 - 2.0**-53

    start = np.append(np.full(10, 0.1), 0.0)  # cumulative sums end below one
    size = (1, 11, 1, 1)
    game = MarkovGame(
        num_actions=(1,),
        reward=np.zeros((1, 1, 11, 1)),
        next_state=np.zeros(size, dtype=int),
        probability=np.ones(size),
        layer=np.zeros(1, dtype=int),
        start=start,
    )
    assert np.cumsum(start)[-1] < 1.0
    assert Episodes(game).reset(AlmostOne()) == 9


def test_dimensions_are_those_of_the_game(random_game) -> None:
    game = random_game(0, (2, 1, 3), horizon=4)
    episodes = Episodes(game)
    assert episodes.shape == ((2, 1, 3), 3, 4)
    assert (episodes.num_players, episodes.horizon) == (3, 4)
    assert episodes.content_hash == game.content_hash
    np.testing.assert_array_equal(episodes.start, game.start)
    public = {name for name in dir(episodes) if not name.startswith("_")}
    assert public == {
        "content_hash",
        "horizon",
        "num_actions",
        "num_players",
        "num_states",
        "reset",
        "shape",
        "start",
        "step",
    }


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ((3, 0, 0), r"step 3: expected 0\.\.2"),
        ((-1, 0, 0), r"step -1: expected 0\.\.2"),
        ((0, 3, 0), r"state 3: expected 0\.\.2"),
        ((0, 0, 4), r"joint_action 4: expected 0\.\.3"),
    ],
)
def test_places_outside_the_game(place, message, random_game) -> None:
    with pytest.raises(IndexError, match=message):
        Episodes(random_game(0, (2, 2))).step(*place, np.random.default_rng(0))


def test_rewards_are_copies(random_game) -> None:
    episodes, generator = Episodes(random_game(0, (2, 2))), np.random.default_rng(0)
    rewards, _ = episodes.step(0, 0, 0, generator)
    kept = rewards.copy()
    rewards[:] = 7.0
    np.testing.assert_array_equal(episodes.step(0, 0, 0, generator)[0], kept)
