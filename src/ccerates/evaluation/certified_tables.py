"""What the evaluator of certified policies reads, keeps and works in."""

import math
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ccerates.evaluation.markov import best_response_value, policy_value, uniform_policy
from ccerates.games.model import MarkovGame


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
    """

    own_action: np.ndarray
    layer: np.ndarray
    reward: np.ndarray
    next_state: np.ndarray
    probability: np.ndarray


class Work(NamedTuple):
    """Space for what lives within one visit.

    Attributes
    ----------
    chosen, fresh
        (players, max_actions): the players' policies, and what the visit contributes to U.
    worth, weight
        (joint_actions, 2 * players).
    product
        (joint_actions,): product of some of the players' policies.
    """

    chosen: np.ndarray
    fresh: np.ndarray
    worth: np.ndarray
    weight: np.ndarray
    product: np.ndarray


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


def _game_tables(game: MarkovGame) -> GameTables:
    reward = np.moveaxis(game.reward, 1, -1)
    return GameTables(
        own_action=np.stack(
            np.unravel_index(np.arange(game.num_joint_actions), game.num_actions), axis=1
        ).astype(np.int64),
        layer=game.layer,
        reward=np.ascontiguousarray(np.concatenate([reward, reward], axis=-1)),
        next_state=game.next_state,
        probability=game.probability,
    )


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
    return Work(np.empty(own), np.empty(own), np.empty(joint), np.empty(joint), np.empty(joint[0]))


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
