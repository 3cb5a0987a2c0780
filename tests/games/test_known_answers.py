"""Families against their definitions and closed forms, with plain loops as the oracle."""

import itertools

import numpy as np
import pytest

from ccerates.games.families import make_game


def transition(game, step, state, actions):
    """Return {next state: probability}, summed over the successor list."""
    joint = int(np.ravel_multi_index(actions, game.num_actions))
    layer = game.layer[step]
    result = {}
    for place in range(game.next_state.shape[-1]):
        following = int(game.next_state[layer, state, joint, place])
        chance = float(game.probability[layer, state, joint, place])
        if chance:
            result[following] = result.get(following, 0.0) + chance
    return result


def rewards(game, step, state, actions):
    joint = int(np.ravel_multi_index(actions, game.num_actions))
    return game.reward[game.layer[step], :, state, joint].tolist()


def joint_actions(game):
    return list(itertools.product(*(range(count) for count in game.num_actions)))


def uniform_value(game, player):
    """Value of uniform play of all players, from the start."""
    actions = joint_actions(game)
    value = [0.0] * game.num_states
    for step in reversed(range(game.horizon)):
        value = [
            sum(one_step(game, step, s, a, player, value) for a in actions) / len(actions)
            for s in range(game.num_states)
        ]
    return float(np.dot(game.start, value))


def best_value(game, player):
    """Value of `player`'s best response to uniform play of the others, from the start."""
    actions = joint_actions(game)
    value = [0.0] * game.num_states
    for step in reversed(range(game.horizon)):
        value = [
            max(
                np.mean(
                    [one_step(game, step, s, a, player, value) for a in actions if a[player] == own]
                )
                for own in range(game.num_actions[player])
            )
            for s in range(game.num_states)
        ]
    return float(np.dot(game.start, value))


def one_step(game, step, state, actions, player, value):
    following = transition(game, step, state, actions).items()
    return rewards(game, step, state, actions)[player] + sum(p * value[t] for t, p in following)


def geometric(stay, horizon):
    """Expected number of rewards when each is followed by another with probability `stay`."""
    return sum(stay**step for step in range(horizon))


def test_survival_table_is_its_definition():
    parameters = {"num_players": 3, "num_actions": [3, 1, 2], "alive_states": 2, "horizon": 4}
    game = make_game("survival", parameters | {"eps_game": 0.25}, np.random.default_rng(3))
    keys, cost = game.metadata["keys"], 8 * 0.25 / 4**2
    assert game.metadata["D"] == cost
    assert game.start.tolist() == [0.5, 0.5, 0.0]
    for step, actions in itertools.product(range(4), joint_actions(game)):
        for state in range(2):
            wrong = sum(actions[player] != keys[player][step][state] for player in range(3))
            alive = 1 - 1 / 4 - cost * wrong
            expected = {0: alive / 2, 1: alive / 2, 2: 1 - alive}
            assert transition(game, step, state, actions) == pytest.approx(expected, abs=1e-12)
            assert rewards(game, step, state, actions) == [1, 1, 1]
        assert transition(game, step, 2, actions) == {2: 1}
        assert rewards(game, step, 2, actions) == [0, 0, 0]


def test_survival_keys_reach_every_action():
    parameters = {"num_players": 1, "num_actions": 3, "alive_states": 4, "horizon": 50}
    game = make_game("survival", parameters | {"key_cost": 0.1}, np.random.default_rng(0))
    counts = np.bincount(np.ravel(game.metadata["keys"]), minlength=3)
    # 200 draws with mean 66.7 and standard deviation 6.7 each: five deviations either way.
    assert ((counts > 33) & (counts < 100)).all()


@pytest.mark.parametrize(
    ("counts", "horizon"), [([3, 3], 8), ([2, 4], 5), ([2, 2, 3], 6), ([1, 3], 4)]
)
def test_survival_value_and_gap_of_uniform_play(counts, horizon):
    cost = 0.04
    parameters = {"num_players": len(counts), "num_actions": counts, "alive_states": 2}
    game = make_game(
        "survival",
        parameters | {"horizon": horizon, "key_cost": cost},
        np.random.default_rng(5),
    )
    stay = 1 - 1 / horizon - cost * sum(1 - 1 / count for count in counts)
    for player, count in enumerate(counts):
        best = stay + cost * (1 - 1 / count)
        assert uniform_value(game, player) == pytest.approx(geometric(stay, horizon), abs=1e-12)
        assert best_value(game, player) == pytest.approx(geometric(best, horizon), abs=1e-12)


def test_survival_gap_at_the_reference_size():
    parameters = {"num_players": 2, "num_actions": 3, "alive_states": 2, "horizon": 8}
    game = make_game("survival", parameters | {"eps_game": 0.5}, np.random.default_rng(0))
    assert best_value(game, 0) - uniform_value(game, 0) == pytest.approx(0.5452, abs=1e-4)


@pytest.mark.parametrize(("horizon", "asymptotic"), [(4, False), (7, False), (8, True), (16, True)])
def test_survival_says_where_it_is_asymptotic(horizon, asymptotic):
    # With eps_game = 1/2 and two players, m D = 8/H^2 is at most 1/H from H = 8 on.
    parameters = {"num_players": 2, "num_actions": 3, "alive_states": 1, "horizon": horizon}
    game = make_game("survival", parameters | {"eps_game": 0.5}, np.random.default_rng(0))
    assert game.metadata["asymptotic"] is asymptotic


def test_hidden_action_table_is_its_definition():
    parameters = {"num_players": 2, "num_actions": [3, 2], "num_blocks": 2, "horizon": 5}
    constants = {"eps_game": 0.2, "leave_constant": 1.5, "advantage_constant": 3.0}
    game = make_game("hidden-action", parameters | constants, np.random.default_rng(1))
    keys = game.metadata["keys"]
    assert game.start.tolist() == [0.5, 0, 0.5, 0]
    for step, block, actions in itertools.product(range(5), range(2), joint_actions(game)):
        sign = 1 if actions[0] == keys[step][block] else -1
        stay = 1 - 1.5 / 5 + sign * 3.0 * 0.2 / 5**2
        rich, poor = 2 * block, 2 * block + 1
        expected = {rich: stay, poor: 1 - stay}
        assert transition(game, step, rich, actions) == pytest.approx(expected, abs=1e-12)
        assert transition(game, step, poor, actions) == {poor: 1}
        assert rewards(game, step, rich, actions) == [1, 1]
        assert rewards(game, step, poor, actions) == [0, 0]


def test_hidden_action_value_and_gap_of_uniform_play():
    horizon, eps, actions = 10, 0.5, 4
    parameters = {"num_players": 2, "num_actions": [actions, 3], "num_blocks": 3}
    game = make_game(
        "hidden-action",
        parameters | {"horizon": horizon, "eps_game": eps},
        np.random.default_rng(2),
    )
    right, wrong = (1 - 1 / horizon + sign * 4 * eps / horizon**2 for sign in (1, -1))
    uniform = geometric(right / actions + wrong * (1 - 1 / actions), horizon)
    assert uniform_value(game, 0) == pytest.approx(uniform, abs=1e-12)
    assert best_value(game, 0) == pytest.approx(geometric(right, horizon), abs=1e-12)
    assert best_value(game, 1) == pytest.approx(uniform, abs=1e-12)  # a dummy


def test_lock_table_is_its_definition():
    game = make_game(
        "combination-lock",
        {"num_players": 2, "num_actions": [3, 2], "horizon": 3, "temptation": 0.25},
        np.random.default_rng(4),
    )
    combination = game.metadata["combination"]
    for step, actions in itertools.product(range(3), joint_actions(game)):
        wrong = [actions[player] != combination[player][step] for player in range(2)]
        expected = [0.25 * own for own in wrong]
        if step == 2 and not any(wrong):
            expected = [1.0, 1.0]
        assert rewards(game, step, 0, actions) == expected
        assert transition(game, step, 0, actions) == {int(any(wrong)): 1}
        assert rewards(game, step, 1, actions) == [0, 0]
        assert transition(game, step, 1, actions) == {1: 1}


def test_lock_value_and_gap_of_uniform_play():
    horizon, temptation, counts = 4, 0.2, (3, 2)
    game = make_game(
        "combination-lock",
        {"num_players": 2, "num_actions": counts, "horizon": horizon, "temptation": temptation},
        np.random.default_rng(4),
    )
    for player in range(2):
        tempted, open_all = 1 - 1 / counts[player], 1 / 6
        expected = geometric(open_all, horizon) * tempted * temptation + open_all**horizon
        assert uniform_value(game, player) == pytest.approx(expected, abs=1e-12)
        best = 1.0  # what the end pays, seen from behind the last step
        for _ in range(horizon):
            best = max(temptation, best / counts[1 - player])
        assert best_value(game, player) == pytest.approx(best, abs=1e-12)


def test_congestion_by_hand():
    game = make_game(
        "congestion",
        {"num_players": 2, "num_facilities": 2, "horizon": 3, "wear": 0.5},
        np.random.default_rng(7),
    )
    first, second = game.metadata["weights"]
    assert 0.5 <= min(first, second) <= max(first, second) <= 1
    assert rewards(game, 0, 0, (0, 0)) == pytest.approx([first / 4, first / 4])
    assert rewards(game, 0, 0, (0, 1)) == pytest.approx([first / 2, second])
    assert rewards(game, 0, 1, (0, 1)) == pytest.approx([first, second / 2])
    assert rewards(game, 0, 1, (1, 1)) == pytest.approx([second / 4, second / 4])
    assert transition(game, 0, 0, (1, 1)) == {1: 1}
    assert transition(game, 2, 1, (0, 1)) == {0: 0.5, 1: 0.5}


def dense_random(alignment, players=3):
    parameters = {"num_players": players, "num_actions": 2, "num_states": 5, "horizon": 8}
    return make_game(
        "dense-random", parameters | {"alignment": alignment}, np.random.default_rng(0)
    )


def test_dense_random_alignment():
    rivals, strangers, friends = dense_random(-1.0), dense_random(0.0), dense_random(1.0)
    np.testing.assert_allclose(rivals.reward.sum(axis=1), 1.5, atol=1e-12)
    assert np.ptp(friends.reward, axis=1).max() == 0
    assert np.corrcoef(np.swapaxes(rivals.reward, 0, 1).reshape(3, -1))[0, 1] < -0.3
    assert abs(np.corrcoef(np.swapaxes(strangers.reward, 0, 1).reshape(3, -1))[0, 1]) < 0.2
    mixed = np.swapaxes(dense_random(0.7).reward, 0, 1).reshape(3, -1)
    assert 0.5 < np.corrcoef(mixed)[0, 1] < 0.99


def test_dense_random_kernel_is_dirichlet():
    probability = dense_random(0.0).probability
    # Dirichlet(1, .., 1) over 5 states: mean 1/5, variance (1/5)(4/5)/6; 320 rows.
    assert probability.min() > 0
    assert abs(probability.mean(axis=(0, 1, 2)) - 0.2).max() < 5 * np.sqrt(0.16 / 6 / 320)
    assert probability.var() == pytest.approx(0.16 / 6, rel=0.2)
