"""Runs of bandits against adversaries: what they leave behind, their regret and a bound on it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ccerates.bandits import evb, evb_single
from ccerates.bandits.adversaries import make_schedule
from ccerates.bandits.arena_kernel import build_kernel
from ccerates.bandits.registry import bandit_module, bandit_parameters
from ccerates.bandits.rounds import (
    SUM_CENTRED,
    SUM_GAIN,
    SUM_VARIANCE,
    Audit,
    start_audit,
)
from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.streams import kernel_states
from ccerates.theory.constants import bandit_constants

DEFAULT_LANES = 16


class BanditRuns(NamedTuple):
    """What runs of one bandit against one adversary leave behind.

    With x_k the gain of round k, mu_k(a) its conditional mean had arm a been played, m_k the mean
    of the earlier gains (B/2 at first) and Y_k(a) = (x_k - m_k) 1{a_k = a} / w_k(a):

    Attributes
    ----------
    gain
        (runs,): sum of x_k.
    centred
        (runs,): sum of x_k - m_k.
    played_variance
        (runs,): V_K, the sum of (x_k - m_k)^2.
    mean_sum
        (runs, actions): sum of mu_k(a) - m_k.
    estimate_sum
        (runs, actions): sum of Y_k(a).
    square
        (runs, actions): Q_K(a) = B^2 + the sum of Y_k(a)^2.
    range_
        (runs, actions): rho_K(a), the largest of A and all 1/w_k(a).
    final_rate
        (runs,): eta_K; like all that follows of EVB only, NaN for others.
    stability, bias
        (runs,): the sums of `RegretTerms`.
    final_estimate
        (runs, actions): G_K.
    """

    gain: np.ndarray
    centred: np.ndarray
    played_variance: np.ndarray
    mean_sum: np.ndarray
    estimate_sum: np.ndarray
    square: np.ndarray
    range_: np.ndarray
    final_rate: np.ndarray
    stability: np.ndarray
    bias: np.ndarray
    final_estimate: np.ndarray


def play(
    bandit: str,
    options: Any,
    adversary: str,
    adversary_options: Any,
    *,
    num_actions: int,
    rounds: int,
    gain_bound: float,
    seeds: Sequence[np.random.SeedSequence],
    lanes: int = DEFAULT_LANES,
) -> BanditRuns:
    """Run a bandit against an adversary, once for each seed.

    Parameters
    ----------
    bandit
        Name of the bandit; see `registry`.
    options
        Options of the bandit; None stands for the defaults.
    adversary
        Name of the adversary; see `adversaries`.
    adversary_options
        Options of the adversary; None stands for the defaults.
    num_actions
        A.
    rounds
        K, which the bandit knows.
    gain_bound
        B; gains lie in [0, B].
    seeds
        Stream of each run. Bandits that get the same seeds draw the same uniform numbers.
    lanes
        Number of runs side by side. Results do not depend on it.

    Returns
    -------
    BanditRuns

    Raises
    ------
    InputError
        If there is no such bandit or adversary, or an argument is out of its range.
    """
    shape: dict[str, Any] = {
        "num_actions": num_actions,
        "rounds": rounds,
        "gain_bound": gain_bound,
    }
    parameters = bandit_parameters(bandit, options, **shape)
    schedule = make_schedule(adversary, adversary_options, **shape)
    check_integer("play: lanes", lanes, 1)
    for place, seed in enumerate(seeds):
        if not isinstance(seed, np.random.SeedSequence):
            raise InputError(f"play: seed {place} is {seed!r}; give a numpy.random.SeedSequence")
    if not seeds:
        raise InputError("play: no seeds; give one for each run")
    module = bandit_module(bandit)
    play_lanes = build_kernel(module, lanes)
    generators = np.concatenate([kernel_states(seed, count=1) for seed in seeds])
    state = module.allocate(num_actions, lanes)
    fields: dict[str, list[np.ndarray]] = {name: [] for name in BanditRuns._fields}
    for first in range(0, len(seeds), lanes):
        # The last group is filled up with repetitions of its first run.
        group = generators[first : first + lanes]
        padding = np.repeat(group[:1], lanes - len(group), axis=0)
        generator = np.ascontiguousarray(np.concatenate([group, padding]).T)
        audit = start_audit(num_actions, lanes, float(gain_bound))
        play_lanes(state, parameters, schedule, float(gain_bound), generator, audit)
        for name, values in _extract(audit, state, num_actions, lanes).items():
            fields[name].append(values[..., : len(group)].T)
    return BanditRuns(**{name: np.concatenate(parts) for name, parts in fields.items()})


def _extract(audit: Audit, state: Any, num_actions: int, lanes: int) -> dict[str, np.ndarray]:
    """Return the fields of `BanditRuns` with the lanes as their last axis."""
    final_rate = stability = bias = np.full(lanes, np.nan)
    final_estimate = np.full((num_actions, lanes), np.nan)
    if isinstance(state, evb_single.State):
        sums = state.evb.sums[0]
        final_rate, final_estimate = state.evb.rate[0].copy(), state.evb.estimate[0].copy()
        stability, bias = sums[evb.SUM_STABILITY].copy(), sums[evb.SUM_BIAS].copy()
    return {
        "gain": audit.sums[SUM_GAIN],
        "centred": audit.sums[SUM_CENTRED],
        "played_variance": audit.sums[SUM_VARIANCE],
        "mean_sum": audit.mean_sum,
        "estimate_sum": audit.estimate_sum,
        "square": audit.square,
        "range_": 1.0 / audit.least_weight,
        "final_rate": final_rate,
        "stability": stability,
        "bias": bias,
        "final_estimate": final_estimate,
    }


def realised_regret(runs: BanditRuns) -> np.ndarray:
    """Return (runs,): max_a sum_k (mu_k(a) - x_k), the regret that all bounds are about."""
    return np.asarray(runs.mean_sum.max(axis=-1) - runs.centred)


def certificate(runs: BanditRuns, rounds: int, gain_bound: float, failure: float) -> np.ndarray:
    """Return what bounds the regret of any bandit from what it observed.

    max_a [sum_k Y_k(a) + c_1 sqrt(iota Q_K(a)) + c_2 iota B rho_K(a)] - sum_k (x_k - m_k) bounds
    max_a sum_k (mu_k(a) - x_k) with probability 1 - `failure`, whatever made the weights w_k, by
    the deviation lemma of the paper's section on the bandit (ours).

    Parameters
    ----------
    runs
        The runs.
    rounds
        K.
    gain_bound
        B.
    failure
        delta.

    Returns
    -------
    numpy.ndarray
        (runs,): the bound of each run; it may exceed K B.
    """
    constants = bandit_constants("rigorous", runs.square.shape[-1], rounds, gain_bound, failure)
    deviation = constants.bias_deviation * np.sqrt(runs.square)
    deviation += constants.bias_range * gain_bound * runs.range_
    return np.asarray((runs.estimate_sum + deviation).max(axis=-1) - runs.centred)
