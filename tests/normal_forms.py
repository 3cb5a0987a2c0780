"""Normal forms by independent means: gaps by OpenSpiel, the lowest gap by a linear program."""

import numpy as np
import pyspiel
from scipy.optimize import linprog


def own_payoffs(game):
    """Return (players, A_1, .., A_m) payoffs of a game of one state in the game's own units."""
    offset, scale = (game.metadata[key] for key in ("reward_offset", "reward_scale"))
    table = offset + scale * game.reward[0, :, 0]
    return table.reshape(game.num_players, *game.num_actions)


def openspiel_gap(payoffs, policy):
    """Return OpenSpiel's cce_dist of a correlated policy, a mixture of pure joint policies.

    It clips the gap of each player at zero and sums over players.
    """
    game = pyspiel.convert_to_turn_based(pyspiel.create_tensor_game(list(payoffs)))
    states_of = [[] for _ in payoffs]

    def visit(state):
        if not state.is_terminal():
            states_of[state.current_player()].append(state.information_state_string())
            visit(state.child(state.legal_actions()[0]))  # nobody sees what another has played

    visit(game.new_initial_state())
    device = []
    for joint, weight in zip(np.ndindex(payoffs.shape[1:]), policy, strict=True):
        table = {
            key: [(a, float(a == action)) for a in range(payoffs.shape[1 + player])]
            for player, action in enumerate(joint)
            for key in states_of[player]
        }
        if weight > 0:
            device.append((weight, pyspiel.TabularPolicy(table)))
    return pyspiel.cce_dist(game, device).dist_value


def lowest_gap(payoffs):
    """Return the lowest CCE gap of any correlated policy, a program over (policy, gap)."""
    rows = []
    for player, own in enumerate(payoffs):
        for action in range(own.shape[player]):
            deviation = np.repeat(own.take([action], axis=player), own.shape[player], axis=player)
            rows.append([*(deviation - own).ravel(), -1.0])
    policies = payoffs[0].size
    program = linprog(
        [0.0] * policies + [1.0],
        A_ub=rows,
        b_ub=np.zeros(len(rows)),
        A_eq=[[1.0] * policies + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * policies + [(None, None)],
    )
    assert program.status == 0
    return program.fun
