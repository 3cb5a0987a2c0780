"""The simulator draws from the game's distribution and gives away nothing else."""

import numpy as np
import pytest
from scipy.stats import chisquare

from ccerates.games.model import MarkovGame
from ccerates.simulator.source import Simulator


class Planned:
    """Stands for a generator and returns planned uniform numbers."""

    def __init__(self, *uniforms) -> None:
        self.uniforms = list(uniforms)

    def random(self):
        return self.uniforms.pop(0)


def game_of(probability, next_state, num_states):
    """Return a one-step, one-player, one-action game with this list in every state."""
    shape = (1, num_states, 1, len(probability))
    return MarkovGame(
        num_actions=(1,),
        reward=np.zeros((1, 1, num_states, 1)),
        next_state=np.broadcast_to(next_state, shape),
        probability=np.broadcast_to(probability, shape),
        layer=[0],
        start=np.eye(num_states)[0],
    )


def test_dimensions_are_those_of_the_game(random_game) -> None:
    game = random_game(0, (2, 3), horizon=4, states=5)
    simulator = Simulator(game)
    assert simulator.shape == ((2, 3), 5, 4)
    assert (simulator.num_players, simulator.num_states, simulator.horizon) == (2, 5, 4)
    assert simulator.num_actions == (2, 3)
    assert simulator.content_hash == game.content_hash
    np.testing.assert_array_equal(simulator.start, game.start)


def test_successors_are_drawn_with_their_probabilities(random_game) -> None:
    game = random_game(1, (2, 2), states=6, successors=5)
    simulator, generator = Simulator(game), np.random.default_rng(0)
    draws, tested = 2000, 0
    for step, state, joint in [(0, 0, 0), (1, 5, 3), (2, 3, 1), (2, 0, 2)]:
        layer = game.layer[step]
        expected = np.bincount(
            game.next_state[layer, state, joint],
            weights=game.probability[layer, state, joint],
            minlength=6,
        )
        drawn = [simulator.sample(step, state, joint, generator)[1] for _ in range(draws)]
        counts = np.bincount(drawn, minlength=6)
        possible = expected > 0.0
        assert counts[~possible].sum() == 0
        assert chisquare(counts[possible], draws * expected[possible]).pvalue > 0.001
        tested += possible.sum() > 1
    assert tested >= 3


def test_rewards_are_those_of_step_state_and_joint_action(random_game) -> None:
    game = random_game(2, (2, 3), horizon=3)
    simulator, generator = Simulator(game), np.random.default_rng(0)
    for step in range(3):
        for state in range(3):
            for actions in np.ndindex(2, 3):
                joint = np.ravel_multi_index(actions, (2, 3))
                reward, _ = simulator.sample(step, state, joint, generator)
                expected = game.reward[game.layer[step], :, state, joint]
                np.testing.assert_array_equal(reward, expected)


@pytest.mark.parametrize("uniform", [0.0, 0.25, 0.5, np.nextafter(1.0, 0.0)])
def test_unused_places_are_never_drawn(uniform) -> None:
    """Neither before, between nor after the places in use, at the ends of their intervals."""
    game = game_of([0.0, 0.25, 0.0, 0.25, 0.5, 0.0, 0.0], [0, 1, 0, 2, 3, 0, 0], 4)
    _, there = Simulator(game).sample(0, 0, 0, Planned(uniform))
    assert there == {0.0: 1, 0.25: 2, 0.5: 3}.get(uniform, 3)


def test_rounding_never_leads_beyond_the_last_place_in_use() -> None:
    """Ten times 0.1 add up to less than the largest uniform number."""
    probability = [0.1] * 10 + [0.0] * 3
    largest = np.nextafter(1.0, 0.0)
    assert np.cumsum(probability)[-1] <= largest
    game = game_of(probability, [0] * 9 + [1] + [2] * 3, 3)
    assert Simulator(game).sample(0, 0, 0, Planned(largest))[1] == 1
    # The kernels count thresholds at or below the number, so that none may follow the last.
    assert np.isposinf(Simulator(game)._step_tables(0).cumulative[..., 9:]).all()


def test_learners_see_dimensions_and_samples_only(random_game) -> None:
    """Whatever is public is listed here; the only tables are those for the kernels' sampling."""
    simulator = Simulator(random_game(3, (2, 2)))
    public = {name for name in dir(simulator) if not name.startswith("_")}
    dimensions = {"num_actions", "num_players", "num_states", "horizon", "shape"}
    sampling = {"sample"}
    assert public == dimensions | sampling | {"start", "content_hash"}
    for name in public - sampling:
        value = getattr(simulator, name)
        assert isinstance(value, int | str | tuple) or value is simulator.start


def test_nothing_handed_out_can_change_the_game(random_game) -> None:
    game = random_game(4, (2, 2))
    simulator = Simulator(game)
    reward, _ = simulator.sample(0, 0, 0, np.random.default_rng(0))
    reward += 1.0
    with pytest.raises(ValueError, match="read-only"):
        simulator.start[0] = 1.0
    again = Simulator(random_game(4, (2, 2)))
    for handed_out, fresh in zip(simulator._step_tables(0), again._step_tables(0), strict=True):
        np.testing.assert_array_equal(handed_out, fresh)
