"""Compiled runs of one bandit against one adversary, one run in each lane."""

from collections.abc import Callable
from functools import cache
from types import ModuleType

from ccerates.bandits.rounds import collect_gains, draw_actions
from ccerates.compilation import kernel
from ccerates.xoshiro import draw_uniforms


@cache
def build_kernel(module: ModuleType, lanes: int) -> Callable[..., None]:
    """Return the kernel that plays all rounds of a bandit, one run in each lane."""

    @kernel
    def play_lanes(bandit, parameters, schedule, gain_bound, generator, audit):
        num_actions = schedule.low.shape[1]
        module.reset(bandit, num_actions, parameters)
        for phase in range(schedule.start.size - 1):
            for played_rounds in range(schedule.start[phase], schedule.start[phase + 1]):
                module.compute_weights(bandit, num_actions, lanes, parameters, played_rounds)
                uniforms = draw_uniforms(generator, lanes)
                actions = draw_actions(bandit.weight, num_actions, lanes, uniforms)
                gains = collect_gains(
                    schedule,
                    phase,
                    bandit.weight,
                    num_actions,
                    lanes,
                    played_rounds,
                    gain_bound,
                    actions,
                    draw_uniforms(generator, lanes),
                    audit,
                )
                module.update(bandit, num_actions, lanes, parameters, played_rounds, gains, actions)

    return play_lanes
