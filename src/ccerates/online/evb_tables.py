"""What EVB-online remembers, what it needs within a visit, and what it reports."""

from typing import NamedTuple

import numpy as np

from ccerates.bandits import evb
from ccerates.online.baseline import Shape, allocate_values
from ccerates.online.evb_stage import NUM_LOWER_SUMS, NUM_VISIT_CONSTANTS


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
    stage_length, constants, ended
        See `stages`.
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


def allocate(shape: Shape, start: np.ndarray, lanes: int) -> Learner:
    """Return the state before the first episode; `start` is (states, lanes)."""
    num_actions, num_states, horizon = shape
    players = len(num_actions)
    visits = (horizon, num_states, lanes)
    values = (horizon, players, num_states, lanes)
    arms = (horizon, players, max(num_actions) * num_states, lanes)
    gain_bound = np.arange(horizon, 0.0, -1.0)[:, None, None, None]
    upper, _, _ = allocate_values(shape, lanes)
    return Learner(
        upper=upper,
        lower=np.zeros_like(upper),
        surplus=upper[:-1].copy(),
        visits=np.zeros(visits, dtype=np.int64),
        stage=np.zeros(visits, dtype=np.int64),
        stage_visit=np.zeros(visits, dtype=np.int64),
        estimate=np.zeros(arms),
        square=np.broadcast_to(gain_bound**2, arms).copy(),
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
        np.zeros((players, NUM_VISIT_CONSTANTS, lanes)),
        np.zeros((2, lanes), dtype=np.int64),
    )
