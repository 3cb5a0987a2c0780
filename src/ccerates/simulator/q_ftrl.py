"""Q-FTRL, the published learner for simulators: every action of every player is sampled.

Source: Li, Chi, Wei and Chen, "Minimax-optimal multi-agent RL in Markov games with a generative
model" (2022), arXiv:2208.10458, algorithm 1. At every step and state, for K rounds, player i draws
for each of its actions a the other players' actions from their current policies, calls the
simulator once and gets q_k(a) = r_i + V_i(s'), where V is the optimistic value of the next step:

    alpha_k = c_a ln K / (k - 1 + c_a ln K),  Q_k = (1 - alpha_k) Q_{k-1} + alpha_k q_k,
    pi_{k+1} proportional to exp(eta_{k+1} Q_k),  eta_{k+1} = sqrt(ln K / (alpha_k H)).

With w_k = alpha_k prod_{j>k} (1 - alpha_j), the output is sum_k w_k (product of the pi_k), and the
value is sum_k w_k <pi_k, q_k> + beta, at most the number of steps left. The cost is
K H S sum_i A_i samples.

The certificate is ours. Each action's samples are drawn afresh whatever was played, so that the
deviation lemma without importance weights bounds a deviation's value from above, action by action,
and the policy's own value from below. It does not rest on beta or on the learning constants.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from tqdm import tqdm

from ccerates.checks import check_between, check_choice, check_integer
from ccerates.simulator import q_ftrl_kernel as columns
from ccerates.simulator.batches import LaneBatch
from ccerates.simulator.result import LearningResult, start_certificate, warn_if_trivial
from ccerates.simulator.source import Simulator
from ccerates.theory.constants import DIRECT_DEVIATION, DIRECT_RANGE, direct_iota

NAME = "q-ftrl"

# c_a and c_b. The paper's theorem needs c_a >= 24 and c_b "large enough", without a number: that
# 1 is large enough is not certified. A larger c_b moves the optimistic value towards its trivial
# bound, where it says nothing about which action is better: hence the practical 0.01.
LEARNING_CONSTANTS = {"practical": (2.0, 0.01), "theory": (24.0, 1.0)}


@dataclass(frozen=True)
class QFtrlOptions:
    """Options of Q-FTRL.

    Attributes
    ----------
    constants
        ``"practical"`` (c_a = 2, c_b = 0.01) or ``"theory"`` (c_a = 24, c_b = 1; the paper asks
        for c_a >= 24 and does not give c_b). The upper and lower values hold with either.
    rate_scale
        Multiplies the learning rate eta.
    bonus_scale
        Multiplies c_b.
    failure
        delta, the probability with which the upper and lower values of the run may fail.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    constants: Literal["practical", "theory"] = "practical"
    rate_scale: float = 1.0
    bonus_scale: float = 1.0
    failure: float = 0.05

    def __post_init__(self) -> None:
        check_choice(f"{NAME}: constants", self.constants, tuple(LEARNING_CONSTANTS))
        check_between(f"{NAME}: rate_scale", self.rate_scale, 0.0)
        check_between(f"{NAME}: bonus_scale", self.bonus_scale, 0.0)
        check_between(f"{NAME}: failure", self.failure, 0.0, 1.0)


class QFtrlTrace(NamedTuple):
    """What the players saw, arrays over (horizon, states, players).

    Attributes
    ----------
    value
        The algorithm's own optimistic value V, which drives learning; not a certified bound.
    mean_gain
        sum_k w_k <pi_k, q_k>, from which `value` is made.
    bonus
        beta, in [0, inf).
    arm_mean, arm_deviation
        (horizon, states, players, max_actions), NaN beyond a player's own actions: weighted mean
        of an action's gains r + U(s'), U the upper value, and what the upper value adds to it.
    lower_mean, lower_deviation
        Weighted mean of the gains r + L(s') of what was played, L the lower value, and what the
        lower value takes off.
    """

    value: np.ndarray
    mean_gain: np.ndarray
    bonus: np.ndarray
    arm_mean: np.ndarray
    arm_deviation: np.ndarray
    lower_mean: np.ndarray
    lower_deviation: np.ndarray


def samples(simulator: Simulator, rounds: int) -> int:
    """Return the number of simulator calls of a run: K H S sum_i A_i."""
    return rounds * simulator.horizon * simulator.num_states * sum(simulator.num_actions)


def learn_batch(
    simulators: Sequence[Simulator],
    rounds: int,
    seeds: Sequence[np.random.SeedSequence],
    options: QFtrlOptions | None = None,
    *,
    threads: int = 1,
    lanes: int | None = None,
) -> list[LearningResult]:
    """Run Q-FTRL on several simulators of equal shape, side by side.

    Parameters
    ----------
    simulators
        One for each replicate.
    rounds
        K >= 2, rounds at each step and state.
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
        One for each simulator, equal to what a run on its own returns. The upper and lower values
        hold with probability 1 - `options.failure` whatever the constants.

    Raises
    ------
    InputError
        If shapes differ, `rounds` is below 2, another number is not a positive integer or
        simulators and seeds do not match.

    Warns
    -----
    TrivialBoundWarning
        If constants are those of the theory and a bonus reaches the number of steps left.
    """
    options = options or QFtrlOptions()
    check_integer(f"{NAME}: rounds", rounds, 2)
    check_integer(f"{NAME}: threads", threads, 1)
    check_integer(f"{NAME}: lanes", 1 if lanes is None else lanes, 1)
    batch = LaneBatch(simulators, seeds, lanes)
    kernel = columns.build_kernel(batch.lanes)
    first = simulators[0]
    constants = _constants(first, options, rounds)
    num_actions = np.array(first.num_actions)
    entries, num_joint_actions = len(batch.entry), num_actions.prod()
    next_value = np.zeros(
        (len(simulators), first.num_states, first.num_players, columns.NUM_VALUES)
    )
    policies, values, traces = [], [], []

    for step in tqdm(
        range(first.horizon - 1, -1, -1), desc=NAME, unit="step", leave=False, disable=None
    ):
        gain_bound = float(first.horizon - step)
        policy = np.empty((entries, num_joint_actions))
        arms = np.empty((entries, len(num_actions), num_actions.max(), columns.NUM_ARM_SUMS))
        sums = np.empty((entries, len(num_actions), columns.NUM_SUMS))
        batch.run(
            kernel,
            threads,
            rounds,
            num_actions,
            gain_bound,
            constants.step_size,
            constants.rate,
            batch.entry,
            batch.generators(step),
            *batch.tables(step),
            next_value,
            policy,
            arms,
            sums,
        )
        arms, sums = batch.by_replicate(arms), batch.by_replicate(sums)
        trace = _step_trace(arms, sums, num_actions, constants, gain_bound)
        next_value = _step_values(trace, gain_bound)
        policies.append(batch.by_replicate(policy))
        values.append(next_value)
        traces.append(trace)

    policy, value = _stack_steps(policies), _stack_steps(values)
    policy /= policy.sum(axis=-1, keepdims=True)  # an average over many rounds drifts
    upper, lower = value[..., columns.UPPER], value[..., columns.LOWER]
    stacked = QFtrlTrace(*map(_stack_steps, zip(*traces, strict=True)))
    if options.constants == "theory":
        largest = np.arange(first.horizon, 0.0, -1.0)[:, None, None]
        warn_if_trivial(NAME, "bonus", rounds, stacked.bonus >= largest)
    return [
        LearningResult(
            algorithm=NAME,
            game_hash=simulator.content_hash,
            constants=options.constants,
            certified=True,  # the upper and lower values do not rest on the learning constants
            failure=options.failure,
            rounds=rounds,
            samples=samples(first, rounds),
            policy=policy[replicate],
            upper_value=upper[replicate],
            lower_value=lower[replicate],
            certificate=start_certificate(simulator.start, upper[replicate], lower[replicate]),
            trace=QFtrlTrace(*(field[replicate] for field in stacked)),
        )
        for replicate, simulator in enumerate(simulators)
    ]


class _Constants(NamedTuple):
    """Numbers of one run.

    Attributes
    ----------
    step_size
        c_a ln K; alpha_k is step_size / (k - 1 + step_size).
    rate
        sqrt(ln K / H) times `rate_scale`; eta_{k+1} is rate / sqrt(alpha_k).
    bonus
        The factor of the bonus: beta is bonus (sum_k w_k Var + horizon).
    horizon
        H.
    largest_weight
        max_k w_k.
    iota
        (players,) of the deviation lemma, delta shared out over players, steps and states.
    """

    step_size: float
    rate: float
    bonus: float
    horizon: int
    largest_weight: float
    iota: np.ndarray


def _constants(simulator: Simulator, options: QFtrlOptions, rounds: int) -> _Constants:
    averaging, bonus = LEARNING_CONSTANTS[options.constants]
    horizon, num_states = simulator.horizon, simulator.num_states
    log_rounds = math.log(rounds)
    step_size = averaging * log_rounds
    log_events = math.log(rounds * num_states * sum(simulator.num_actions) / options.failure)
    failure = options.failure / (simulator.num_players * horizon * num_states)
    return _Constants(
        step_size,
        options.rate_scale * math.sqrt(log_rounds / horizon),
        options.bonus_scale * bonus * math.sqrt(log_events**3 / (rounds * horizon)),
        horizon,
        # w_{k+1} / w_k = (k - 1 + step_size) / k and step_size >= 1: the last round's is largest.
        step_size / (rounds - 1 + step_size),
        # A deviation for each action and one for the lower value.
        np.array([direct_iota(count + 1, rounds, failure) for count in simulator.num_actions]),
    )


def _step_trace(
    arms: np.ndarray,
    sums: np.ndarray,
    num_actions: np.ndarray,
    constants: _Constants,
    gain_bound: float,
) -> QFtrlTrace:
    """Return the trace of one step, over (replicates, states, players)."""
    scale = DIRECT_DEVIATION * np.sqrt(constants.iota)
    offset = DIRECT_RANGE * constants.largest_weight * gain_bound * constants.iota
    # Players may have fewer actions than there is room for.
    arms = np.where(
        np.arange(arms.shape[3]) < num_actions[:, None], np.moveaxis(arms, -1, 0), np.nan
    )
    arm_roots = np.sqrt(arms[columns.ARM_UPPER_SQUARE])
    lower_roots = np.sqrt(sums[..., columns.SUM_LOWER_SQUARE])
    mean_gain = sums[..., columns.SUM_GAIN]
    bonus = constants.bonus * (sums[..., columns.SUM_VARIANCE] + constants.horizon)
    return QFtrlTrace(
        value=np.minimum(mean_gain + bonus, gain_bound),
        mean_gain=mean_gain,
        bonus=bonus,
        arm_mean=arms[columns.ARM_UPPER],
        arm_deviation=scale[:, None] * arm_roots + offset[:, None],
        lower_mean=sums[..., columns.SUM_LOWER],
        lower_deviation=scale * lower_roots + offset,
    )


def _step_values(trace: QFtrlTrace, gain_bound: float) -> np.ndarray:
    """Return the kernel's `next_value`: (replicates, states, players, NUM_VALUES)."""
    values = np.empty((*trace.value.shape, columns.NUM_VALUES))
    largest = np.nanmax(trace.arm_mean + trace.arm_deviation, axis=-1)
    values[..., columns.VALUE] = trace.value
    values[..., columns.UPPER] = np.minimum(largest, gain_bound)
    values[..., columns.LOWER] = np.maximum(trace.lower_mean - trace.lower_deviation, 0.0)
    return values


def _stack_steps(last_to_first: Sequence[np.ndarray]) -> np.ndarray:
    """Return arrays of single steps as one array over (replicates, horizon, ...)."""
    return np.stack(last_to_first[::-1], axis=1)
