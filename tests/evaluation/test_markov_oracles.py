"""Values and gaps against OpenSpiel, QuantEcon, linear programs and plain enumeration."""

import itertools

import numpy as np
import pyspiel
import pytest
from quantecon.markov import DiscreteDP, backward_induction
from scipy.optimize import linprog

from ccerates.evaluation.markov import best_response_value, cce_gap, policy_value

TOLERANCE = 1e-9
SHAPES = [(2,), (2, 3), (3, 3), (2, 3, 2)]


def joint_actions(num_actions):
    return list(itertools.product(*(range(count) for count in num_actions)))


# ---------------------------------------------------------------- OpenSpiel, matrix games


def openspiel_report(payoff, distribution):
    """Return OpenSpiel's account of a correlated strategy, a mixture of pure joint policies."""
    game = pyspiel.convert_to_turn_based(pyspiel.create_tensor_game(list(payoff)))
    states_of = [[] for _ in payoff]

    def visit(state):
        if not state.is_terminal():
            states_of[state.current_player()].append(state.information_state_string())
            for action in state.legal_actions():
                visit(state.child(action))

    visit(game.new_initial_state())
    device = []
    for joint, weight in zip(joint_actions(payoff.shape[1:]), distribution, strict=True):
        table = {
            key: [(a, float(a == action)) for a in range(payoff.shape[1 + player])]
            for player, action in enumerate(joint)
            for key in states_of[player]
        }
        device.append((weight, pyspiel.TabularPolicy(table)))
    return pyspiel.cce_dist(game, device)


CHICKEN = np.array([[[0.0, 1.0], [0.3, 0.8]], [[0.0, 0.3], [1.0, 0.8]]])


@pytest.mark.parametrize("num_actions", [(2, 2), (3, 4), (5, 2), (2, 2, 2), (3, 2, 4)])
@pytest.mark.parametrize("seed", range(3))
def test_matrix_games_agree_with_openspiel(matrix_game, num_actions, seed):
    rng = np.random.default_rng([seed, *num_actions])
    payoff = rng.random((len(num_actions), *num_actions))
    distribution = rng.dirichlet(np.full(np.prod(num_actions), 0.3))
    compare_with_openspiel(matrix_game(payoff), payoff, distribution)


def test_openspiel_clips_and_sums_where_we_do_neither(matrix_game):
    # Chicken with a lottery over the two pure equilibria: no player gains by deviating.
    report = compare_with_openspiel(matrix_game(CHICKEN), CHICKEN, np.array([0, 0.5, 0.5, 0]))
    assert report.gap == pytest.approx(-0.1, abs=TOLERANCE)  # .55 blindly, .65 obeying


def compare_with_openspiel(game, payoff, distribution):
    policy = distribution[None, None]
    report, theirs = cce_gap(game, policy), openspiel_report(payoff, distribution)
    np.testing.assert_allclose(
        policy_value(game, policy)[0, 0], theirs.on_policy_values, atol=TOLERANCE
    )
    np.testing.assert_allclose(
        best_response_value(game, policy)[0, 0], theirs.best_response_values, atol=TOLERANCE
    )
    clipped = np.maximum(report.players, 0)
    np.testing.assert_allclose(clipped, theirs.deviation_incentives, atol=TOLERANCE)
    assert clipped.sum() == pytest.approx(theirs.dist_value, abs=TOLERANCE)
    return report


# ---------------------------------------------------------------- QuantEcon, Markov games


def quantecon_values(game, policy, player):
    """Return V^dag of `player` from a decision process whose states are the pairs (h, s)."""
    horizon, states = game.horizon, game.num_states
    end = horizon * states
    reward = np.zeros((end + 1, game.num_actions[player]))
    transition = np.zeros((end + 1, game.num_actions[player], end + 1))
    transition[end, :, end] = 1.0
    for step, state in itertools.product(range(horizon), range(states)):
        layer, here = game.layer[step], step * states + state
        for index, joint in enumerate(joint_actions(game.num_actions)):
            opponents = sum(
                policy[step, state, other]
                for other, others in enumerate(joint_actions(game.num_actions))
                if others[:player] == joint[:player] and others[player + 1 :] == joint[player + 1 :]
            )
            reward[here, joint[player]] += opponents * game.reward[layer, player, state, index]
            for following, chance in zip(
                game.next_state[layer, state, index],
                game.probability[layer, state, index],
                strict=True,
            ):
                there = end if step + 1 == horizon else here - state + states + following
                transition[here, joint[player], there] += opponents * chance
    values, _ = backward_induction(DiscreteDP(reward, transition, 1.0), horizon)
    return values[0, :end].reshape(horizon, states)


@pytest.mark.filterwarnings("ignore:infinite horizon")  # discount 1, finite horizon
@pytest.mark.parametrize("num_actions", SHAPES)
@pytest.mark.parametrize("layers", [1, 4])
def test_best_responses_agree_with_quantecon(random_game, random_policy, num_actions, layers):
    game = random_game(1, num_actions, horizon=4, states=5, successors=3, layers=layers)
    policy = random_policy(2, game)
    values = best_response_value(game, policy)
    for player in range(game.num_players):
        expected = quantecon_values(game, policy, player)
        np.testing.assert_allclose(values[..., player], expected, atol=TOLERANCE)


# ---------------------------------------------------------------- enumeration, tiny games


def enumerated_value(game, policy, first_step, first_state, deviation=None):
    """Return every player's expected return as a sum over all trajectories.

    `deviation` is (player, choice): the player ignores the recommendation and plays
    ``choice(step, history, state)``, where the history lists the pairs (state, joint action).
    """
    actions = joint_actions(game.num_actions)
    moves = range(game.next_state.shape[-1])
    branches = list(itertools.product(range(len(actions)), moves))
    total = np.zeros(game.num_players)
    for trajectory in itertools.product(branches, repeat=game.horizon - first_step):
        state, chance, rewards, history = first_state, 1.0, np.zeros(game.num_players), ()
        for step, (recommended, move) in enumerate(trajectory, start=first_step):
            played = recommended
            if deviation is not None:
                player, choice = deviation
                joint = list(actions[recommended])
                joint[player] = choice(step, history, state)
                played = actions.index(tuple(joint))
            layer = game.layer[step]
            rewards = rewards + game.reward[layer, :, state, played]
            chance *= (
                policy[step, state, recommended] * game.probability[layer, state, played, move]
            )
            history = (*history, (state, played))
            state = game.next_state[layer, state, played, move]
        total += chance * rewards
    return total


@pytest.mark.parametrize("num_actions", [(2, 2), (3, 2), (2, 2, 2)])
def test_policy_value_is_the_sum_over_trajectories(random_game, random_policy, num_actions):
    game = random_game(3, num_actions, horizon=2, states=3)
    policy = random_policy(4, game)
    values = policy_value(game, policy)
    for step, state in itertools.product(range(game.horizon), range(game.num_states)):
        expected = enumerated_value(game, policy, step, state)
        np.testing.assert_allclose(values[step, state], expected, atol=TOLERANCE)


@pytest.mark.parametrize(("num_actions", "states"), [((2, 3), 2), ((3, 2), 2), ((2, 2, 2), 2)])
def test_best_response_is_the_best_markov_deviation(
    random_game, random_policy, num_actions, states
):
    game = random_game(5, num_actions, horizon=2, states=states)
    policy = random_policy(6, game)
    gaps = np.empty((states, game.num_players))
    for player, count in enumerate(num_actions):
        places = list(itertools.product(range(game.horizon), range(states)))
        for start in range(states):
            deviations = []
            for choices in itertools.product(range(count), repeat=len(places)):
                table = dict(zip(places, choices, strict=True))
                deviation = (player, lambda step, _, state, table=table: table[step, state])
                deviations.append(enumerated_value(game, policy, 0, start, deviation)[player])
            obeyed = enumerated_value(game, policy, 0, start)[player]
            gaps[start, player] = max(deviations) - obeyed
    report = cce_gap(game, policy)
    np.testing.assert_allclose(report.players, game.start @ gaps, atol=TOLERANCE)
    np.testing.assert_allclose(report.players_worst, gaps.max(axis=0), atol=TOLERANCE)
    assert report.gap == pytest.approx((game.start @ gaps).max(), abs=TOLERANCE)
    assert report.gap_worst == pytest.approx(gaps.max(), abs=TOLERANCE)


def test_memory_does_not_help_a_best_response(random_game, random_policy):
    game = random_game(7, (2, 2), horizon=2, states=2)
    policy = random_policy(8, game)
    values = best_response_value(game, policy)
    for player, start in itertools.product(range(2), range(2)):
        histories = list(itertools.product(range(4), range(2)))  # joint action played, new state
        best = -np.inf
        for first in range(2):
            for later in itertools.product(range(2), repeat=len(histories)):
                table = dict(zip(histories, later, strict=True))

                def choice(step, history, state, first=first, table=table):
                    return first if step == 0 else table[history[0][1], state]

                value = enumerated_value(game, policy, 0, start, (player, choice))
                best = max(best, value[player])
        assert values[0, start, player] == pytest.approx(best, abs=TOLERANCE)


# ---------------------------------------------------------------- linear programs, matrix games


def gain_rows(payoff):
    """Return for each player the matrix (own action, joint action) of gains from deviating."""
    actions = joint_actions(payoff.shape[1:])
    return [
        np.array(
            [
                [
                    own[(*joint[:player], action, *joint[player + 1 :])] - own[joint]
                    for joint in actions
                ]
                for action in range(payoff.shape[1 + player])
            ]
        )
        for player, own in enumerate(payoff)
    ]


def least_gains(payoff, bound_of_player):
    """Minimise the sum of the bounds, where bound ``bound_of_player[i]`` caps i's gains."""
    gains = gain_rows(payoff)
    joint, bounds = gains[0].shape[1], max(bound_of_player) + 1
    caps = [
        np.tile(-np.eye(bounds)[bound], (len(rows), 1))
        for rows, bound in zip(gains, bound_of_player, strict=True)
    ]
    solution = linprog(
        np.r_[np.zeros(joint), np.ones(bounds)],
        A_ub=np.block([[np.vstack(gains), np.vstack(caps)]]),
        b_ub=np.zeros(sum(map(len, gains))),
        A_eq=np.r_[np.ones(joint), np.zeros(bounds)][None],
        b_eq=[1.0],
        bounds=[(0, None)] * joint + [(None, None)] * bounds,
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert solution.success
    return solution.x[:joint], solution.fun


@pytest.mark.parametrize("num_actions", [(2, 2), (4, 3), (3, 3, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_gaps_agree_with_linear_programs(matrix_game, num_actions, seed):
    rng = np.random.default_rng([seed, *num_actions])
    payoff = rng.random((len(num_actions), *num_actions))
    game = matrix_game(payoff)
    distribution, optimum = least_gains(payoff, [0] * len(num_actions))
    report = cce_gap(game, distribution[None, None])
    assert report.gap <= TOLERANCE  # every game has a CCE
    assert report.gap == pytest.approx(optimum, abs=TOLERANCE)
    distribution, optimum = least_gains(payoff, list(range(len(num_actions))))
    report = cce_gap(game, distribution[None, None])
    assert report.players.sum() == pytest.approx(optimum, abs=TOLERANCE)
