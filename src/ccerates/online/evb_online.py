"""EVB-online: an empirical-variance bandit for each player, step and state, restarted in stages.

Ours; the paper's section on the online setting states it as an algorithm and proves its rate. The
visits to a (step, state) are cut into stages as in stage-based V-learning. In a stage of n visits
player i's bandit receives r_i + U_i(s'), where U is the upper value of the next step, and at its end

    U_i <- min(mean gain + R_n / n, B),     L_i <- max(mean lower gain - margin, 0),

with B the largest return from that step on, the bandit's own regret bound R_n, lower gains
r_i + L_i(s') and their margin (c sqrt(V') + c' B) / n. The values follow the last stage alone:
no minimum with an older one, since older values do not bound what other policies allow.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from ccerates.bandits import evb
from ccerates.checks import check_between, check_choice
from ccerates.compilation import inline_kernel
from ccerates.errors import InputError
from ccerates.lanes import any_lane, gather, load, scatter, store, to_float, to_integer
from ccerates.online.baseline import Shape
from ccerates.online.evb_stage import (
    BIAS_DEVIATION,
    BIAS_RANGE,
    LOWER_GAIN,
    LOWER_VARIANCE,
    MAXIMAL_RATE,
    NUM_CONSTANTS,
    NUM_LOWER_SUMS,
    RATE_NUMERATOR,
    end_stage,
)
from ccerates.online.schedule import stage_lengths
from ccerates.online.stages import begin_stage, count_visit, load_stage
from ccerates.theory.constants import bandit_constants

NAME = "evb-online"

Ablation = Literal["none", "centre", "bias", "adaptive-rate", "bonus"]


@dataclass(frozen=True)
class EvbOnlineOptions:
    """Options of EVB-online.

    Attributes
    ----------
    constants
        ``"practical"`` (small bias, no claim of coverage) or ``"rigorous"`` (every bound holds
        with probability 1 - `failure`).
    rate_scale
        c_eta, multiplies the adaptive learning rate.
    bonus_scale
        Multiplies the regret bound R_n in the upper value; 1 with rigorous constants.
    failure
        delta, the probability with which any bound of the run may fail.
    ablation
        A part to be switched off, to see what it is good for; with practical constants only.
        ``"centre"``: m_k = 0. ``"bias"``: b_k = 0, with eta_max as before. ``"adaptive-rate"``: the
        constant learning rate for the largest variance, B^2 n in place of V_{k-1}. ``"bonus"``:
        the mean gain is the upper value, without R_n / n. The lower value keeps its formula.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    constants: Literal["practical", "rigorous"] = "practical"
    rate_scale: float = 1.0
    bonus_scale: float = 1.0
    failure: float = 0.05
    ablation: Ablation = "none"

    def __post_init__(self) -> None:
        check_choice(f"{NAME}: constants", self.constants, ("practical", "rigorous"))
        check_between(f"{NAME}: rate_scale", self.rate_scale, 0.0)
        check_between(f"{NAME}: bonus_scale", self.bonus_scale, 0.0)
        check_between(f"{NAME}: failure", self.failure, 0.0, 1.0)
        check_choice(f"{NAME}: ablation", self.ablation, get_args(Ablation))
        if self.constants == "rigorous" and self.ablation != "none":
            raise InputError(
                f"{NAME}: ablation {self.ablation!r} takes constants: practical; the rigorous ones "
                "hold for the whole algorithm only"
            )
        if self.constants == "rigorous" and self.bonus_scale != 1.0:
            raise InputError(f"{NAME}: bonus_scale must be 1 with rigorous constants")


class Parameters(NamedTuple):
    """Numbers that a run needs.

    Attributes
    ----------
    length
        (stages,) int64: length of each stage of a (step, state).
    constants
        (horizon, stages, players, NUM_CONSTANTS): what the bandits of a stage run with, see
        `evb_stage`.
    centre
        1, or 0 to leave out the centre m_k.
    bonus_scale
        Multiplies R_n in the upper value.
    """

    length: np.ndarray
    constants: np.ndarray
    centre: float
    bonus_scale: float


class Learner(NamedTuple):
    """All that the learner remembers, in all lanes.

    Attributes
    ----------
    upper, lower
        (horizon + 1, players, states, lanes): values; 0 at the end.
    surplus
        (horizon, players, states, lanes): what upper - lower exceeds its mean at the next states of
        the last completed stage by; all of it before there is one.
    visits, stage, stage_visit
        (horizon, states, lanes) int64: see `stages`.
    estimate, square, smallest
        (horizon, players, max_actions * states, lanes): as in `evb.EvbState`.
    multiplier
        (horizon, players, states, lanes): likewise.
    sums
        (horizon, players, evb.NUM_SUMS * states, lanes): likewise.
    lower_sums
        (horizon, players, NUM_LOWER_SUMS * states, lanes): of lower gains and of the squares of the
        centred ones.
    start
        (states, lanes): distribution of the first state.
    width
        (players, lanes): mean of upper - lower at the first state of an episode.
    width_sum
        (players, lanes): sum of `width` over the episodes, as it was when each began.
    mean_gain, lower_mean_gain, regret_bound
        (horizon, players, states, lanes): see `EvbOnlineTrace`.
    pathwise_slack, pathwise_right_side, pathwise_scale
        Likewise.
    """

    upper: np.ndarray
    lower: np.ndarray
    surplus: np.ndarray
    visits: np.ndarray
    stage: np.ndarray
    stage_visit: np.ndarray
    estimate: np.ndarray
    square: np.ndarray
    smallest: np.ndarray
    multiplier: np.ndarray
    sums: np.ndarray
    lower_sums: np.ndarray
    start: np.ndarray
    width: np.ndarray
    width_sum: np.ndarray
    mean_gain: np.ndarray
    lower_mean_gain: np.ndarray
    regret_bound: np.ndarray
    pathwise_slack: np.ndarray
    pathwise_right_side: np.ndarray
    pathwise_scale: np.ndarray


class Work(NamedTuple):
    """What lives within one visit.

    Attributes
    ----------
    bandit
        `evb.EvbState`: the bandits of the visited states.
    weight
        (players, max_actions, lanes): a view of the bandits' weights.
    stage_length, constants
        See `stages`.
    ended
        (2, lanes) int64: whether the visit completed a stage, and the visited state.
    """

    bandit: evb.EvbState
    weight: np.ndarray
    stage_length: np.ndarray
    constants: np.ndarray
    ended: np.ndarray


class EvbOnlineTrace(NamedTuple):
    """What the bandits saw, arrays over (horizon, states, players); NaN before there was anything.

    Attributes
    ----------
    mean_gain, lower_mean_gain
        Means of the gains r + U(s') and of the lower gains r + L(s') of the last completed stage.
    regret_bound
        R_n of that stage.
    pathwise_slack, pathwise_right_side, pathwise_scale
        Of all completed stages with at least as many visits as arms and of all arms, the pathwise
        inequality of `RegretTerms` with the smallest slack in relation to its scale: its slack, its
        right side (penalty and stability), and a typical size of what its sides are sums of.
    completed_stages
        (horizon, states) int64.
    """

    mean_gain: np.ndarray
    lower_mean_gain: np.ndarray
    regret_bound: np.ndarray
    pathwise_slack: np.ndarray
    pathwise_right_side: np.ndarray
    pathwise_scale: np.ndarray
    completed_stages: np.ndarray


def choose_parameters(options: EvbOnlineOptions, shape: Shape, episodes: int) -> Parameters:
    """Return the numbers of a run.

    The t-th stage of every (player, step, state) may fail with probability
    delta / (2 m H S t (t + 1)); that sums to delta / 2, whatever the number of stages. The other
    half is for those who do not know the start distribution and estimate it from first states.

    Parameters
    ----------
    options
        Options.
    shape
        (num_actions, num_states, horizon).
    episodes
        Planned number of episodes: no (step, state) has more visits.
    """
    num_actions, num_states, horizon = shape
    length = stage_lengths(horizon, episodes)
    constants = np.empty((horizon, len(length), len(num_actions), NUM_CONSTANTS))
    share = options.failure / (2 * len(num_actions) * horizon * num_states)
    for step, stage, player in np.ndindex(constants.shape[:-1]):
        rounds, count = int(length[stage]), num_actions[player]
        gain_bound, failure = float(horizon - step), share / ((stage + 1) * (stage + 2))
        each = bandit_constants(options.constants, count, rounds, gain_bound, failure)
        numerator = options.rate_scale * math.sqrt(count * math.log(max(rounds, 3)))
        if options.ablation == "bias":
            each = each._replace(bias_deviation=0.0, bias_range=0.0)
        elif options.ablation == "adaptive-rate":
            # V_{k-1} stays below B^2 n: the adaptive rate never falls below this one.
            lowest = numerator / (gain_bound * math.sqrt(1 + rounds))
            each = each._replace(maximal_rate=min(each.maximal_rate, lowest))
        constants[step, stage, player] = (
            numerator,
            each.maximal_rate,
            each.bias_deviation,
            each.bias_range,
            each.lower_deviation,
            each.lower_range,
        )
    return Parameters(
        length,
        constants,
        0.0 if options.ablation == "centre" else 1.0,
        0.0 if options.ablation == "bonus" else options.bonus_scale,
    )


def allocate(shape: Shape, start: np.ndarray, lanes: int) -> Learner:
    """Return the state before the first episode; `start` is (states, lanes)."""
    num_actions, num_states, horizon = shape
    players = len(num_actions)
    visits = (horizon, num_states, lanes)
    values = (horizon, players, num_states, lanes)
    arms = (horizon, players, max(num_actions) * num_states, lanes)
    gain_bound = np.arange(horizon, -1.0, -1.0)[:, None, None, None]
    upper = np.broadcast_to(gain_bound, (horizon + 1, *values[1:])).copy()
    return Learner(
        upper=upper,
        lower=np.zeros_like(upper),
        surplus=upper[:-1].copy(),
        visits=np.zeros(visits, dtype=np.int64),
        stage=np.zeros(visits, dtype=np.int64),
        stage_visit=np.zeros(visits, dtype=np.int64),
        estimate=np.zeros(arms),
        square=np.broadcast_to(gain_bound[:-1] ** 2, arms).copy(),
        smallest=np.ones(arms),
        multiplier=np.full(values, -np.inf),
        sums=np.zeros((horizon, players, evb.NUM_SUMS * num_states, lanes)),
        lower_sums=np.zeros((horizon, players, NUM_LOWER_SUMS * num_states, lanes)),
        start=start,
        width=np.full((players, lanes), float(horizon)),
        width_sum=np.zeros((players, lanes)),
        mean_gain=np.full(values, np.nan),
        lower_mean_gain=np.full(values, np.nan),
        regret_bound=np.full(values, np.nan),
        pathwise_slack=np.full(values, np.nan),
        pathwise_right_side=np.full(values, np.nan),
        pathwise_scale=np.full(values, np.nan),
    )


def allocate_work(shape: Shape, lanes: int) -> Work:
    """Return working space for one visit in each lane."""
    num_actions = shape[0]
    players = len(num_actions)
    bandit = evb.allocate.py_func(players, max(num_actions), lanes)  # type: ignore[attr-defined]
    bandit.smallest[:] = 1.0
    bandit.weight[:] = 0.0
    return Work(
        bandit,
        bandit.weight,
        np.zeros((1, lanes), dtype=np.int64),
        np.zeros((players, NUM_CONSTANTS, lanes)),
        np.zeros((2, lanes), dtype=np.int64),
    )


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
    ended = stage_visit == load(work.stage_length, (0,), lanes)
    if any_lane(ended):
        store(work.ended, (0,), to_integer(ended))
        store(work.ended, (1,), states)
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
