"""What the evaluator of certified policies reads, keeps and works in."""

import math
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ccerates.evaluation.markov import best_response_value, policy_value, uniform_policy
from ccerates.games.model import MarkovGame

MOST_SUCCESSORS = 4
"""With more states that follow somewhere, `GameTables.effect` is not made."""


class GameTables(NamedTuple):
    """The model of a game as the kernel reads it.

    Attributes
    ----------
    own_action
        (joint_actions, players) int64: each player's part of a joint action.
    layer
        (horizon,) int32.
    reward
        (layers, states, joint_actions, 2 * players): the rewards, twice.
    next_state, probability
        (layers, states, joint_actions, successors), as in `MarkovGame`.
    matters
        (layers, states) bool: whether rewards or probabilities depend on the joint action.
    successor
        (layers, states, places) int32: the states that some joint action leads to, if there are no
        more than 4 at any layer and state, else no places.
    effect
        (layers, states, joint_actions, width): rewards of the players, then the probabilities of
        those states, then zeros; nothing without `successor`.
    """

    own_action: np.ndarray
    layer: np.ndarray
    reward: np.ndarray
    next_state: np.ndarray
    probability: np.ndarray
    matters: np.ndarray
    successor: np.ndarray
    effect: np.ndarray


class Work(NamedTuple):
    """Space for what lives within one visit.

    Attributes
    ----------
    chosen, fresh
        (players, max_actions): the players' policies, and what a stage contributes to U.
    worth, weight
        (joint_actions, 2 * players).
    product
        (joint_actions,): product of some of the players' policies.
    mean
        (joint_actions, width): rows averaged over the first players' actions.
    response
        (players, max_actions, width): rows averaged over the others' actions.
    """

    chosen: np.ndarray
    fresh: np.ndarray
    worth: np.ndarray
    weight: np.ndarray
    product: np.ndarray
    mean: np.ndarray
    response: np.ndarray


class Memory(NamedTuple):
    """What the evaluator keeps between visits; changed in place.

    Attributes
    ----------
    table
        (horizon + 1, states, 2 * players): W and max U; zeros after the last step.
    visits
        (horizon, states) int64; with stage averaging those of the current stage.
    response
        (horizon, states, players, max_actions): U; with stage averaging the sum of the current
        stage as far as it has been evaluated.
    value_sum
        (horizon, states, 2 * players): likewise of W, in the first half.
    length
        (horizon, states) int64: length of the current stage.
    product
        (horizon, states, joint_actions): sum of the product policies that were used since the
        stage was last evaluated.
    waiting
        (horizon, states) int64: the states of a step that were visited since then, in any order.
    num_waiting
        (horizon,) int64: how many they are.
    waiting_place
        (horizon, states) int64: place of a state among them; -1 if it is not.
    start_sum
        (states, 2 * players): sum of the first step's table over the episodes before `start_since`.
    start_since
        (states,) int64.
    episodes
        (1,) int64.
    """

    table: np.ndarray
    visits: np.ndarray
    response: np.ndarray
    value_sum: np.ndarray
    length: np.ndarray
    product: np.ndarray
    waiting: np.ndarray
    num_waiting: np.ndarray
    waiting_place: np.ndarray
    start_sum: np.ndarray
    start_since: np.ndarray
    episodes: np.ndarray


class AuditMemory(NamedTuple):
    """What an audit keeps; changed in place.

    Attributes
    ----------
    width
        (horizon + 1, states, players): D, what upper minus lower value must be.
    width_sum
        (horizon, states, players): sum of the next step's D over the visits of the stage.
    upper_sides, lower_sides
        (horizon, players, 2): max U and upper value, lower value and W, where the second exceeds
        the first by least; 0 and inf before the first commit.
    chain_error
        (horizon, players): largest distance of D from upper minus lower value.
    commits
        (horizon,) int64: number of stages completed.
    """

    width: np.ndarray
    width_sum: np.ndarray
    upper_sides: np.ndarray
    lower_sides: np.ndarray
    chain_error: np.ndarray
    commits: np.ndarray


class PreparedGame(NamedTuple):
    """What all evaluators of one game share; read-only.

    Attributes
    ----------
    tables
        The model.
    uniform
        (horizon + 1, states, 2 * players): values of uniform play and of best responses to it;
        zeros after the last step.
    """

    tables: GameTables
    uniform: np.ndarray


_PREPARED: WeakKeyDictionary[MarkovGame, PreparedGame] = WeakKeyDictionary()


def prepare(game: MarkovGame) -> PreparedGame:
    """Return what evaluators of a game share; made once, as long as the game exists."""
    prepared = _PREPARED.get(game)
    if prepared is None:
        tables = GameTables(*(_read_only(values) for values in _game_tables(game)))
        prepared = PreparedGame(tables, _read_only(_uniform_values(game)))
        _PREPARED[game] = prepared
    return prepared


def _read_only(values: np.ndarray) -> np.ndarray:
    """Return a view that cannot be written to."""
    view = values.view()
    view.flags.writeable = False
    return view


def row_width(num_players: int, distinct: int) -> int:
    """Return the length of a row: one of `GameTables.effect`, or without it one of `Work.worth`.

    Even, since vectors of odd length are slow.
    """
    return (
        2 * num_players if distinct == 0 else num_players + distinct + (num_players + distinct) % 2
    )


def _game_tables(game: MarkovGame) -> GameTables:
    reward = np.moveaxis(game.reward, 1, -1)
    successor, chance = _few_successors(game)
    effect = np.zeros((*chance.shape[:3], row_width(game.num_players, chance.shape[3])))
    if chance.shape[3] > 0:
        effect[..., : game.num_players] = reward
        effect[..., game.num_players : game.num_players + chance.shape[3]] = chance
    same = [values == values[:, :, :1] for values in (reward, game.next_state, game.probability)]
    return GameTables(
        own_action=np.stack(
            np.unravel_index(np.arange(game.num_joint_actions), game.num_actions), axis=1
        ).astype(np.int64),
        layer=game.layer,
        reward=np.ascontiguousarray(np.concatenate([reward, reward], axis=-1)),
        next_state=game.next_state,
        probability=game.probability,
        matters=~np.logical_and.reduce([each.all(axis=(2, 3)) for each in same]),
        successor=successor,
        effect=effect,
    )


def _few_successors(game: MarkovGame) -> tuple[np.ndarray, np.ndarray]:
    """Return the states that follow each layer and state, and their probabilities.

    Returns
    -------
    successor : numpy.ndarray
        (layers, states, places) int32; no places if more than `MOST_SUCCESSORS` follow somewhere.
    chance : numpy.ndarray
        (layers, states, joint_actions, places); zeros at places that are not needed.
    """
    lists = zip(game.next_state, game.probability, strict=True)
    followers = [
        [np.unique(states[chances > 0.0]) for states, chances in zip(*layer, strict=True)]
        for layer in lists
    ]
    places = max(len(each) for layer in followers for each in layer)
    shape = game.next_state.shape[:2]
    if places > MOST_SUCCESSORS:
        places = 0
    successor = np.zeros((*shape, places), dtype=np.int32)
    chance = np.zeros((*game.next_state.shape[:3], places))
    for (layer, state), _ in np.ndenumerate(successor[..., 0] if places else np.zeros((0, 0))):
        for place, follower in enumerate(followers[layer][state]):
            successor[layer, state, place] = follower
            leads = game.next_state[layer, state] == follower
            chance[layer, state, :, place] = (game.probability[layer, state] * leads).sum(axis=-1)
    return successor, chance


def _uniform_values(game: MarkovGame) -> np.ndarray:
    players, uniform = game.num_players, uniform_policy(game)
    values = np.zeros((game.horizon + 1, game.num_states, 2 * players))
    values[:-1, :, :players] = policy_value(game, uniform)
    values[:-1, :, players:] = best_response_value(game, uniform)
    return values


def work_space(game: MarkovGame) -> Work:
    """Return space for one visit."""
    own = (game.num_players, max(game.num_actions))
    joint = (game.num_joint_actions, 2 * game.num_players)
    width = row_width(game.num_players, prepare(game).tables.successor.shape[-1])
    return Work(
        chosen=np.empty(own),
        fresh=np.empty(own),
        worth=np.empty(joint),
        weight=np.empty(joint),
        product=np.empty(joint[0]),
        mean=np.empty((joint[0], width)),
        response=np.empty((*own, width)),
    )


def initial_memory(game: MarkovGame, averaging: str) -> Memory:
    """Return the tables of uniform play, before any visit."""
    horizon, states, players = game.horizon, game.num_states, game.num_players
    steps = (horizon, states)
    staged = steps if averaging == "stage" else (0, 0)
    return Memory(
        table=prepare(game).uniform.copy(),
        visits=np.zeros(steps, dtype=np.int64),
        response=np.zeros((*steps, players, max(game.num_actions))),
        value_sum=np.zeros((*staged, 2 * players)),
        length=np.full(staged, horizon, dtype=np.int64),
        product=np.zeros((*staged, game.num_joint_actions)),
        waiting=np.zeros(staged, dtype=np.int64),
        num_waiting=np.zeros(staged[0], dtype=np.int64),
        waiting_place=np.full(staged, -1, dtype=np.int64),
        start_sum=np.zeros((states, 2 * players)),
        start_since=np.zeros(states, dtype=np.int64),
        episodes=np.zeros(1, dtype=np.int64),
    )


def audit_memory(game: MarkovGame, audits: bool) -> AuditMemory:
    """Return what an audit knows before any visit; nothing of it without an audit."""
    horizon = game.horizon if audits else 0
    players = game.num_players
    left = np.arange(horizon, -1.0, -1.0)[:, None, None]  # B_h: the values span all at first
    sides = np.zeros((horizon, players, 2))
    sides[..., 1] = math.inf
    return AuditMemory(
        width=left * np.ones((game.num_states, players)),
        width_sum=np.zeros((horizon, game.num_states, players)),
        upper_sides=sides,
        lower_sides=sides.copy(),
        chain_error=np.zeros((horizon, players)),
        commits=np.zeros(horizon, dtype=np.int64),
    )
