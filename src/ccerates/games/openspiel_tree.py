"""An OpenSpiel game seen from decision node to decision node, chance nodes folded away."""

import difflib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ccerates.errors import InputError

TERMINAL = "terminal"


class Node(NamedTuple):
    """A decision or terminal node.

    Attributes
    ----------
    state
        OpenSpiel's state.
    memory
        What matters but is missing in the text of the state; see `_MEMORIES`.
    label
        Identifies the node: text and memory of a decision node, `TERMINAL` for all others.
    """

    state: Any
    memory: frozenset[int]
    label: str


class Consequences(NamedTuple):
    """What follows a joint action: mean rewards and the distribution of the next label.

    Attributes
    ----------
    reward
        (players,) float64 in OpenSpiel's units.
    successors
        Probability of each label.
    """

    reward: np.ndarray
    successors: dict[str, float]


def load_openspiel(game_string: str) -> Any:
    """Return the OpenSpiel game, or say why its kind cannot be a Markov game."""
    try:
        import pyspiel  # noqa: PLC0415  (an optional dependency)
    except ImportError as error:
        raise InputError(
            f"game_string {game_string!r}: OpenSpiel is not installed; install open_spiel"
        ) from error
    place = f"game_string {game_string!r}"
    name, known = game_string.split("(", maxsplit=1)[0], pyspiel.registered_names()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "see pyspiel.registered_names()"
        raise InputError(f"{place}: OpenSpiel has no game {name!r}; {hint}")
    try:
        game = pyspiel.load_game(game_string)
    except pyspiel.SpielError as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{place}: OpenSpiel rejects the parameters: {reason}") from error
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SIMULTANEOUS:
        raise InputError(f"{place}: players move in turn; take a simultaneous-move game")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise InputError(f"{place}: chance is only sampled; take a game with explicit chance")
    if kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
        raise InputError(
            f"{place}: hides information, which a Markov game would show to all players; "
            "take a game of perfect information"
        )
    return game


def _reached_destinations(game: Any) -> Callable[[frozenset[int], Any], frozenset[int]]:
    """Return the memory of pathfinding: who has been at its destination, which pays only once."""
    destinations = {
        ord(cell) - ord("A"): (row, column)
        for row, line in enumerate(game.get_parameters()["grid"].splitlines())
        for column, cell in enumerate(line)
        if cell.isupper()
    }

    def remember(before: frozenset[int], state: Any) -> frozenset[int]:
        lines = str(state).splitlines()
        there = {
            player
            for player, (row, column) in destinations.items()
            if lines[row][column] == str(player)
        }
        return before | there

    return remember


# Games whose text forgets something that still matters, and how to remember it.
_MEMORIES = {"pathfinding": _reached_destinations}


class Tree:
    """The tree of an OpenSpiel game.

    Parameters
    ----------
    game_string
        What `pyspiel.load_game` takes.
    """

    def __init__(self, game_string: str) -> None:
        self.place = f"game_string {game_string!r}"
        self._game = load_openspiel(game_string)
        self.name = str(self._game.get_type().short_name)
        make_memory = _MEMORIES.get(self.name)
        self._remember = make_memory(self._game) if make_memory else lambda before, _: before

    def roots(self) -> list[tuple[float, Node]]:
        """Return the first decision nodes with their probabilities."""
        outcomes = _after_chance(self._game.new_initial_state())
        return [(chance, self._node(state, frozenset())) for chance, state in outcomes]

    def children(self, node: Node, actions: tuple[int, ...]) -> list[tuple[float, Node]]:
        """Return the next decision or terminal nodes with their probabilities."""
        child = node.state.clone()
        child.apply_actions(list(actions))
        return [(chance, self._node(state, node.memory)) for chance, state in _after_chance(child)]

    def legal_actions(self, node: Node) -> list[list[int]]:
        """Return each player's legal actions."""
        players = range(self._game.num_players())
        legal = [list(node.state.legal_actions(player)) for player in players]
        if not all(legal):
            raise InputError(
                f"{self.place}: a player has no legal action in state {node.label!r}; "
                "take a game in which everybody always moves"
            )
        return legal

    def _node(self, state: Any, memory: frozenset[int]) -> Node:
        if state.is_terminal():
            return Node(state, memory, TERMINAL)
        memory = self._remember(memory, state)
        suffix = f"reached: {sorted(memory)}" if memory else ""
        return Node(state, memory, f"{state}{suffix}")


def label_distribution(outcomes: Iterable[tuple[float, Node]]) -> dict[str, float]:
    """Return the probability of each label; nodes with the same label are added up."""
    total: dict[str, float] = {}
    for chance, node in outcomes:
        total[node.label] = total.get(node.label, 0.0) + chance
    return total


def consequences(node: Node, children: list[tuple[float, Node]]) -> Consequences:
    """Return what a joint action in `node` that leads to `children` pays and where it leads."""
    # Differences of returns: what rewards() of a node behind chance covers depends on the game.
    before = np.array(node.state.returns())
    paid = [chance * (np.array(child.state.returns()) - before) for chance, child in children]
    # Differences of running totals carry rounding errors of about 1e-14.
    return Consequences(np.round(np.sum(paid, axis=0), 10), label_distribution(children))


def _after_chance(state: Any, probability: float = 1.0) -> Iterator[tuple[float, Any]]:
    """Yield the nodes behind all chance nodes, with their probabilities."""
    if not state.is_chance_node():
        yield probability, state
        return
    for outcome, chance in state.chance_outcomes():
        yield from _after_chance(state.child(outcome), probability * chance)
