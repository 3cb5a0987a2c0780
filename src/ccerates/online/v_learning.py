"""V-learning: an optimistic value and a weighted bandit for each player, step and state.

Source: Jin, Liu, Wang and Yu, "V-learning" (arXiv 2110.14555). With a_t = (H + 1) / (H + t), the
t-th visit to (h, s) that was rewarded with r and led to s' sets, for each player,

    V~ <- (1 - a_t) V~ + a_t (r + V_{h+1}(s') + beta_t),    V = min(V~, H - h + 1),
    beta_t = c sqrt(H^3 A iota / t),    iota = ln(m H S max A K / delta),

and hands the loss (H - r - V_{h+1}(s')) / H to the bandit, see `weighted_exp3_ix`. The publication
leaves the constant c unspecified.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccerates.compilation import inline_kernel
from ccerates.lanes import gather, load, scatter, select, to_float
from ccerates.online import weighted_exp3_ix
from ccerates.online.baseline import EXPLORATION, BaselineOptions, Shape, allocate_values, log_term
from ccerates.online.schedule import step_size
from ccerates.online.weighted_exp3_ix import Rates, allocate_work
from ccerates.results_archive import NoTrace

__all__ = ["NoTrace", "allocate_work"]

BONUS_CONSTANT = {"practical": 0.15, "theory": 1.0}


@dataclass(frozen=True)
class VLearningOptions(BaselineOptions):
    """Options of V-learning."""

    name = "v-learning"


class Parameters(NamedTuple):
    """Rates of the bandits, and (players,) beta_t sqrt(t)."""

    rates: Rates
    bonus: np.ndarray


class Learner(NamedTuple):
    """All that the learner remembers.

    Attributes
    ----------
    loss
        (horizon, players, max_actions * states, lanes): L of the bandits.
    average
        (horizon, players, states, lanes): V~.
    upper, lower, surplus, visits
        As every learner's; `upper` is V.
    """

    loss: np.ndarray
    average: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    surplus: np.ndarray
    visits: np.ndarray


def choose_parameters(options: VLearningOptions, shape: Shape, episodes: int) -> Parameters:
    """Return the numbers of a run."""
    num_actions, _, horizon = shape
    scale = options.bonus_scale * BONUS_CONSTANT[options.constants]
    iota = log_term(shape, episodes, options.failure)
    bonus = [scale * math.sqrt(horizon**3 * count * iota) for count in num_actions]
    return Parameters(
        weighted_exp3_ix.choose_rates(shape, options.rate_scale, EXPLORATION[options.constants]),
        np.array(bonus),
    )


def allocate(shape: Shape, start: np.ndarray, lanes: int) -> Learner:  # noqa: ARG001
    """Return the state before the first episode: V = H - h + 1."""
    _, num_states, horizon = shape
    upper, lower, surplus = allocate_values(shape, lanes)
    return Learner(
        weighted_exp3_ix.allocate_losses(shape, lanes),
        upper[:-1].copy(),
        upper,
        lower,
        surplus,
        np.zeros((horizon, num_states, lanes), dtype=np.int64),
    )


@inline_kernel
def begin_visit(learner, work, parameters, step, states, num_actions, lanes):
    """Set the weights of all players."""
    weighted_exp3_ix.compute_weights(
        learner.loss, learner.visits, work, parameters.rates, step, states, num_actions, lanes
    )


@inline_kernel
def finish_visit(
    learner, work, parameters, step, states, actions, rewards, next_states, num_actions, lanes
):
    """Take in a visit: values and bandits of all players."""
    horizon, num_states = learner.visits.shape[:2]
    count = gather(learner.visits, (step,), states) + 1
    scatter(learner.visits, (step,), states, count)
    visit = to_float(count)
    weight = step_size(horizon, visit)
    keep = (visit - 1.0) / (visit + (horizon - 1.0))
    shrink = 1.0 / math.sqrt(visit)
    bound = 1.0 * (horizon - step)
    for player in range(num_actions.size):
        reward = load(rewards, (player,), lanes)
        gain = reward + gather(learner.upper, (step + 1, player), next_states)
        weighted_exp3_ix.take_in(
            learner.loss,
            work,
            shrink * parameters.rates.exploration[player],
            step,
            player,
            states,
            num_states,
            keep,
            (1.0 * horizon - gain) / (1.0 * horizon),
            load(actions, (player,), lanes),
            num_actions[player],
            lanes,
        )
        target = gain + shrink * parameters.bonus[player]
        average = gather(learner.average, (step, player), states)
        average = average + weight * (target - average)
        scatter(learner.average, (step, player), states, average)
        upper = select(average > bound, bound, average)
        scatter(learner.upper, (step, player), states, upper)


def report(
    learner: Learner,  # noqa: ARG001
    parameters: Parameters,  # noqa: ARG001
    lane: int,  # noqa: ARG001
    episodes: int,  # noqa: ARG001
) -> tuple[float, NoTrace]:
    """Return no certificate and no trace."""
    return math.nan, NoTrace()
