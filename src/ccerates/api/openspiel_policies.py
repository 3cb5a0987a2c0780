"""Policies of games imported from OpenSpiel, as OpenSpiel's own code takes them."""

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ccerates.api.inputs import check_game
from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.evaluation.markov import check_policy
from ccerates.games.model import MarkovGame
from ccerates.games.openspiel_tree import NO_ACTION, TERMINAL, Node, Tree, settled

MAX_NODES = 100_000
"""Decision nodes that are visited: histories, of which a state may have many."""
_TOLERANCE = 1e-9  # of a product of marginals from the joint policy
_ROUNDING = 1e-13  # of sums of probabilities

_Row = list[tuple[int, float]]  # of OpenSpiel's policies: legal actions with probabilities


class _Place(NamedTuple):
    """A decision node: where it is in the table, and where in OpenSpiel's policies.

    Attributes
    ----------
    step, state
        In the table.
    legal_actions
        Of each player, `NO_ACTION` alone for those who do not move.
    keys
        Information state of each player; None for those who do not move.
    """

    step: int
    state: int
    legal_actions: list[list[int]]
    keys: list[str | None]


def openspiel_policy(game: MarkovGame, policy: np.ndarray) -> Any:
    """Return OpenSpiel's form of a Markov policy in which players draw independently.

    Parameters
    ----------
    game
        A game from `import_openspiel`, with a horizon within which every play ends.
    policy
        (horizon, states, joint_actions), in every reachable row the product of its marginals.

    Returns
    -------
    open_spiel.python.policy.TabularPolicy
        Of OpenSpiel's game or, if players move simultaneously, of its
        ``pyspiel.convert_to_turn_based``. ``exploitability.nash_conv`` of it, with
        ``return_only_nash_conv=False``, gives the same gaps of the players in units of the game's
        own reward.

    Raises
    ------
    InputError
        If the game is from elsewhere, too large or not over within its horizon, or the policy is
        correlated.
    """
    from open_spiel.python.policy import (  # type: ignore[import-untyped]  # noqa: PLC0415
        TabularPolicy,
    )

    checked, tree = check_policy(game, policy), _tree(game)
    places = list(_places(game, tree))
    table = TabularPolicy(tree.turn_based())
    for place in places:
        joint = _legal_policy(game, checked, place)
        players = range(joint.ndim)
        marginals = [joint.sum(axis=tuple(p for p in players if p != own)) for own in players]
        product = np.array(1.0)
        for marginal in marginals:
            product = np.multiply.outer(product, marginal)
        if np.abs(product - joint).max() > _TOLERANCE:
            raise InputError(
                f"policy: at step {place.step}, state {place.state} players do not draw "
                "independently, and no policy of each player says so; take openspiel_device"
            )
        for key, actions, marginal in zip(place.keys, place.legal_actions, marginals, strict=True):
            if key is not None:
                row = table.action_probability_array[table.state_lookup[key]]
                row[:] = 0.0
                row[actions] = marginal
    return table


def openspiel_device(
    game: MarkovGame, policy: np.ndarray, *, max_policies: int = 10_000
) -> list[tuple[float, Any]]:
    """Return OpenSpiel's form of any Markov policy: a lottery over joint pure policies.

    A play visits one state at each step. So one draw for each step, by which all states of that
    step choose their joint actions at once, independent of the draws for other steps, plays like
    independent draws at every step and state. That takes no more than one joint pure policy for
    each combination, over the steps, of the intervals on which all choices of a step stay the same.

    Parameters
    ----------
    game
        A game from `import_openspiel`, with a horizon within which every play ends.
    policy
        (horizon, states, joint_actions).
    max_policies
        Most joint pure policies.

    Returns
    -------
    list of (float, pyspiel.TabularPolicy)
        Probabilities and joint pure policies of OpenSpiel's game or, if players move
        simultaneously, of its ``pyspiel.convert_to_turn_based``. ``pyspiel.cce_dist(game, device)``
        is the sum over the players of their gaps, those below 0 taken for 0, in units of the
        game's own reward.

    Raises
    ------
    InputError
        If the game is from elsewhere, too large or not over within its horizon, or there would be
        too many pure policies.
    """
    import pyspiel  # noqa: PLC0415  (an optional dependency)

    check_integer("max_policies", max_policies, 1)
    checked, tree = check_policy(game, policy), _tree(game)
    steps: list[dict[int, list[_Place]]] = [{} for _ in range(game.horizon)]
    for place in _places(game, tree):
        steps[place.step].setdefault(place.state, []).append(place)
    lotteries = [_lottery(game, checked, states) for states in steps if states]
    needed = math.prod(len(lottery) for lottery in lotteries)
    if needed > max_policies:
        raise InputError(
            f"policy: as a lottery over joint pure policies it takes {needed:,} of them, more than "
            f"max_policies = {max_policies:,}; raise it, take a smaller game, or, for players who "
            "draw independently, openspiel_policy"
        )
    device = []
    for drawn in itertools.product(*lotteries):
        chances, choices = zip(*drawn, strict=True)
        rows = {key: row for choice in choices for key, row in choice.items()}
        device.append((math.prod(chances), pyspiel.TabularPolicy(rows)))
    return device


def _tree(game: MarkovGame) -> Tree:
    check_game(game)
    game_string = game.metadata.get("game_string")
    if not isinstance(game_string, str) or not isinstance(game.metadata.get("states"), list):
        raise InputError(
            f"game: {game.name!r} was not imported from OpenSpiel; take one from import_openspiel"
        )
    return Tree(game_string)


def _places(game: MarkovGame, tree: Tree) -> Iterator[_Place]:
    """Yield every decision node of the game's tree."""
    if not tree.has_information_states:
        raise InputError(
            f"{tree.place}: OpenSpiel gives no information states of this game, of which its "
            "policies are made; evaluate the policy with `ccerates gap`"
        )
    index = {label: state for state, label in enumerate(game.metadata["states"])}
    found: dict[str, tuple[int, int]] = {}
    roots = settled(tree.turn_based().new_initial_state(), 1.0)
    waiting = [(0, node, turn) for (_, node), (_, turn) in zip(tree.roots(), roots, strict=True)]
    visited = 0
    while waiting:
        step, node, turn = waiting.pop()
        if node.label == TERMINAL:
            continue
        if step == game.horizon or node.label not in index:
            raise InputError(
                f"{tree.place}: play goes on after {game.horizon} steps, where the policy ends; "
                "import the game without a horizon, or one whose plays end within it"
            )
        visited += 1
        if visited > MAX_NODES:
            raise InputError(
                f"{tree.place}: has more than {MAX_NODES:,} histories, which OpenSpiel's policies "
                "are looked up by; take a smaller game, or evaluate it with `ccerates gap`"
            )
        place = _Place(step, index[node.label], tree.legal_actions(node), _keys(tree, node, turn))
        for key in place.keys:
            if key is not None and found.setdefault(key, place[:2]) != place[:2]:
                raise InputError(
                    f"{tree.place}: OpenSpiel's information state {key!r} does not tell the state "
                    f"{node.label!r} at step {step} from others; evaluate with `ccerates gap`"
                )
        yield place
        for actions in itertools.product(*place.legal_actions):
            moved = turn.clone()
            for action in actions:
                if action != NO_ACTION:
                    moved.apply_action(action)
            children = zip(tree.children(node, actions), settled(moved, 1.0), strict=True)
            waiting += [(step + 1, child, behind) for (_, child), (_, behind) in children]


def _keys(tree: Tree, node: Node, turn: Any) -> list[str | None]:
    """Return the information state of each player who moves; `turn` is the same, turn by turn."""
    keys: list[str | None] = []
    moved = turn.clone()
    for player, actions in enumerate(tree.legal_actions(node)):
        if actions == [NO_ACTION]:
            keys.append(None)
            continue
        keys.append(moved.information_state_string(player))
        if node.state.is_simultaneous_node():
            moved.apply_action(actions[0])
    return keys


def _legal_policy(game: MarkovGame, policy: np.ndarray, place: _Place) -> np.ndarray:
    """Return the distribution over legal joint actions, with an axis for each player.

    Action a of the table stands for legal action number a mod n.
    """
    counts = tuple(len(actions) for actions in place.legal_actions)
    joint_actions = np.indices(game.num_actions).reshape(len(counts), -1)
    legal = np.ravel_multi_index(joint_actions, counts, mode="wrap")
    total = np.bincount(legal, policy[place.step, place.state], math.prod(counts))
    return total.reshape(counts)


def _lottery(
    game: MarkovGame, policy: np.ndarray, states: dict[int, list[_Place]]
) -> list[tuple[float, dict[str, _Row]]]:
    """Return the intervals of one draw for all states of a step: length, policy row by key."""
    cumulated = {
        state: np.cumsum(_legal_policy(game, policy, places[0])) for state, places in states.items()
    }
    ends = np.unique(np.concatenate([total / total[-1] for total in cumulated.values()]))
    ends = ends[np.diff(ends, prepend=0.0) > _ROUNDING]
    ends[-1] = 1.0
    lengths = np.diff(ends, prepend=0.0)
    lottery = []
    for middle, length in zip(ends - lengths / 2, lengths, strict=True):
        choice: dict[str, _Row] = {}
        for state, places in states.items():
            total = cumulated[state]
            joint = int(np.searchsorted(total, middle * total[-1], side="right"))
            counts = [len(actions) for actions in places[0].legal_actions]
            own = np.unravel_index(joint, counts)
            for place in places:
                for key, actions, number in zip(place.keys, place.legal_actions, own, strict=True):
                    if key is not None:
                        chosen = actions[int(number)]
                        choice[key] = [(action, float(action == chosen)) for action in actions]
        lottery.append((float(length), choice))
    return lottery
