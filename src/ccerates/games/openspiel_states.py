"""The states of an OpenSpiel game, found breadth first, within limits that are kept on the way."""

import itertools
import math
from collections import deque
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from ccerates.errors import InputError
from ccerates.games.model import MAX_TABLE_BYTES
from ccerates.games.openspiel_tree import TERMINAL, Consequences, Node, Tree, consequences

OUTCOMES_PER_STATE = 50
"""Times the largest number of states: outcomes of joint actions that are tried at most."""


class Row(NamedTuple):
    """What can be done in a state and what follows.

    Attributes
    ----------
    legal_actions
        Of each player, see `Tree.legal_actions`.
    after
        What follows each of their combinations, in row-major order.
    """

    legal_actions: list[list[int]]
    after: list[Consequences]


class TooLargeError(InputError):
    """The game has too many states, joint actions or outcomes for a table."""


class States(NamedTuple):
    """Decision nodes of a game, one for each label.

    Attributes
    ----------
    nodes
        The first node met of each label, breadth first.
    rows
        What can be done in each, by label.
    num_actions
        Most legal actions of each player.
    num_successors
        Longest list of successors.
    """

    nodes: list[Node]
    rows: dict[str, Row]
    num_actions: tuple[int, ...]
    num_successors: int

    def known(self, successors: dict[str, float]) -> dict[str, float]:
        """Return a distribution over labels in which what is no state has become `TERMINAL`."""
        merged: dict[str, float] = {}
        for label, chance in successors.items():
            place = label if label in self.rows else TERMINAL
            merged[place] = merged.get(place, 0.0) + chance
        return merged


def all_states(tree: Tree, horizon: int | None, max_states: int) -> States:
    """Return all states or, if that is too much, those in which players act within a horizon.

    Parameters and exceptions are those of `find_states`.
    """
    try:
        return find_states(tree, None, max_states)
    except TooLargeError:
        if horizon is None:
            raise
    return find_states(tree, horizon, max_states)


def find_states(tree: Tree, horizon: int | None, max_states: int) -> States:
    """Return the states in which players act within a horizon.

    Parameters
    ----------
    tree
        The game.
    horizon
        Number of steps H: what is first reached after H steps is no state. None: no limit.
    max_states
        Most states, the absorbing one not among them.

    Raises
    ------
    TooLargeError
        If a limit on states, table size or outcomes is passed; the message says how far work got.
    """
    size = _Size(tree, horizon, max_states)
    nodes: list[Node] = []
    queue: deque[tuple[int, Node]] = deque()
    rows: dict[str, Row] = {}
    labels = {TERMINAL}

    def visit(steps: int, node: Node) -> None:
        if node.label in labels or steps == horizon:
            return
        labels.add(node.label)
        nodes.append(node)
        queue.append((steps, node))
        size.add_state(tree.legal_actions(node))

    for _, root in tree.roots():
        visit(0, root)
    while queue:
        steps, node = queue.popleft()
        legal = tree.legal_actions(node)
        size.begin_row(legal)
        after = []
        for actions in itertools.product(*legal):
            children = tree.children(node, actions)
            for _, child in children:
                visit(steps + 1, child)
            after.append(consequences(node, children))
            size.add_outcomes(len(children), len(after[-1].successors))
        rows[node.label] = Row(legal, after)
    found = States(nodes, rows, tuple(size.num_actions), size.num_successors)
    if horizon is not None:
        for row in rows.values():
            for place, each in enumerate(row.after):
                row.after[place] = each._replace(successors=found.known(each.successors))
    return found


def longest_play(tree: Tree, states: States) -> int:
    """Return the number of steps after which every play has ended.

    Raises
    ------
    InputError
        If play may return to a state.
    """
    graph = {
        label: {following for each in row.after for following in each.successors}
        for label, row in states.rows.items()
    }
    steps = {TERMINAL: 0}
    try:
        for label in TopologicalSorter(graph).static_order():
            if label != TERMINAL:
                steps[label] = 1 + max(steps[following] for following in graph[label])
    except CycleError:
        raise InputError(
            f"{tree.place}: play may return to a state and never end; give a horizon"
        ) from None
    return max(steps.values())


class _Size:
    """What is known of the size of a game while its states are found; complains early."""

    def __init__(self, tree: Tree, horizon: int | None, max_states: int) -> None:
        self._tree, self._horizon, self._max_states = tree, horizon, max_states
        self._states = self._rows = self._outcomes = 0
        self._max_outcomes = OUTCOMES_PER_STATE * max_states
        self.num_actions = [1] * tree.num_players
        self.num_successors = 1

    def add_state(self, legal_actions: list[list[int]]) -> None:
        """Take note of a state."""
        self._states += 1
        if self._states > self._max_states:
            self._refuse(f"max_states is {self._max_states}", "raise max_states, ")
        counts = map(len, legal_actions)
        self.num_actions = [max(pair) for pair in zip(self.num_actions, counts, strict=True)]
        self._check_bytes()

    def begin_row(self, legal_actions: list[list[int]]) -> None:
        """Take note that as many joint actions as there are will be tried."""
        self._rows += 1
        needed = self._outcomes + math.prod(map(len, legal_actions))
        if needed > self._max_outcomes:
            self._refuse_work(needed)

    def add_outcomes(self, outcomes: int, successors: int) -> None:
        """Take note of what may follow a joint action."""
        self._outcomes += outcomes
        if self._outcomes > self._max_outcomes:
            self._refuse_work(self._outcomes)
        if successors > self.num_successors:
            self.num_successors = successors
            self._check_bytes()

    def _bytes(self) -> int:
        entry = 8 * len(self.num_actions) + 12 * self.num_successors
        return (self._states + 1) * math.prod(self.num_actions) * entry

    def _check_bytes(self) -> None:
        if self._bytes() > MAX_TABLE_BYTES:
            self._refuse(f"a table may take {MAX_TABLE_BYTES / 2**30:g} GiB", "")

    def _refuse_work(self, outcomes: int) -> None:
        most = f"{self._max_outcomes:,} outcomes of joint actions"
        limit = f"max_states = {self._max_states} allows {most} to be tried, not {outcomes:,}"
        self._refuse(limit, "raise max_states, ")

    def _refuse(self, limit: str, first: str) -> None:
        actions = " x ".join(map(str, self.num_actions))
        advice = f"{first}take a smaller game"
        if self._tree.parameters:
            advice += f" ({', '.join(self._tree.parameters)})"
        if self._horizon is not None:
            advice += " or fewer steps"
        elif self._rows > 1:
            advice += ", or give a horizon: states that are out of reach within it are left out"
        raise TooLargeError(
            f"{self._tree.place}: too large for a table: reached {self._states:,} states and "
            f"counting, looked at {self._rows:,} of them; {actions} = "
            f"{math.prod(self.num_actions):,} joint actions; at least "
            f"{self._bytes() / 2**20:,.1f} MiB; but {limit}; {advice}"
        )
