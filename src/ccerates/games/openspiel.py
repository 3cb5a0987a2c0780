"""OpenSpiel's games of perfect information as tables.

A state of the table is a decision node of the OpenSpiel game. Chance is folded into the successor
lists: after a joint action every chain of chance nodes is followed to the next decision nodes (the
texts of chance nodes are never compared: they omit the actions that wait to be resolved). Decision
nodes with the same text are one state. Where the text forgets something that still matters, as in
pathfinding, a memory is added to it (see openspiel_tree). Two checks by sampling refuse games for
which that is seen not to be enough: a few other ways to each state and random playouts must meet
the same consequences.

* Where a player has n < A_i legal actions, action a stands for legal action number a mod n.
  Duplicates of an action leave values and CCE gaps as they are. Where players move in turn, those
  who do not move have one action, and so all of theirs are duplicates.
* All terminal nodes are one absorbing state, in which OpenSpiel's reward is 0. If the whole game is
  too large and a horizon is given, the table has the states that can be reached in fewer than H
  steps; the absorbing state also stands for all others, in which nobody acts before play stops.
* One affine map takes the rewards of all players, states (the absorbing one too) and steps to
  [0, 1]: own reward = reward_offset + reward_scale * table reward. Every play lasts H steps, so own
  value = H * reward_offset + reward_scale * table value, and own gap = reward_scale * table gap.
* A reward that depends on the outcome of chance is replaced by its mean, which leaves values as
  they are.
"""

import numpy as np

from ccerates.checks import check_integer
from ccerates.games.model import MarkovGame
from ccerates.games.openspiel_checks import check_other_ways, check_playouts
from ccerates.games.openspiel_states import States, all_states, longest_play
from ccerates.games.openspiel_tree import TERMINAL, Tree, label_distribution


def import_openspiel(
    game_string: str, *, horizon: int | None = None, max_states: int = 10_000
) -> MarkovGame:
    """Enumerate an OpenSpiel game to a `MarkovGame` whose steps are all alike.

    Parameters
    ----------
    game_string
        What `pyspiel.load_game` takes, for example ``"goofspiel(num_cards=4)"``. Players move at
        the same time or in turn; explicit chance, no hidden information.
    horizon
        Number of decision steps H after which play stops. Needed for games that may return to a
        state; the game's own time limit, if it has one, must lie beyond it. None: until the
        longest play has ended.
    max_states
        Limit on the number of states, the absorbing one not counted.

    Returns
    -------
    MarkovGame
        One layer; the absorbing state, if the game has terminal nodes, is the last one. Metadata
        holds ``game_string``, ``reward_scale``, ``reward_offset``, ``states`` (label of each
        state, ``"terminal"`` for the absorbing one) and ``legal_actions`` (each player's, for each
        state but the absorbing one; [-1] for a player who does not move).

    Raises
    ------
    InputError
        If OpenSpiel does not know the game, the game is of another kind or too large, or its texts
        do not identify its states. A game too large is refused as soon as that is known; the
        message says how large it is at least.

    References
    ----------
    Lanctot et al. (2019), OpenSpiel: a framework for reinforcement learning in games,
    arXiv 1908.09453.
    """
    if horizon is not None:
        check_integer("horizon", horizon, 1)
    check_integer("max_states", max_states, 1)
    tree = Tree(game_string)
    states = all_states(tree, horizon, max_states)
    if horizon is None:
        horizon = longest_play(tree, states)
    check_other_ways(tree, states)
    check_playouts(tree, states, horizon)

    labels = list(states.rows)
    if any(TERMINAL in after.successors for row in states.rows.values() for after in row.after):
        labels.append(TERMINAL)
    reward, next_state, probability = _tables(states, labels)
    offset, scale = float(reward.min()), float(np.ptp(reward)) or 1.0
    start = label_distribution(tree.roots())
    return MarkovGame(
        num_actions=states.num_actions,
        reward=(reward - offset) / scale,
        next_state=next_state,
        probability=probability,
        layer=np.zeros(horizon, dtype=int),
        start=np.array([start.get(label, 0.0) for label in labels]),
        name=tree.name,
        metadata={
            "game_string": game_string,
            "reward_scale": scale,
            "reward_offset": offset,
            "states": labels,
            "legal_actions": [row.legal_actions for row in states.rows.values()],
        },
    )


def _tables(states: States, labels: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rewards in OpenSpiel's units, successors and probabilities, each with one layer."""
    index = {label: state for state, label in enumerate(labels)}
    joint_actions = np.indices(states.num_actions).reshape(len(states.num_actions), -1)
    shape = (1, len(labels), joint_actions.shape[1], states.num_successors)
    reward = np.zeros((1, len(states.num_actions), *shape[1:3]))
    next_state, probability = np.zeros(shape, dtype=np.int32), np.zeros(shape)
    next_state[0, -1, :, 0], probability[0, -1, :, 0] = len(labels) - 1, 1.0  # if absorbing
    for state, row in enumerate(states.rows.values()):
        own_reward = np.round([after.reward for after in row.after], 10)
        own_next = np.zeros((len(row.after), states.num_successors), dtype=np.int32)
        own_probability = np.zeros(own_next.shape)
        for joint, after in enumerate(row.after):
            count = len(after.successors)
            own_next[joint, :count] = [index[label] for label in after.successors]
            own_probability[joint, :count] = list(after.successors.values())
        counts = [len(legal) for legal in row.legal_actions]
        legal = np.ravel_multi_index(joint_actions, counts, mode="wrap")  # a mod n
        reward[0, :, state] = own_reward[legal].T
        next_state[0, state], probability[0, state] = own_next[legal], own_probability[legal]
    return reward, next_state, probability
