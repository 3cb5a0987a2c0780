"""EVB-sim in JAX: a scan over rounds, mapped over replicates and states."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from benchmarks.peers import jax_setup
from benchmarks.peers.evb_values import (
    DEVIATION,
    Learnt,
    Sums,
    maximal_rate,
    rate_numerator,
    values,
)
from ccerates.games.model import MarkovGame

NEWTON_STEPS = 4
"""A fixed number: from the last round's multiplier two or three are enough."""


@cache
def build(num_actions: tuple[int, ...], rounds: int) -> Callable[..., Any]:
    """Return the compiled rounds of one step, in lanes."""
    jax = jax_setup.load()
    jnp = jax.numpy

    def choose(bandit: dict[str, Any], numerator: float, bound: Any) -> Any:
        rate = numerator / jnp.sqrt(bound**2 + bandit["variance"])
        rate = jnp.minimum(maximal_rate(bound), rate)
        lowest = bandit["estimate"].max() + 1 / rate
        multiplier = jnp.maximum(bandit["multiplier"], lowest)
        for _ in range(NEWTON_STEPS):
            inverse = 1 / (multiplier - bandit["estimate"])
            total = inverse.sum()
            multiplier += (total / rate - 1) * total / (inverse**2).sum()
            multiplier = jnp.maximum(multiplier, lowest)
        inverse = 1 / (multiplier - bandit["estimate"])
        return rate, multiplier, inverse / inverse.sum()

    def update(bandit: Any, chosen: Any, action: Any, gain: Any, lower: Any, played: Any) -> Any:
        rate, multiplier, weight = chosen
        bound, number = bandit["bound"], jnp.maximum(played, 1)
        centred = gain - jnp.where(played > 0, bandit["gain"] / number, bound / 2)
        mean = jnp.where(played > 0, bandit["lower_gain"] / number, bound / 2)
        estimate = centred / weight[action]
        square = bandit["square"][action] + estimate**2
        bias = DEVIATION * (jnp.sqrt(square) - jnp.sqrt(bandit["square"][action]))
        increase = estimate + bias
        change = rate * weight[action] * increase
        return {
            "bound": bound,
            "estimate": bandit["estimate"].at[action].add(increase),
            "square": bandit["square"].at[action].set(square),
            "multiplier": multiplier + weight[action] ** 2 * increase / (weight**2).sum(),
            "rate": rate,
            "variance": bandit["variance"] + centred**2,
            "gain": bandit["gain"] + gain,
            "centred": bandit["centred"] + centred,
            "stability": bandit["stability"] + (-change - jnp.log1p(-change)) / rate,
            "bias": bandit["bias"] + weight[action] * bias,
            "lower_gain": bandit["lower_gain"] + lower,
            "lower_variance": bandit["lower_variance"] + (lower - mean) ** 2,
        }

    def start(count: int, bound: Any) -> dict[str, Any]:
        names = ("multiplier", "rate", "variance", *Sums._fields)
        numbers = dict.fromkeys(names, jnp.float64(0.0))
        arms = {"estimate": jnp.zeros(count), "square": jnp.full(count, bound**2)}
        return numbers | arms | {"bound": bound}

    numerators = [rate_numerator(count, rounds) for count in num_actions]

    def play(uniforms: Any, here: Any, values_: Any, tables: Any, bound: Any) -> Any:
        reward, next_state, cumulative = tables

        def one_round(carry: Any, now: Any) -> Any:
            bandits, policy = carry
            played, uniform = now
            product, joint, chosen, actions = jnp.ones(1), 0, [], []
            for player, count in enumerate(num_actions):
                chosen.append(choose(bandits[player], numerators[player], bound))
                weight = chosen[-1][2]
                actions.append((uniform[player] >= jnp.cumsum(weight[:-1])).sum())
                joint = joint * count + actions[-1]
                product = (product[:, None] * weight).ravel()
            place = (uniform[-1] >= cumulative[here, joint]).sum()
            there = next_state[here, joint, place]
            after = []
            for player, bandit in enumerate(bandits):
                now_ = reward[player, here, joint]
                gain, lower = (now_ + values_[which, there, player] for which in range(2))
                after.append(update(bandit, chosen[player], actions[player], gain, lower, played))
            return (after, policy + product), None

        first = [start(count, bound) for count in num_actions], jnp.zeros(reward.shape[-1])
        (bandits, policy), _ = jax.lax.scan(one_round, first, (jnp.arange(rounds), uniforms))
        return bandits, policy / rounds

    compiled: Callable[..., Any] = jax.jit(jax.vmap(play, in_axes=(2, 0, 0, None, None)))
    return compiled


def learn(
    game: MarkovGame, rounds: int, replicates: int, draw: Callable[[int], np.ndarray]
) -> Learnt:
    """Run EVB-sim in several replicates; see `evb_sim_vectorised.learn`."""
    horizon, states, players = game.horizon, game.num_states, game.num_players
    play = build(game.num_actions, rounds)
    replicate, here = (part.ravel() for part in np.indices((replicates, states)))
    policy = np.empty((replicates, horizon, states, game.num_joint_actions))
    both = np.zeros((horizon + 1, replicates, 2, states, players))
    cumulative = np.cumsum(game.probability, axis=-1)[..., :-1]
    for step in reversed(range(horizon)):
        layer, bound = game.layer[step], float(horizon - step)
        tables = game.reward[layer], game.next_state[layer], cumulative[layer]
        bandits, played = play(draw(step), here, both[step + 1][replicate], tables, bound)
        policy[:, step] = np.asarray(played).reshape(replicates, states, -1)
        for player, bandit in enumerate(bandits):
            arrays = {name: np.asarray(values_) for name, values_ in bandit.items()}
            sums = Sums(*(arrays[name] for name in Sums._fields))
            found = values(sums, arrays["estimate"], arrays["rate"], rounds, bound)
            both[step, ..., player] = np.stack(found).reshape(2, replicates, states).swapaxes(0, 1)
    return Learnt(policy, *(both[:-1, :, which].swapaxes(0, 1) for which in range(2)))
