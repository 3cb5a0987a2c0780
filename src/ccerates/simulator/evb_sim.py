"""EVB-sim: an empirical-variance bandit for each player, step and state of a simulator.

Ours; the paper's section on the simulator states it as an algorithm and proves its rate. From the
last step backwards, at every state and for K rounds, all players' bandits draw one joint action,
the simulator is called once, and player i's bandit receives r_i + U_i(s'), where U is the upper
value of the next step. The cost is K H S samples, whatever the number of players.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from tqdm import tqdm

from ccerates.bandits import evb
from ccerates.bandits.evb_bounds import RegretTerms, regret_terms
from ccerates.checks import check_between, check_choice, check_integer
from ccerates.errors import InputError
from ccerates.simulator import evb_sim_kernel as columns
from ccerates.simulator.batches import LaneBatch
from ccerates.simulator.result import LearningResult, start_certificate, warn_if_trivial
from ccerates.simulator.source import Simulator
from ccerates.theory.constants import BanditConstants, bandit_constants

NAME = "evb-sim"


@dataclass(frozen=True)
class EvbSimOptions:
    """Options of EVB-sim.

    Attributes
    ----------
    constants
        ``"practical"`` (small bias, no claim of coverage) or ``"rigorous"`` (every bound holds
        with probability 1 - `failure`).
    rate_scale
        c_eta, multiplies the adaptive learning rate.
    bonus_scale
        Multiplies the regret bound R_K in the upper value; 1 with rigorous constants.
    failure
        delta, the probability with which any bound of the run may fail.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    constants: Literal["practical", "rigorous"] = "practical"
    rate_scale: float = 1.0
    bonus_scale: float = 1.0
    failure: float = 0.05

    def __post_init__(self) -> None:
        check_choice(f"{NAME}: constants", self.constants, ("practical", "rigorous"))
        check_between(f"{NAME}: rate_scale", self.rate_scale, 0.0)
        check_between(f"{NAME}: bonus_scale", self.bonus_scale, 0.0)
        check_between(f"{NAME}: failure", self.failure, 0.0, 1.0)
        if self.constants == "rigorous" and self.bonus_scale != 1.0:
            raise InputError(f"{NAME}: bonus_scale must be 1 with rigorous constants")


class EvbSimTrace(NamedTuple):
    """What the bandits saw, arrays over (horizon, states, players).

    Attributes
    ----------
    mean_gain
        Mean of the gains r + U(s').
    played_variance
        V_K, sum of the squared centred gains.
    final_rate
        eta_K.
    penalty, stability, bias, constant, regret_bound
        As in `RegretTerms`.
    pathwise_slack
        (horizon, states, players, max_actions), NaN beyond a player's own actions.
    """

    mean_gain: np.ndarray
    played_variance: np.ndarray
    final_rate: np.ndarray
    penalty: np.ndarray
    stability: np.ndarray
    bias: np.ndarray
    constant: np.ndarray
    regret_bound: np.ndarray
    pathwise_slack: np.ndarray


def samples(simulator: Simulator, rounds: int) -> int:
    """Return the number of simulator calls of a run: K H S."""
    return rounds * simulator.horizon * simulator.num_states


def learn_batch(
    simulators: Sequence[Simulator],
    rounds: int,
    seeds: Sequence[np.random.SeedSequence],
    options: EvbSimOptions | None = None,
    *,
    threads: int = 1,
    lanes: int | None = None,
) -> list[LearningResult]:
    """Run EVB-sim on several simulators of equal shape, side by side.

    Parameters
    ----------
    simulators
        One for each replicate.
    rounds
        K, rounds at each step and state.
    seeds
        Learner's stream of each replicate.
    options
        Options; the defaults are practical constants.
    threads
        Number of threads. Results do not depend on it.
    lanes
        Number of lanes; None chooses it. Results do not depend on it.

    Returns
    -------
    list of LearningResult
        One for each simulator, equal to what a run on its own returns.

    Raises
    ------
    InputError
        If shapes differ, a number is not a positive integer or simulators and seeds do not match.

    Warns
    -----
    TrivialBoundWarning
        If constants are rigorous and a regret bound reaches K B, the largest possible regret.
    """
    options = options or EvbSimOptions()
    check_integer(f"{NAME}: rounds", rounds, 1)
    check_integer(f"{NAME}: threads", threads, 1)
    check_integer(f"{NAME}: lanes", 1 if lanes is None else lanes, 1)
    batch = LaneBatch(simulators, seeds, lanes)
    kernel = columns.build_kernel(batch.lanes)
    first = simulators[0]
    horizon, num_actions = first.horizon, np.array(first.num_actions)
    run_shape = (len(simulators), horizon, first.num_states)
    value_shape = (*run_shape, first.num_players)
    entries = len(batch.entry)
    policy = np.empty((*run_shape, num_actions.prod()))
    upper, lower = np.empty(value_shape), np.empty(value_shape)
    upper_next = lower_next = np.zeros((len(simulators), first.num_states, first.num_players))
    fields = {name: np.empty(value_shape) for name in EvbSimTrace._fields}
    fields["pathwise_slack"] = np.full((*value_shape, num_actions.max()), np.nan)

    for step in tqdm(range(horizon - 1, -1, -1), desc=NAME, unit="step", leave=False, disable=None):
        gain_bound = float(horizon - step)
        constants = _step_constants(first, options, rounds, gain_bound)
        step_policy = np.empty((entries, num_actions.prod()))
        sums = np.empty((entries, first.num_players, columns.NUM_OUTPUTS))
        estimates = np.empty((entries, first.num_players, num_actions.max()))
        batch.run(
            kernel,
            threads,
            rounds,
            num_actions,
            gain_bound,
            options.rate_scale * np.sqrt(num_actions * math.log(max(rounds, 3))),
            np.array([each.maximal_rate for each in constants]),
            np.array([each.bias_deviation for each in constants]),
            np.array([each.bias_range for each in constants]),
            batch.entry,
            batch.generators(step),
            *batch.tables(step),
            upper_next,
            lower_next,
            step_policy,
            sums,
            estimates,
        )
        policy[:, step] = batch.by_replicate(step_policy)
        sums, estimates = batch.by_replicate(sums), batch.by_replicate(estimates)
        for player, each in enumerate(constants):
            place = (slice(None), step, slice(None), player)
            terms = _regret_terms(sums, estimates, player, num_actions, rounds, gain_bound, each)
            _record(fields, place, terms, sums[:, :, player], rounds)
            bonus = options.bonus_scale * terms.regret_bound / rounds
            upper[place] = np.minimum(fields["mean_gain"][place] + bonus, gain_bound)
            total = sums[:, :, player, columns.SUM_LOWER_GAIN]
            variance = sums[:, :, player, columns.SUM_LOWER_VARIANCE]
            deviation = each.lower_deviation * np.sqrt(variance) + each.lower_range * gain_bound
            lower[place] = np.maximum((total - deviation) / rounds, 0.0)
        # Contiguous like the first ones: another layout would be compiled for.
        upper_next, lower_next = (values[:, step].copy() for values in (upper, lower))

    if options.constants == "rigorous":
        largest = rounds * np.arange(horizon, 0.0, -1.0)[:, None, None]  # K B of each step
        warn_if_trivial(NAME, "regret bound", rounds, fields["regret_bound"] >= largest)
    policy /= policy.sum(axis=-1, keepdims=True)  # a sum over many rounds drifts
    return [
        LearningResult(
            NAME,
            options.constants,
            options.constants == "rigorous",
            rounds,
            samples(first, rounds),
            policy[replicate],
            upper[replicate],
            lower[replicate],
            start_certificate(simulator.start, upper[replicate], lower[replicate]),
            EvbSimTrace(**{name: values[replicate] for name, values in fields.items()}),
        )
        for replicate, simulator in enumerate(simulators)
    ]


def _step_constants(
    simulator: Simulator, options: EvbSimOptions, rounds: int, gain_bound: float
) -> list[BanditConstants]:
    """Return each player's constants; delta is shared out over players, steps and states."""
    failure = options.failure / (simulator.num_players * simulator.horizon * simulator.num_states)
    return [
        bandit_constants(options.constants, count, rounds, gain_bound, failure)
        for count in simulator.num_actions
    ]


def _regret_terms(
    sums: np.ndarray,
    estimates: np.ndarray,
    player: int,
    num_actions: np.ndarray,
    rounds: int,
    gain_bound: float,
    constants: BanditConstants,
) -> RegretTerms:
    return regret_terms(
        estimates[:, :, player, : num_actions[player]],
        sums[:, :, player, evb.SUM_CENTRED],
        sums[:, :, player, evb.SUM_STABILITY],
        sums[:, :, player, evb.SUM_BIAS],
        sums[:, :, player, columns.FINAL_RATE],
        rounds,
        gain_bound,
        constants,
    )


def _record(
    fields: dict[str, np.ndarray],
    place: tuple[slice | int, ...],
    terms: RegretTerms,
    sums: np.ndarray,
    rounds: int,
) -> None:
    """Enter one step of one player into the trace."""
    fields["mean_gain"][place] = sums[..., evb.SUM_GAIN] / rounds
    fields["played_variance"][place] = sums[..., evb.SUM_VARIANCE]
    fields["final_rate"][place] = sums[..., columns.FINAL_RATE]
    for name in ("penalty", "stability", "bias", "constant", "regret_bound"):
        fields[name][place] = getattr(terms, name)
    count = terms.pathwise_slack.shape[-1]
    fields["pathwise_slack"][(*place, slice(count))] = terms.pathwise_slack
