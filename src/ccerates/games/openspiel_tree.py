"""An OpenSpiel game seen from decision node to decision node, chance nodes folded away."""

import difflib
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ccerates.errors import InputError

TERMINAL = "terminal"
NO_ACTION = -1
"""What stands for the action of a player who does not move, as in OpenSpiel."""
MAX_CHANCE = 100_000
"""Outcomes of the chance nodes that follow one joint action."""


class Node(NamedTuple):
    """A decision or terminal node.

    Attributes
    ----------
    state
        OpenSpiel's state.
    memory
        What matters but is missing in the text of the state; see `_MEMORIES`.
    label
        Identifies the node: text and memory of a decision node, after the player who moves if it
        is one alone; `TERMINAL` for all others.
    """

    state: Any
    memory: frozenset[int]
    label: str


class Consequences(NamedTuple):
    """What follows a joint action: mean rewards and the distribution of the next label.

    Attributes
    ----------
    reward
        Of each player, in OpenSpiel's units; with rounding errors of about 1e-14, being made from
        differences of running totals.
    successors
        Probability of each label.
    """

    reward: tuple[float, ...]
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
    except (pyspiel.SpielError, IndexError, RuntimeError, ValueError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(f"{place}: OpenSpiel rejects the parameters: {reason}") from error
    kind = game.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise InputError(
            f"{place}: is a mean-field game, whose players are a crowd; take a game with a few "
            "players"
        )
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
        self.num_players = int(self._game.num_players())
        self.parameters = [
            name
            for name, value in sorted(self._game.get_parameters().items())
            if isinstance(value, int | str) and not isinstance(value, bool)
        ]
        make_memory = _MEMORIES.get(self.name)
        self._remember = make_memory(self._game) if make_memory else lambda before, _: before

    @property
    def has_information_states(self) -> bool:
        """Whether OpenSpiel names the information states of the game."""
        return bool(self._game.get_type().provides_information_state_string)

    def turn_based(self) -> Any:
        """Return OpenSpiel's game in which players move in turn, unseen if it is simultaneous."""
        import pyspiel  # noqa: PLC0415  (an optional dependency)

        if self._game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            return pyspiel.convert_to_turn_based(self._game)
        return self._game

    def roots(self) -> list[tuple[float, Node]]:
        """Return the first decision nodes with their probabilities."""
        outcomes = self._after_chance(self._game.new_initial_state())
        return [(chance, self._node(state, frozenset())) for chance, state in outcomes]

    def children(self, node: Node, actions: tuple[int, ...]) -> list[tuple[float, Node]]:
        """Return the next decision or terminal nodes with their probabilities."""
        child = node.state.clone()
        if child.is_simultaneous_node():
            child.apply_actions(list(actions))
        else:
            child.apply_action(actions[child.current_player()])
        outcomes = self._after_chance(child)
        return [(chance, self._node(state, node.memory)) for chance, state in outcomes]

    def legal_actions(self, node: Node) -> list[list[int]]:
        """Return each player's legal actions; `NO_ACTION` alone for those who do not move."""
        players = range(self.num_players)
        return [list(node.state.legal_actions(player)) or [NO_ACTION] for player in players]

    def _node(self, state: Any, memory: frozenset[int]) -> Node:
        if state.is_terminal():
            return Node(state, memory, TERMINAL)
        memory = self._remember(memory, state)
        mover = "" if state.is_simultaneous_node() else f"player {state.current_player()} moves\n"
        suffix = f"reached: {sorted(memory)}" if memory else ""
        # The same text is the same object: a table of a million outcomes holds few texts.
        return Node(state, memory, sys.intern(f"{mover}{state}{suffix}"))

    def _after_chance(self, state: Any) -> list[tuple[float, Any]]:
        """Return the nodes behind all chance nodes, with their probabilities."""
        outcomes = list(itertools.islice(settled(state, 1.0), MAX_CHANCE + 1))
        if len(outcomes) > MAX_CHANCE:
            raise InputError(
                f"{self.place}: too large for a table: more than {MAX_CHANCE:,} outcomes of chance "
                "may follow one joint action; take a game with fewer"
            )
        return outcomes


def label_distribution(outcomes: Iterable[tuple[float, Node]]) -> dict[str, float]:
    """Return the probability of each label; nodes with the same label are added up."""
    total: dict[str, float] = {}
    for chance, node in outcomes:
        total[node.label] = total.get(node.label, 0.0) + chance
    return total


def consequences(node: Node, children: list[tuple[float, Node]]) -> Consequences:
    """Return what a joint action in `node` that leads to `children` pays and where it leads."""
    # Differences of returns: what rewards() of a node behind chance covers depends on the game.
    before = node.state.returns()
    reward = [0.0] * len(before)
    for chance, child in children:
        for player, after in enumerate(child.state.returns()):
            reward[player] += chance * (after - before[player])
    return Consequences(tuple(reward), label_distribution(children))


def settled(state: Any, probability: float) -> Iterator[tuple[float, Any]]:
    """Yield the nodes behind all chance nodes, with their probabilities."""
    if not state.is_chance_node():
        yield probability, state
        return
    for outcome, chance in state.chance_outcomes():
        yield from settled(state.child(outcome), probability * chance)
