"""V-learning in JAX: a scan over episodes and one over their steps, mapped over replicates."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from benchmarks.peers import jax_setup
from benchmarks.peers.v_learning_rates import Learnt, choose_rates, steps_left
from ccerates.games.model import MarkovGame


@cache
def build(num_actions: tuple[int, ...], horizon: int) -> Callable[..., Any]:
    """Return the compiled episodes, in lanes."""
    jax = jax_setup.load()
    jnp = jax.numpy
    players = len(num_actions)

    def play(uniforms: Any, upper: Any, tables: Any, rates: Any) -> Any:
        layer, first, reward, next_state, cumulative = tables

        def one_step(carry: Any, now: Any) -> Any:
            (losses, average, upper, visits), state = carry
            step, uniform = now
            at, earlier = layer[step], visits[step, state]
            joint, policies, actions = 0, [], []
            for player, count in enumerate(num_actions):
                rate = rates.learning[player] / jnp.sqrt(jnp.maximum(earlier, 1))
                policies.append(jax.nn.softmax(-rate * losses[player][step, state]))
                actions.append((uniform[player] >= jnp.cumsum(policies[-1][:-1])).sum())
                joint = joint * count + actions[-1]
            place = (uniform[-1] >= cumulative[at, state, joint]).sum()
            there = next_state[at, state, joint, place]
            visit = earlier + 1
            shrink, keep = 1 / jnp.sqrt(visit), earlier / (horizon + earlier)
            gain = reward[at, :, state, joint] + upper[step + 1, there]
            target = gain + jnp.asarray(rates.bonus) * shrink
            before = average[step, state]
            after = before + (horizon + 1) / (horizon + visit) * (target - before)
            lists = []
            for player, action in enumerate(actions):
                chance = policies[player][action] + rates.exploration[player] * shrink
                loss = losses[player][step, state] * keep
                loss = loss.at[action].add((horizon - gain[player]) / horizon / chance)
                lists.append(losses[player].at[step, state].set(loss))
            memory = (
                lists,
                average.at[step, state].set(after),
                upper.at[step, state].set(jnp.minimum(after, horizon - step)),
                visits.at[step, state].set(visit),
            )
            return (memory, there), None

        def one_episode(memory: Any, numbers: Any) -> Any:
            state = (numbers[0] >= first).sum().astype(next_state.dtype)
            steps = jnp.arange(horizon), numbers[1:].reshape(horizon, players + 1)
            (memory, _), _ = jax.lax.scan(one_step, (memory, state), steps)
            return memory, None

        states = upper.shape[1]
        losses = [jnp.zeros((horizon, states, count)) for count in num_actions]
        start = losses, upper[:-1], upper, jnp.zeros((horizon, states), dtype=jnp.int64)
        memory, _ = jax.lax.scan(one_episode, start, uniforms)
        return memory[2][:-1], memory[3]

    compiled: Callable[..., Any] = jax.jit(jax.vmap(play, in_axes=(2, None, None, None)))
    return compiled


def learn(
    game: MarkovGame,
    episodes: int,
    replicates: int,  # noqa: ARG001  (`draw` says how many)
    draw: Callable[[], np.ndarray],
) -> Learnt:
    """Run V-learning in several replicates; see `v_learning_vectorised.learn`."""
    first = np.cumsum(game.start)[:-1]
    cumulative = np.cumsum(game.probability, axis=-1)[..., :-1]
    tables = game.layer, first, game.reward, game.next_state, cumulative
    play = build(game.num_actions, game.horizon)
    upper, visits = play(draw(), steps_left(game), tables, choose_rates(game, episodes))
    return Learnt(np.asarray(upper), np.asarray(visits))
