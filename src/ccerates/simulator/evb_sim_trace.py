"""What an EVB-sim run reports of its bandits, and how it is made from the kernel's sums."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ccerates.bandits import evb
from ccerates.bandits.evb_bounds import RegretTerms, regret_terms
from ccerates.simulator import evb_sim_kernel as columns
from ccerates.theory.constants import BanditConstants


class EvbSimTrace(NamedTuple):
    """What the bandits saw, arrays over (horizon, states, players).

    Gains x_k = r + U(s') hold the upper value U of the next step, lower gains x'_k = r + L(s') the
    lower value L. Arrays over arms have a further axis over max_actions, NaN beyond a player's own
    actions.

    Attributes
    ----------
    mean_gain
        Mean of the gains. The upper value exceeds it by R_K / K times `bonus_scale`, or by what is
        left to B if that is less.
    gain_variance
        Mean of the squared differences of the gains from `mean_gain`.
    played_variance
        V_K, sum of the squared centred gains.
    lower_mean_gain
        Mean of the lower gains, which exceeds the lower value.
    lower_variance
        Mean of the squared differences of the lower gains from `lower_mean_gain`.
    final_rate
        eta_K.
    penalty, stability, bias, constant, regret_bound
        As in `RegretTerms`.
    pathwise_slack
        Over arms: as in `RegretTerms`.
    square
        Over arms: Q_K, B^2 plus the sum of the squared importance-weighted centred gains.
    range_
        Over arms: rho_K, the largest of A and of all 1/w_k.
    transitions
        (horizon, states, states) int64: in how many of the K rounds at a step and state the
        simulator led to the third axis' state; (0, 0, 0) unless recorded.
    """

    mean_gain: np.ndarray
    gain_variance: np.ndarray
    played_variance: np.ndarray
    lower_mean_gain: np.ndarray
    lower_variance: np.ndarray
    final_rate: np.ndarray
    penalty: np.ndarray
    stability: np.ndarray
    bias: np.ndarray
    constant: np.ndarray
    regret_bound: np.ndarray
    pathwise_slack: np.ndarray
    square: np.ndarray
    range_: np.ndarray
    transitions: np.ndarray


_OVER_ARMS = ("pathwise_slack", "square", "range_")


def empty_trace(
    run_shape: tuple[int, int, int], num_actions: Sequence[int], records: bool
) -> EvbSimTrace:
    """Return a trace to be filled step by step, with a leading axis over replicates.

    Parameters
    ----------
    run_shape
        (replicates, horizon, states).
    num_actions
        Number of actions of each player.
    records
        Whether transitions will be entered.
    """
    shape = (*run_shape, len(num_actions))
    fields = {name: np.full(shape, np.nan) for name in EvbSimTrace._fields}
    for name in _OVER_ARMS:
        fields[name] = np.full((*shape, max(num_actions)), np.nan)
    replicates, _, states = run_shape
    counted = (*run_shape, states) if records else (replicates, 0, 0, 0)
    fields["transitions"] = np.zeros(counted, dtype=np.int64)
    return EvbSimTrace(**fields)


def enter_player(
    trace: EvbSimTrace,
    step: int,
    player: int,
    sums: np.ndarray,
    arms: np.ndarray,
    rounds: int,
    gain_bound: float,
    constants: BanditConstants,
) -> None:
    """Enter what the bandits of one player met at one step.

    Parameters
    ----------
    trace
        Changed in place; with a leading axis over replicates.
    step, player
        Where the bandits are.
    sums
        (replicates, states, NUM_OUTPUTS): the kernel's output for this player.
    arms
        (replicates, states, A, NUM_ARM_OUTPUTS), likewise.
    rounds
        K.
    gain_bound
        B.
    constants
        What the bandits ran with.
    """
    terms = regret_terms(
        arms[..., columns.ARM_ESTIMATE],
        sums[..., evb.SUM_CENTRED],
        sums[..., evb.SUM_STABILITY],
        sums[..., evb.SUM_BIAS],
        sums[..., columns.FINAL_RATE],
        rounds,
        gain_bound,
        constants,
    )
    values = {
        "mean_gain": sums[..., evb.SUM_GAIN] / rounds,
        "gain_variance": sums[..., columns.GAIN_SPREAD] / rounds,
        "played_variance": sums[..., evb.SUM_VARIANCE],
        "lower_mean_gain": sums[..., columns.SUM_LOWER_GAIN] / rounds,
        "lower_variance": sums[..., columns.LOWER_SPREAD] / rounds,
        "final_rate": sums[..., columns.FINAL_RATE],
        "square": arms[..., columns.ARM_SQUARE],
        "range_": arms[..., columns.ARM_RANGE],
    }
    values |= {name: getattr(terms, name) for name in RegretTerms._fields}
    for name, value in values.items():
        place = getattr(trace, name)[:, step, :, player]
        if name in _OVER_ARMS:
            place = place[..., : value.shape[-1]]
        place[...] = value
