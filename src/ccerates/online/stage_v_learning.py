"""Stage-based V-learning: an optimistic value and a bandit, both restarted in stages.

Source: Mao, Yang, Zhang and Basar, "On improving model-free algorithms for decentralized
multi-agent reinforcement learning" (arXiv 2110.05707). The visits to a (step, state) are cut into
stages. In a stage of n visits every player runs Exp3-IX on the losses (H - r - V_{h+1}(s')) / H,

    theta prop. to exp(-eta L),    L(b) = sum of loss 1{b = b_t} / (theta_t(b) + gamma),
    eta = sqrt(ln A / (A n)),    gamma = eta / 2

(practical constants: a tenth of that gamma), and at its end
V <- min(mean of r + V_{h+1}(s') + c sqrt(H^2 A iota / n), H - h + 1), with
iota = ln(m H S max A K / delta) and the published c = 6.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccerates.bandits.softmax import exponential_weights
from ccerates.compilation import inline_kernel
from ccerates.lanes import gather, load, scatter, store
from ccerates.online.baseline import EXPLORATION, BaselineOptions, Shape, allocate_values, log_term
from ccerates.online.schedule import stage_lengths
from ccerates.online.stages import begin_stage, count_visit, load_stage, note_ends
from ccerates.results_archive import NoTrace

__all__ = ["NoTrace"]

BONUS_CONSTANT = {"practical": 0.3, "theory": 6.0}

# Constants of a stage, columns of `Parameters.constants`.
RATE = 0
GAMMA = 1
BONUS = 2
NUM_CONSTANTS = 3


@dataclass(frozen=True)
class StageVLearningOptions(BaselineOptions):
    """Options of stage-based V-learning."""

    name = "stage-v-learning"


class Parameters(NamedTuple):
    """Numbers that a run needs.

    Attributes
    ----------
    length
        (stages,) int64: length of each stage of a (step, state).
    constants
        (horizon, stages, players, NUM_CONSTANTS): eta, gamma and the bonus; alike at all steps.
    """

    length: np.ndarray
    constants: np.ndarray


class Learner(NamedTuple):
    """All that the learner remembers, in all lanes.

    Attributes
    ----------
    loss
        (horizon, players, max_actions * states, lanes): L.
    total_gain
        (horizon, players, states, lanes): sum of r + V_{h+1}(s') in the current stage.
    stage, stage_visit
        (horizon, states, lanes) int64: see `stages`.
    upper, lower, surplus, visits
        As every learner's; `upper` is V.
    """

    loss: np.ndarray
    total_gain: np.ndarray
    stage: np.ndarray
    stage_visit: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    surplus: np.ndarray
    visits: np.ndarray


class Work(NamedTuple):
    """What lives within one visit.

    Attributes
    ----------
    loss, score, weight
        (players, max_actions, lanes): L of the visited state, -eta L, and theta.
    stage_length, constants, ended
        See `stages`.
    """

    loss: np.ndarray
    score: np.ndarray
    weight: np.ndarray
    stage_length: np.ndarray
    constants: np.ndarray
    ended: np.ndarray


def choose_parameters(options: StageVLearningOptions, shape: Shape, episodes: int) -> Parameters:
    """Return the numbers of a run."""
    num_actions, _, horizon = shape
    length = stage_lengths(horizon, episodes)
    scale = options.bonus_scale * BONUS_CONSTANT[options.constants]
    iota = log_term(shape, episodes, options.failure)
    constants = np.empty((horizon, len(length), len(num_actions), NUM_CONSTANTS))
    for player, count in enumerate(num_actions):
        rate = np.sqrt(math.log(count) / (count * length))
        constants[:, :, player, RATE] = options.rate_scale * rate
        constants[:, :, player, GAMMA] = EXPLORATION[options.constants] * rate / 2.0
        constants[:, :, player, BONUS] = scale * np.sqrt(horizon**2 * count * iota / length)
    return Parameters(length, constants)


def allocate(shape: Shape, start: np.ndarray, lanes: int) -> Learner:  # noqa: ARG001
    """Return the state before the first episode: V = H - h + 1."""
    num_actions, num_states, horizon = shape
    values = (horizon, len(num_actions), num_states, lanes)
    visits = (horizon, num_states, lanes)
    return Learner(
        np.zeros((horizon, len(num_actions), max(num_actions) * num_states, lanes)),
        np.zeros(values),
        np.zeros(visits, dtype=np.int64),
        np.zeros(visits, dtype=np.int64),
        *allocate_values(shape, lanes),
        np.zeros(visits, dtype=np.int64),
    )


def allocate_work(shape: Shape, lanes: int) -> Work:
    """Return working space for one visit in each lane."""
    num_actions = shape[0]
    size = (len(num_actions), max(num_actions), lanes)
    return Work(
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros((1, lanes), dtype=np.int64),
        np.zeros((len(num_actions), NUM_CONSTANTS, lanes)),
        np.zeros((2, lanes), dtype=np.int64),
    )


@inline_kernel
def begin_visit(learner, work, parameters, step, states, num_actions, lanes):
    """Set the weights for a visit to one state in each lane."""
    num_states = learner.stage.shape[1]
    load_stage(learner, work, parameters, step, states, lanes)
    for player in range(num_actions.size):
        count = num_actions[player]
        rate = load(work.constants, (player, RATE), lanes)
        for action in range(count):
            loss = gather(learner.loss, (step, player), states + action * num_states)
            store(work.loss, (player, action), loss)
            store(work.score, (player, action), 0.0 - rate * loss)
        weight = work.weight[player]
        total = exponential_weights(work.score[player], count, lanes, weight)
        scale = 1.0 / total
        for action in range(count):
            store(weight, (action,), load(weight, (action,), lanes) * scale)


@inline_kernel
def finish_visit(
    learner,
    work,
    parameters,  # noqa: ARG001
    step,
    states,
    actions,
    rewards,
    next_states,
    num_actions,
    lanes,
):
    """Take in what the visits led to; where they complete a stage, set values and start afresh."""
    horizon, num_states = learner.stage.shape[:2]
    gain_bound = 1.0 * (horizon - step)
    for player in range(num_actions.size):
        gains = load(rewards, (player,), lanes)
        gains = gains + gather(learner.upper, (step + 1, player), next_states)
        total = gather(learner.total_gain, (step, player), states) + gains
        scatter(learner.total_gain, (step, player), states, total)
        played = load(actions, (player,), lanes)
        exploration = load(work.constants, (player, GAMMA), lanes)
        estimate = (1.0 * horizon - gains) / (1.0 * horizon)
        estimate = estimate / (gather(work.weight, (player,), played) + exploration)
        loss = gather(work.loss, (player,), played) + estimate
        scatter(learner.loss, (step, player), states + played * num_states, loss)
    if note_ends(work, count_visit(learner, step, states), states, lanes):
        for lane in range(lanes):
            if work.ended[0, lane]:
                state = work.ended[1, lane]
                _end_stage(learner, work, step, state, num_actions.size, gain_bound, lane)
                begin_stage(learner, step, state, lane)


@inline_kernel
def _end_stage(learner, work, step, state, num_players, gain_bound, lane):
    """Set the values that follow from a completed stage in one lane and restart its bandits."""
    num_states = learner.stage.shape[1]
    for player in range(num_players):
        place = (step, player, state, lane)
        mean = learner.total_gain[place] / work.stage_length[0, lane]
        learner.upper[place] = min(mean + work.constants[player, BONUS, lane], gain_bound)
        learner.total_gain[place] = 0.0
        learner.loss[step, player, state::num_states, lane] = 0.0


def report(
    learner: Learner,  # noqa: ARG001
    parameters: Parameters,  # noqa: ARG001
    lane: int,  # noqa: ARG001
    episodes: int,  # noqa: ARG001
) -> tuple[float, NoTrace]:
    """Return no certificate and no trace."""
    return math.nan, NoTrace()
