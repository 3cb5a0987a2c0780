"""EVB-sim: an empirical-variance bandit for each player, step and state of a simulator.

Ours; the paper's section on the simulator states it as an algorithm and proves its rate. From the
last step backwards, at every state and for K rounds, all players' bandits draw one joint action,
the simulator is called once, and player i's bandit receives r_i + U_i(s'), where U is the upper
value of the next step. The cost is K H S samples, whatever the number of players.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from tqdm import tqdm

from ccerates.checks import check_between, check_choice, check_integer
from ccerates.errors import InputError
from ccerates.simulator import evb_sim_kernel as columns
from ccerates.simulator.batches import LaneBatch
from ccerates.simulator.evb_sim_trace import EvbSimTrace, empty_trace, enter_player
from ccerates.simulator.result import LearningResult, start_certificate, warn_if_trivial
from ccerates.simulator.source import Simulator
from ccerates.theory.constants import BanditConstants, bandit_constants

NAME = "evb-sim"

Ablation = Literal["none", "centre", "bias", "adaptive-rate", "bonus"]


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
    record
        Whether the trace holds `transitions`, horizon * states^2 integers.
    ablation
        A part to be switched off, to see what it is good for; with practical constants only.
        ``"centre"``: m_k = 0. ``"bias"``: b_k = 0, with eta_max as before. ``"adaptive-rate"``: the
        constant learning rate for the largest variance, B^2 K in place of V_{k-1}. ``"bonus"``:
        the mean gain is the upper value, without R_K / K. The lower value keeps its formula.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    constants: Literal["practical", "rigorous"] = "practical"
    rate_scale: float = 1.0
    bonus_scale: float = 1.0
    failure: float = 0.05
    record: bool = False
    ablation: Ablation = "none"

    def __post_init__(self) -> None:
        check_choice(f"{NAME}: constants", self.constants, ("practical", "rigorous"))
        check_between(f"{NAME}: rate_scale", self.rate_scale, 0.0)
        check_between(f"{NAME}: bonus_scale", self.bonus_scale, 0.0)
        check_between(f"{NAME}: failure", self.failure, 0.0, 1.0)
        if not isinstance(self.record, bool):
            raise InputError(f"{NAME}: record: expected true or false, got {self.record!r}")
        check_choice(f"{NAME}: ablation", self.ablation, get_args(Ablation))
        if self.constants == "rigorous" and self.ablation != "none":
            raise InputError(
                f"{NAME}: ablation {self.ablation!r} takes constants: practical; the rigorous ones "
                "hold for the whole algorithm only"
            )
        if self.constants == "rigorous" and self.bonus_scale != 1.0:
            raise InputError(f"{NAME}: bonus_scale must be 1 with rigorous constants")


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
    bonus_scale = 0.0 if options.ablation == "bonus" else options.bonus_scale
    trace = empty_trace(run_shape, first.num_actions, options.record)

    for step in tqdm(range(horizon - 1, -1, -1), desc=NAME, unit="step", leave=False, disable=None):
        gain_bound = float(horizon - step)
        constants = _step_constants(first, options, rounds, gain_bound)
        step_policy = np.empty((entries, num_actions.prod()))
        sums = np.empty((entries, first.num_players, columns.NUM_OUTPUTS))
        arms = np.empty((entries, first.num_players, num_actions.max(), columns.NUM_ARM_OUTPUTS))
        transitions = np.zeros((entries, trace.transitions.shape[-1]), dtype=np.int64)
        batch.run(
            kernel,
            threads,
            rounds,
            num_actions,
            gain_bound,
            np.array([_rate_numerator(count, rounds, options) for count in num_actions]),
            np.array([each.maximal_rate for each in constants]),
            np.array([each.bias_deviation for each in constants]),
            np.array([each.bias_range for each in constants]),
            0.0 if options.ablation == "centre" else 1.0,
            batch.entry,
            batch.generators(step),
            *batch.tables(step),
            upper_next,
            lower_next,
            step_policy,
            sums,
            arms,
            transitions,
        )
        policy[:, step] = batch.by_replicate(step_policy)
        if options.record:
            trace.transitions[:, step] = batch.by_replicate(transitions)
        sums, arms = batch.by_replicate(sums), batch.by_replicate(arms)
        for player, each in enumerate(constants):
            place = (slice(None), step, slice(None), player)
            player_sums = sums[:, :, player]
            player_arms = arms[:, :, player, : num_actions[player]]
            enter_player(trace, step, player, player_sums, player_arms, rounds, gain_bound, each)
            bonus = bonus_scale * trace.regret_bound[place] / rounds
            upper[place] = np.minimum(trace.mean_gain[place] + bonus, gain_bound)
            total = player_sums[..., columns.SUM_LOWER_GAIN]
            variance = player_sums[..., columns.SUM_LOWER_VARIANCE]
            deviation = each.lower_deviation * np.sqrt(variance) + each.lower_range * gain_bound
            lower[place] = np.maximum((total - deviation) / rounds, 0.0)
        # Contiguous like the first ones: another layout would be compiled for.
        upper_next, lower_next = (values[:, step].copy() for values in (upper, lower))

    if options.constants == "rigorous":
        largest = rounds * np.arange(horizon, 0.0, -1.0)[:, None, None]  # K B of each step
        warn_if_trivial(NAME, "regret bound", rounds, trace.regret_bound >= largest)
    policy /= policy.sum(axis=-1, keepdims=True)  # a sum over many rounds drifts
    return [
        LearningResult(
            algorithm=NAME,
            game_hash=simulator.content_hash,
            constants=options.constants,
            certified=options.constants == "rigorous",
            failure=options.failure,
            rounds=rounds,
            samples=samples(first, rounds),
            policy=policy[replicate],
            upper_value=upper[replicate],
            lower_value=lower[replicate],
            certificate=start_certificate(simulator.start, upper[replicate], lower[replicate]),
            trace=EvbSimTrace(*(field[replicate] for field in trace)),
        )
        for replicate, simulator in enumerate(simulators)
    ]


def _step_constants(
    simulator: Simulator, options: EvbSimOptions, rounds: int, gain_bound: float
) -> list[BanditConstants]:
    """Return each player's constants; delta is shared out over players, steps and states."""
    failure = options.failure / (simulator.num_players * simulator.horizon * simulator.num_states)
    constants = []
    for count in simulator.num_actions:
        each = bandit_constants(options.constants, count, rounds, gain_bound, failure)
        if options.ablation == "bias":
            each = each._replace(bias_deviation=0.0, bias_range=0.0)
        elif options.ablation == "adaptive-rate":
            # V_{k-1} stays below B^2 K: the adaptive rate never falls below this one.
            lowest = _rate_numerator(count, rounds, options) / (gain_bound * math.sqrt(1 + rounds))
            each = each._replace(maximal_rate=min(each.maximal_rate, lowest))
        constants.append(each)
    return constants


def _rate_numerator(num_actions: int, rounds: int, options: EvbSimOptions) -> float:
    """Return c_eta sqrt(A ln max(K, 3)); the adaptive rate is this by sqrt(B^2 + V)."""
    return options.rate_scale * math.sqrt(num_actions * math.log(max(rounds, 3)))
