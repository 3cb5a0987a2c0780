"""EVB-online: an empirical-variance bandit for each player, step and state, restarted in stages.

Ours; the paper's section on the online setting states it as an algorithm and proves its rate.
The visits to a (step, state) are cut into stages as in stage-based V-learning. In a stage of n
visits player i's bandit receives r_i + U_i(s'), where U is the upper value of the next step, and at
its end

    U_i <- min(mean gain + R_n / n, B),     L_i <- max(mean lower gain - margin, 0),

with B the largest return from that step on, the bandit's own regret bound R_n, lower gains
r_i + L_i(s') and their margin (c sqrt(V') + c' B) / n. The values follow the last stage alone:
no minimum with an older one, since older values do not bound what other policies allow.
"""

from ccerates.bandits import evb
from ccerates.compilation import inline_kernel
from ccerates.lanes import any_lane, gather, load, scatter, store, to_float
from ccerates.online.evb_options import EvbOnlineOptions, Parameters, choose_parameters
from ccerates.online.evb_stage import (
    BIAS_DEVIATION,
    BIAS_RANGE,
    LOWER_GAIN,
    LOWER_VARIANCE,
    MAXIMAL_RATE,
    RATE_NUMERATOR,
    end_stage,
)
from ccerates.online.evb_tables import EvbOnlineTrace, Learner, allocate, allocate_work
from ccerates.online.stages import begin_stage, count_visit, load_stage, note_ends

__all__ = ["EvbOnlineOptions", "EvbOnlineTrace", "allocate", "allocate_work", "choose_parameters"]


@inline_kernel
def begin_visit(learner, work, parameters, step, states, num_actions, lanes):
    """Set the weights for a visit to one state in each lane."""
    bandit = work.bandit
    num_states = learner.stage.shape[1]
    gain_bound = 1.0 * (learner.stage.shape[0] - step)
    load_stage(learner, work, parameters, step, states, lanes)
    for player in range(num_actions.size):
        if step == 0:
            total = load(learner.width_sum, (player,), lanes) + load(
                learner.width, (player,), lanes
            )
            store(learner.width_sum, (player,), total)
        for action in range(num_actions[player]):
            places = states + action * num_states
            estimate = gather(learner.estimate, (step, player), places)
            store(bandit.estimate, (player, action), estimate)
        for item in range(evb.NUM_SUMS):
            total = gather(learner.sums, (step, player), states + item * num_states)
            store(bandit.sums, (player, item), total)
        store(bandit.multiplier, (player,), gather(learner.multiplier, (step, player), states))
        evb.compute_weights(
            bandit,
            player,
            num_actions[player],
            lanes,
            load(work.constants, (player, MAXIMAL_RATE), lanes),
            load(work.constants, (player, RATE_NUMERATOR), lanes),
            gain_bound * gain_bound,
        )


@inline_kernel
def finish_visit(
    learner, work, parameters, step, states, actions, rewards, next_states, num_actions, lanes
):
    """Take in what the visits led to; where they complete a stage, set values and start afresh."""
    gain_bound = 1.0 * (learner.stage.shape[0] - step)
    stage_visit = count_visit(learner, step, states)
    played_rounds = to_float(stage_visit) - 1.0
    for player in range(num_actions.size):
        reward = load(rewards, (player,), lanes)
        gains = reward + gather(learner.upper, (step + 1, player), next_states)
        lower_gains = reward + gather(learner.lower, (step + 1, player), next_states)
        _add_lower_gains(learner, step, player, states, played_rounds, gain_bound, lower_gains)
        _update_bandit(
            learner,
            work,
            step,
            player,
            states,
            load(actions, (player,), lanes),
            gains,
            played_rounds,
            gain_bound,
            parameters.centre,
            num_actions[player],
            lanes,
        )
    if note_ends(work, stage_visit, states, lanes):
        for lane in range(lanes):
            if work.ended[0, lane]:
                state = work.ended[1, lane]
                end_stage(learner, work, parameters, step, state, num_actions, gain_bound, lane)
                begin_stage(learner, step, state, lane)


@inline_kernel
def _add_lower_gains(learner, step, player, states, played_rounds, gain_bound, lower_gains):
    """Bring the sums of the lower value up to date."""
    place, num_states = (step, player), learner.stage.shape[1]
    gain_place = states + LOWER_GAIN * num_states
    variance_place = states + LOWER_VARIANCE * num_states
    total = gather(learner.lower_sums, place, gain_place)
    centred = evb.centred_gains_of_lanes(total, lower_gains, played_rounds, gain_bound, 1.0)
    variance = gather(learner.lower_sums, place, variance_place) + centred * centred
    scatter(learner.lower_sums, place, gain_place, total + lower_gains)
    scatter(learner.lower_sums, place, variance_place, variance)


@inline_kernel
def _update_bandit(
    learner,
    work,
    step,
    player,
    states,
    actions,
    gains,
    played_rounds,
    gain_bound,
    centre,
    num_actions,
    lanes,
):
    """Update one player's bandits and write them back to the tables."""
    bandit, place, num_states = work.bandit, (step, player), learner.stage.shape[1]
    played = states + actions * num_states
    bias_range = load(work.constants, (player, BIAS_RANGE), lanes)
    has_range_bias = any_lane(bias_range > 0.0)
    # Only the range bias touches arms that were not played; nothing else reads `smallest`.
    if has_range_bias:
        for action in range(num_actions):
            smallest = gather(learner.smallest, place, states + action * num_states)
            store(bandit.smallest, (player, action), smallest)
    scatter(bandit.square, (player,), actions, gather(learner.square, place, played))
    total = load(bandit.sums, (player, evb.SUM_GAIN), lanes)
    evb.update(
        bandit,
        player,
        num_actions,
        lanes,
        gain_bound,
        load(work.constants, (player, BIAS_DEVIATION), lanes),
        bias_range,
        gains,
        evb.centred_gains_of_lanes(total, gains, played_rounds, gain_bound, centre),
        actions,
    )
    scatter(learner.square, place, played, gather(bandit.square, (player,), actions))
    if has_range_bias:
        for action in range(num_actions):
            places = states + action * num_states
            scatter(learner.smallest, place, places, load(bandit.smallest, (player, action), lanes))
            scatter(learner.estimate, place, places, load(bandit.estimate, (player, action), lanes))
    else:
        scatter(learner.estimate, place, played, gather(bandit.estimate, (player,), actions))
    for item in range(evb.NUM_SUMS):
        total = load(bandit.sums, (player, item), lanes)
        scatter(learner.sums, place, states + item * num_states, total)
    scatter(learner.multiplier, place, states, load(bandit.multiplier, (player,), lanes))


def report(
    learner: Learner,
    parameters: Parameters,  # noqa: ARG001
    lane: int,
    episodes: int,
) -> tuple[float, EvbOnlineTrace]:
    """Return certificate and trace of one lane after a number of episodes."""
    names = EvbOnlineTrace._fields[:-1]
    fields = {name: getattr(learner, name)[..., lane].swapaxes(1, 2).copy() for name in names}
    trace = EvbOnlineTrace(**fields, completed_stages=learner.stage[..., lane].copy())
    return float(learner.width_sum[:, lane].max()) / max(episodes, 1), trace
