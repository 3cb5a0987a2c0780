"""CCE-V-learning: V-learning whose values are not truncated when they are stored.

Source: Song, Mei and Bai, "When can we learn general-sum Markov games with a large number of
players sample-efficiently?" (arXiv 2110.04184). With the step sizes, the logarithm and the bandit
of V-learning (see `v_learning`), each player's value and loss are

    V <- (1 - a_t) V + a_t (r + V_{h+1}(s') + beta_t),
    beta_t = c sqrt(H^3 A iota / t) + c' H^2 iota / t,
    loss = (H - r - min(V_{h+1}(s'), H - h)) / H.
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
from ccerates.online.v_learning import begin_visit, report
from ccerates.online.weighted_exp3_ix import Rates, allocate_work
from ccerates.results_archive import NoTrace

__all__ = ["NoTrace", "allocate_work", "begin_visit", "report"]

# Both c and c', which the publication leaves unspecified.
BONUS_CONSTANT = {"practical": 0.15, "theory": 1.0}


@dataclass(frozen=True)
class CceVLearningOptions(BaselineOptions):
    """Options of CCE-V-learning."""

    name = "cce-v-learning"


class Parameters(NamedTuple):
    """Rates of the bandits, and the two parts of beta_t times sqrt(t) and t.

    Attributes
    ----------
    rates
        Rates of the bandits.
    bonus
        (players,): c sqrt(H^3 A iota).
    lower_order_bonus
        c' H^2 iota.
    """

    rates: Rates
    bonus: np.ndarray
    lower_order_bonus: float


class Learner(NamedTuple):
    """All that the learner remembers.

    Attributes
    ----------
    loss
        (horizon, players, max_actions * states, lanes): L of the bandits.
    upper, lower, surplus, visits
        As every learner's; `upper` is V.
    """

    loss: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    surplus: np.ndarray
    visits: np.ndarray


def choose_parameters(options: CceVLearningOptions, shape: Shape, episodes: int) -> Parameters:
    """Return the numbers of a run."""
    num_actions, _, horizon = shape
    iota = log_term(shape, episodes, options.failure)
    scale = options.bonus_scale * BONUS_CONSTANT[options.constants]
    return Parameters(
        weighted_exp3_ix.choose_rates(shape, options.rate_scale, EXPLORATION[options.constants]),
        np.array([scale * math.sqrt(horizon**3 * count * iota) for count in num_actions]),
        scale * horizon**2 * iota,
    )


def allocate(shape: Shape, start: np.ndarray, lanes: int) -> Learner:  # noqa: ARG001
    """Return the state before the first episode: V = H - h + 1."""
    _, num_states, horizon = shape
    return Learner(
        weighted_exp3_ix.allocate_losses(shape, lanes),
        *allocate_values(shape, lanes),
        np.zeros((horizon, num_states, lanes), dtype=np.int64),
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
    lower_order = parameters.lower_order_bonus / visit
    left = 1.0 * (horizon - step - 1)
    for player in range(num_actions.size):
        reward = load(rewards, (player,), lanes)
        later = gather(learner.upper, (step + 1, player), next_states)
        gain = reward + select(later > left, left, later)
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
        target = reward + later + (shrink * parameters.bonus[player] + lower_order)
        value = gather(learner.upper, (step, player), states)
        scatter(learner.upper, (step, player), states, value + weight * (target - value))
