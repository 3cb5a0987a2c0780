"""OpenSpiel's simultaneous-move games as tables.

A state of the table is a decision node of the OpenSpiel game. Chance is folded into the successor
lists: after a joint action every chain of chance nodes is followed to the next decision nodes (the
texts of chance nodes are never compared: they omit the actions that wait to be resolved). Decision
nodes with the same text are one state. Where the text forgets something that still matters, as in
pathfinding, a memory is added to it (see openspiel_tree). Two checks by sampling refuse games for
which that is seen not to be enough: a few other ways to each state and random playouts must meet
the same consequences.

* Where a player has n < A_i legal actions, action a stands for legal action number a mod n.
  Duplicates of an action leave values and CCE gaps as they are.
* All terminal nodes are one absorbing state, in which OpenSpiel's reward is 0.
* One affine map takes the rewards of all players, states (the absorbing one too) and steps to
  [0, 1]: own reward = reward_offset + reward_scale * table reward. Every play lasts H steps, so own
  value = H * reward_offset + reward_scale * table value, and own gap = reward_scale * table gap.
* A reward that depends on the outcome of chance is replaced by its mean, which leaves values as
  they are.
"""

import itertools
from collections import Counter, deque

import numpy as np

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.games.families.parameters import check_table_size
from ccerates.games.model import MarkovGame
from ccerates.games.openspiel_tree import (
    TERMINAL,
    Consequences,
    Node,
    Tree,
    consequences,
    label_distribution,
)

_OTHER_WAYS = 4
_PLAYOUTS = 200
_TOLERANCE = 1e-9

_Row = dict[tuple[int, ...], Consequences]  # by joint action


def import_openspiel(
    game_string: str, *, horizon: int | None = None, max_states: int = 10_000
) -> MarkovGame:
    """Enumerate an OpenSpiel game to a `MarkovGame` whose steps are all alike.

    Parameters
    ----------
    game_string
        What `pyspiel.load_game` takes, for example ``"goofspiel(num_cards=4)"``. Simultaneous
        moves, explicit chance, no hidden information.
    horizon
        Number of decision steps H after which play stops. Needed for games that may return to a
        state; the game's own time limit, if it has one, must lie beyond it. None: until the
        longest play has ended.
    max_states
        Limit on the number of states.

    Returns
    -------
    MarkovGame
        One layer; the absorbing state, if the game has terminal nodes, is the last one. Metadata
        holds ``game_string``, ``reward_scale``, ``reward_offset``, ``states`` (label of each
        state, ``"terminal"`` for the absorbing one) and ``legal_actions`` (each player's, for each
        state but the absorbing one).

    Raises
    ------
    InputError
        If OpenSpiel does not know the game, the game is of another kind, it has too many states,
        or its texts do not identify its states.

    References
    ----------
    Lanctot et al. (2019), OpenSpiel: a framework for reinforcement learning in games,
    arXiv 1908.09453.
    """
    if horizon is not None:
        check_integer("horizon", horizon, 1)
    check_integer("max_states", max_states, 1)
    tree = Tree(game_string)
    nodes, rows = _enumerate(tree, max_states)
    if horizon is None:
        horizon = _longest_play(tree, rows)
    _check_other_ways(tree, nodes, rows)
    _check_playouts(tree, rows, horizon)

    legal = [tree.legal_actions(node) for node in nodes]
    labels = list(rows)
    if any(TERMINAL in after.successors for row in rows.values() for after in row.values()):
        labels.append(TERMINAL)
    num_actions = tuple(np.max([[len(actions) for actions in state] for state in legal], axis=0))
    reward, next_state, probability = _tables(labels, num_actions, legal, rows)
    offset, scale = float(reward.min()), float(np.ptp(reward)) or 1.0
    start = label_distribution(tree.roots())
    return MarkovGame(
        num_actions=num_actions,
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
            "legal_actions": legal,
        },
    )


def _enumerate(tree: Tree, max_states: int) -> tuple[list[Node], dict[str, _Row]]:
    """Return one node for each label that can be reached, breadth first, and its row by label."""
    nodes: list[Node] = []
    known = {TERMINAL}
    queue: deque[Node] = deque()

    def visit(node: Node) -> None:
        if node.label in known:
            return
        if len(nodes) == max_states:
            raise InputError(
                f"{tree.place}: reached {max_states + 1} states and counting, but max_states is "
                f"{max_states}; raise it or take a smaller game"
            )
        known.add(node.label)
        nodes.append(node)
        queue.append(node)

    for _, root in tree.roots():
        visit(root)
    rows: dict[str, _Row] = {}
    while queue:
        node = queue.popleft()
        rows[node.label] = {}
        for actions in itertools.product(*tree.legal_actions(node)):
            children = tree.children(node, actions)
            rows[node.label][actions] = consequences(node, children)
            for _, child in children:
                visit(child)
    return nodes, rows


def _longest_play(tree: Tree, rows: dict[str, _Row]) -> int:
    """Return the number of steps after which every play has ended."""
    frontier = {root.label for _, root in tree.roots()}
    for steps in range(len(rows) + 1):
        frontier.discard(TERMINAL)
        if not frontier:
            return steps
        frontier = {
            label
            for state in frontier
            for after in rows[state].values()
            for label in after.successors
        }
    raise InputError(f"{tree.place}: play may return to a state and never end; give a horizon")


def _check_other_ways(tree: Tree, nodes: list[Node], rows: dict[str, _Row]) -> None:
    """Raise InputError unless up to `_OTHER_WAYS` other ways to each state meet the same row.

    The last nodes come first: the ways through them differ most from the first way to a state.
    """
    ways: Counter[str] = Counter()
    for node in reversed(nodes):
        seen = {TERMINAL}
        for actions in rows[node.label]:
            for _, child in tree.children(node, actions):
                if child.label in seen or ways[child.label] == _OTHER_WAYS:
                    continue
                seen.add(child.label)
                ways[child.label] += 1
                legal = list(itertools.product(*tree.legal_actions(child)))
                if legal != list(rows[child.label]):
                    raise InputError(_ambiguous(tree, child, "legal actions"))
                for following in legal:
                    after = consequences(child, tree.children(child, following))
                    if not _agree(rows[child.label][following], after):
                        raise InputError(_ambiguous(tree, child, f"actions {list(following)}"))


def _check_playouts(tree: Tree, rows: dict[str, _Row], horizon: int) -> None:
    """Raise InputError unless random playouts meet the consequences that the rows hold."""
    generator = np.random.default_rng(0)

    def draw(outcomes: list[tuple[float, Node]]) -> Node:
        chances = np.array([chance for chance, _ in outcomes])
        return outcomes[generator.choice(len(outcomes), p=chances / chances.sum())][1]

    for _ in range(_PLAYOUTS):
        node = draw(tree.roots())
        for _ in range(horizon):
            if node.label == TERMINAL:
                break
            actions = tuple(int(generator.choice(legal)) for legal in tree.legal_actions(node))
            children = tree.children(node, actions)
            expected = rows[node.label].get(actions)
            if expected is None or not _agree(expected, consequences(node, children)):
                raise InputError(_ambiguous(tree, node, f"actions {list(actions)}"))
            node = draw(children)


def _agree(expected: Consequences, got: Consequences) -> bool:
    if expected.successors.keys() != got.successors.keys():
        return False
    chances = [abs(chance - got.successors[label]) for label, chance in expected.successors.items()]
    rewards: list[float] = np.abs(expected.reward - got.reward).tolist()
    return max(*chances, *rewards) <= _TOLERANCE


def _ambiguous(tree: Tree, node: Node, what: str) -> str:
    return (
        f"{tree.place}: in state {node.label!r} {what} depend on the way to that state, so its "
        "text does not say all that matters; if the game has a time limit, raise it well above "
        "the horizon, otherwise take another game"
    )


def _tables(
    labels: list[str],
    num_actions: tuple[int, ...],
    legal: list[list[list[int]]],
    rows: dict[str, _Row],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rewards in OpenSpiel's units, successors and probabilities, each with one layer."""
    index = {label: state for state, label in enumerate(labels)}
    longest = max(len(after.successors) for row in rows.values() for after in row.values())
    check_table_size(1, num_actions, len(labels), longest)
    joint_actions = list(itertools.product(*(range(count) for count in num_actions)))
    shape = (1, len(labels), len(joint_actions), longest)
    reward = np.zeros((1, len(num_actions), *shape[1:3]))
    next_state, probability = np.zeros(shape, dtype=int), np.zeros(shape)
    next_state[0, -1, :, 0], probability[0, -1, :, 0] = len(labels) - 1, 1.0  # if absorbing
    for state, row in enumerate(rows.values()):
        for joint, chosen in enumerate(joint_actions):
            after = row[
                tuple(
                    choices[action % len(choices)]
                    for action, choices in zip(chosen, legal[state], strict=True)
                )
            ]
            reward[0, :, state, joint] = after.reward
            for place, (label, chance) in enumerate(after.successors.items()):
                next_state[0, state, joint, place] = index[label]
                probability[0, state, joint, place] = chance
    return reward, next_state, probability
