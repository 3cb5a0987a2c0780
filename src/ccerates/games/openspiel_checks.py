"""Checks by sampling that the texts of an OpenSpiel game's states say all that matters."""

import itertools
from collections import Counter

import numpy as np

from ccerates.errors import InputError
from ccerates.games.openspiel_states import States
from ccerates.games.openspiel_tree import TERMINAL, Consequences, Node, Tree, consequences

_OTHER_WAYS = 4
_MOST_WAYS = 20_000  # over all states, so that large games are checked in seconds
_PLAYOUTS = 200
_TOLERANCE = 1e-9


def check_other_ways(tree: Tree, states: States) -> None:
    """Raise InputError unless up to `_OTHER_WAYS` other ways to each state meet the same row.

    The last nodes come first: the ways through them differ most from the first way to a state.
    """
    ways: Counter[str] = Counter()
    tried = 0
    for node in reversed(states.nodes):
        seen = {TERMINAL}
        for actions in itertools.product(*states.rows[node.label].legal_actions):
            for _, child in tree.children(node, actions):
                label = child.label
                if label in seen or label not in states.rows or ways[label] == _OTHER_WAYS:
                    continue
                seen.add(label)
                ways[label] += 1
                tried += _check_row(tree, states, child)
            if tried > _MOST_WAYS:
                return


def check_playouts(tree: Tree, states: States, horizon: int) -> None:
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
            row = states.rows.get(node.label)
            legal = tree.legal_actions(node)
            places = [int(generator.integers(len(own))) for own in legal]
            actions = tuple(own[place] for own, place in zip(legal, places, strict=True))
            children = tree.children(node, actions)
            if row is None or row.legal_actions != legal:
                raise InputError(_ambiguous(tree, node, "legal actions"))
            joint = int(np.ravel_multi_index(places, [len(own) for own in legal]))
            if not _agree(states, row.after[joint], consequences(node, children)):
                raise InputError(_ambiguous(tree, node, f"actions {list(actions)}"))
            node = draw(children)


def _check_row(tree: Tree, states: States, node: Node) -> int:
    """Compare what follows in `node` with its row and return the number of joint actions."""
    row, legal = states.rows[node.label], tree.legal_actions(node)
    if legal != row.legal_actions:
        raise InputError(_ambiguous(tree, node, "legal actions"))
    for actions, expected in zip(itertools.product(*legal), row.after, strict=True):
        if not _agree(states, expected, consequences(node, tree.children(node, actions))):
            raise InputError(_ambiguous(tree, node, f"actions {list(actions)}"))
    return len(row.after)


def _agree(states: States, expected: Consequences, got: Consequences) -> bool:
    successors = states.known(got.successors)
    if expected.successors.keys() != successors.keys():
        return False
    pairs = [(chance, successors[label]) for label, chance in expected.successors.items()]
    pairs += zip(expected.reward, got.reward, strict=True)
    return all(abs(one - other) <= _TOLERANCE for one, other in pairs)


def _ambiguous(tree: Tree, node: Node, what: str) -> str:
    return (
        f"{tree.place}: in state {node.label!r} {what} depend on the way to that state, so its "
        "text does not say all that matters; if the game has a time limit, raise it well above "
        "the horizon, otherwise take another game"
    )
