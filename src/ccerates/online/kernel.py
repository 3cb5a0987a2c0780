"""Compiled episodes of any online learner, one replicate in each lane.

Every replicate has one generator. An episode draws one uniform number for the first state and, at
each step, one for each player's action and one for the next state: the same order in every learner,
so that comparisons are paired.
"""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ccerates.bandits.rounds import draw_actions
from ccerates.compilation import inline_kernel, kernel
from ccerates.lanes import broadcast, gather, load, store
from ccerates.online.visits import VisitChunk
from ccerates.sampling import draw_successor
from ccerates.xoshiro import draw_uniforms


class World(NamedTuple):
    """The games of all lanes, for the sampling code only.

    Attributes
    ----------
    reward, next_state, cumulative
        As in `ccerates.sample_source.SamplingTables`; the layers of all distinct games in a row.
    layer
        (horizon, lanes) int64: where a lane's game has the layer of a step.
    first_state, first_cumulative
        (lanes, 1, 1, places) int32 and float64: successor lists that draw the first state.
    """

    reward: np.ndarray
    next_state: np.ndarray
    cumulative: np.ndarray
    layer: np.ndarray
    first_state: np.ndarray
    first_cumulative: np.ndarray


@inline_kernel
def _report(chunk, episode, step, num_actions, lanes, states, weight):
    """Enter state and policy of a visit into the chunk."""
    store(chunk.state, (episode, step), states)
    for player in range(num_actions.size):
        for action in range(num_actions[player]):
            here = load(weight, (player, action), lanes)
            store(chunk.policy, (episode, step, player, action), here)


@inline_kernel
def _report_samples(chunk, episode, step, lanes, joint_action, rewards):
    """Enter what was played at a visit into the chunk, and what it yielded if there is room."""
    store(chunk.joint_action, (episode, step), joint_action)
    if chunk.reward.shape[0] > 0:
        for player in range(rewards.shape[0]):
            store(chunk.reward, (episode, step, player), load(rewards, (player,), lanes))


@inline_kernel
def _report_values(chunk, episode, step, num_players, learner, states):
    """Enter the learner's values after a visit into the chunk."""
    for player in range(num_players):
        place = (episode, step, player)
        store(chunk.upper, place, gather(learner.upper, (step, player), states))
        store(chunk.lower, place, gather(learner.lower, (step, player), states))
        store(chunk.surplus, place, gather(learner.surplus, (step, player), states))


@cache
def build_kernel(module: ModuleType, lanes: int) -> Callable[..., None]:
    """Return the kernel that plays episodes of a learner, one replicate in each lane.

    The number of lanes changes its speed but no number.

    Parameters
    ----------
    module
        A learner; `ccerates.online.registry` says what it offers.
    lanes
        Number of lanes.

    Returns
    -------
    callable
        ``play(episodes, learner, work, parameters, num_actions, world, generator, chunk)``:
        `episodes` to play; the learner's state, working space and parameters; (players,) int64
        numbers of actions; `World`; (4, lanes) uint64 generators; `VisitChunk`, of which is filled
        what has room for episodes.
    """

    @kernel
    def play(episodes, learner, work, parameters, num_actions, world, generator, chunk):
        horizon = world.layer.shape[0]
        num_players = num_actions.size
        is_observed = chunk.state.shape[0] > 0
        needs_values = chunk.upper.shape[0] > 0
        needs_samples = chunk.joint_action.shape[0] > 0
        state = np.empty((1, lanes), np.int64)
        joint = np.empty((1, lanes), np.int64)
        uniform = np.empty((1, lanes))
        actions = np.empty((num_players, lanes), np.int64)
        rewards = np.empty((num_players, lanes))
        for episode in range(episodes):
            store(uniform, (0,), draw_uniforms(generator, lanes))
            for lane in range(lanes):
                state[0, lane] = draw_successor(
                    world.first_state, world.first_cumulative, lane, 0, 0, uniform[0, lane]
                )
            for step in range(horizon):
                states = load(state, (0,), lanes)
                module.begin_visit(learner, work, parameters, step, states, num_actions, lanes)
                joint_action = broadcast(0, lanes)
                for player in range(num_players):
                    count = num_actions[player]
                    uniforms = draw_uniforms(generator, lanes)
                    drawn = draw_actions(work.weight[player], count, lanes, uniforms)
                    store(actions, (player,), drawn)
                    joint_action = joint_action * count + drawn
                store(joint, (0,), joint_action)
                store(uniform, (0,), draw_uniforms(generator, lanes))
                if is_observed:
                    _report(chunk, episode, step, num_actions, lanes, states, work.weight)
                for lane in range(lanes):
                    layer, here, taken = world.layer[step, lane], state[0, lane], joint[0, lane]
                    for player in range(num_players):
                        rewards[player, lane] = world.reward[layer, player, here, taken]
                    state[0, lane] = draw_successor(
                        world.next_state, world.cumulative, layer, here, taken, uniform[0, lane]
                    )
                if needs_samples:
                    _report_samples(chunk, episode, step, lanes, joint_action, rewards)
                module.finish_visit(
                    learner,
                    work,
                    parameters,
                    step,
                    states,
                    actions,
                    rewards,
                    load(state, (0,), lanes),
                    num_actions,
                    lanes,
                )
                if needs_values:
                    _report_values(chunk, episode, step, num_players, learner, states)

    return play


def empty_chunk(
    episodes: int,
    num_actions: tuple[int, ...],
    horizon: int,
    lanes: int,
    *,
    joint_actions: bool,
    rewards: bool,
    values: bool,
) -> VisitChunk:
    """Return a chunk with room for a number of episodes; 0 is for a run that nobody observes.

    `joint_actions`, `rewards` and `values` say whether there is room for them as well.
    """
    players = len(num_actions)
    visits = (episodes, horizon)
    value_shape = (episodes if values else 0, horizon, players, lanes)
    return VisitChunk(
        state=np.zeros((*visits, lanes), dtype=np.int64),
        policy=np.zeros((*visits, players, max(num_actions), lanes)),
        joint_action=np.zeros((episodes if joint_actions else 0, horizon, lanes), dtype=np.int64),
        reward=np.zeros((episodes if rewards else 0, horizon, players, lanes)),
        upper=np.zeros(value_shape),
        lower=np.zeros(value_shape),
        surplus=np.zeros(value_shape),
    )
