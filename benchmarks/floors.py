"""The least that any learner must do: random numbers, and looking up rewards and next states.

Players act uniformly and nobody learns. Everything runs in lanes, as the learners do, in the same
order: a lane is a (replicate, state) with the simulator and a replicate online. What is drawn is
added up, so that the compiler leaves nothing out.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ccerates.compilation import kernel
from ccerates.lanes import load, store
from ccerates.sampling import draw_successor, load_generators
from ccerates.xoshiro import draw_uniforms


@cache
def build_draws(lanes: int) -> Callable[..., None]:
    """Return ``draw(rounds, draws, generator, total)``: `draws` uniforms in each of `rounds`.

    `generator` is (4, lanes) uint64; `total`, (1, lanes), is increased by all that is drawn.
    """

    @kernel
    def draw(rounds, draws, generator, total):
        for _ in range(rounds):
            for _ in range(draws):
                store(total, (0,), load(total, (0,), lanes) + draw_uniforms(generator, lanes))

    return draw


@cache
def build_look_ups(lanes: int) -> Callable[..., None]:
    """Return the kernel that queries a simulator, `rounds` times in each of the entries.

    Its arguments are those of the learners' kernels; `total` is (entries, players + 1): the sum of
    each player's rewards, and of the next states.
    """

    @kernel
    def look_up(
        first_group,
        last_group,
        rounds,
        num_actions,
        entry,
        generator,
        reward,
        next_state,
        cumulative,
        total,
    ):
        num_players = num_actions.size
        state = np.empty((4, lanes), np.uint64)
        uniforms = np.empty((num_players + 1, lanes))
        for group in range(first_group, last_group):
            base = group * lanes
            load_generators(generator, base, lanes, state)
            for _ in range(rounds):
                for draw in range(num_players + 1):
                    store(uniforms, (draw,), draw_uniforms(state, lanes))
                for lane in range(lanes):
                    game = entry[base + lane, 0]
                    here = entry[base + lane, 2]
                    joint = 0
                    for player in range(num_players):
                        count = num_actions[player]
                        joint = joint * count + int(uniforms[player, lane] * count)
                    there = draw_successor(
                        next_state, cumulative, game, here, joint, uniforms[num_players, lane]
                    )
                    for player in range(num_players):
                        total[base + lane, player] += reward[game, player, here, joint]
                    total[base + lane, num_players] += there

    return look_up


@cache
def build_episodes(lanes: int) -> Callable[..., None]:
    """Return the kernel that plays episodes of one game in all lanes.

    `first_state` and `first_cumulative`, (1, 1, 1, places), draw the first state; `generator` is
    (4, lanes) and `total` (players + 1, lanes), as in `build_look_ups`.
    """

    @kernel
    def play(
        episodes,
        num_actions,
        layer,
        first_state,
        first_cumulative,
        generator,
        reward,
        next_state,
        cumulative,
        total,
    ):
        num_players = num_actions.size
        uniforms = np.empty((num_players + 1, lanes))
        state = np.empty(lanes, np.int64)
        for _ in range(episodes):
            store(uniforms, (0,), draw_uniforms(generator, lanes))
            for lane in range(lanes):
                state[lane] = draw_successor(
                    first_state, first_cumulative, 0, 0, 0, uniforms[0, lane]
                )
            for step in range(layer.size):
                at = layer[step]
                for draw in range(num_players + 1):
                    store(uniforms, (draw,), draw_uniforms(generator, lanes))
                for lane in range(lanes):
                    here = state[lane]
                    joint = 0
                    for player in range(num_players):
                        count = num_actions[player]
                        joint = joint * count + int(uniforms[player, lane] * count)
                    for player in range(num_players):
                        total[player, lane] += reward[at, player, here, joint]
                    there = draw_successor(
                        next_state, cumulative, at, here, joint, uniforms[num_players, lane]
                    )
                    state[lane] = there
                    total[num_players, lane] += there

    return play
