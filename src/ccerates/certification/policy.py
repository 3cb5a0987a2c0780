"""Is a given policy an eps-CCE, with confidence 1 - delta? Answered from fresh samples alone."""

import time
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from tqdm import tqdm

from ccerates.certification.deviations import Deviation, largest_deviation
from ccerates.certification.draws import Draws, SampledGame, samples_per_round
from ccerates.certification.forecast import Forecast, forecast
from ccerates.certification.policy_bounds import (
    SampledRadius,
    Values,
    bound_values,
    gap_bounds,
    no_radius,
)
from ccerates.checks import check_between, check_integer
from ccerates.errors import InputError

Answer: TypeAlias = Literal["yes", "no", "not yet"]

_LOOKS = 8
_SUM_TOLERANCE = 1e-6  # of probabilities, which may have been added up in single precision


class PlayerBound(NamedTuple):
    """What one player can gain by deviating.

    Attributes
    ----------
    upper, lower
        Bounds on its gap, from -horizon to horizon.
    estimate
        Estimate of it, without a promise.
    largest
        The place that adds most to the estimate; None if nothing gains.
    """

    upper: float
    lower: float
    estimate: float
    largest: Deviation | None


class PolicyCertificate(NamedTuple):
    """Bounds on the CCE gap of a policy, and the answer that follows.

    Attributes
    ----------
    answer
        ``"yes"``: it is an epsilon-CCE; ``"no"``: it is none; ``"not yet"``: the samples do not
        tell. With probability `confidence`, ``"yes"`` and ``"no"`` are right.
    epsilon
        Largest gap that is accepted.
    confidence
        1 - failure: the probability with which all bounds hold.
    upper, lower
        Bounds on the CCE gap, the largest of the players'.
    from_start
        Whether gaps are averages over the start; if not, they are from the worst state.
    players
        Bounds on the gap of each player.
    rounds
        Rounds at each step and state that was reached: see `draws.Draws`.
    samples
        Number of samples that were drawn.
    seconds
        How long it took.
    forecast
        If the answer is ``"not yet"`` with all samples used up: how many are probably enough.
    """

    answer: Answer
    epsilon: float
    confidence: float
    upper: float
    lower: float
    from_start: bool
    players: tuple[PlayerBound, ...]
    rounds: int
    samples: int
    seconds: float
    forecast: Forecast | None


def certify_policy(
    game: SampledGame,
    policy: np.ndarray,
    *,
    epsilon: float,
    failure: float = 0.05,
    samples: int,
    seed: np.random.SeedSequence,
    report: Callable[[PolicyCertificate], object] | None = None,
) -> PolicyCertificate:
    """Answer whether a Markov policy is an epsilon-CCE of a game that can only be sampled.

    The bounds are those of `policy_bounds`. Samples are looked at up to 8 times, with 1/128, 1/64,
    ..., 1/2 and all of the rounds that they buy if every state is reached at every step; work ends
    with the first look that decides. These numbers are fixed in advance, and the looks share the
    failure probability equally, so that the answer holds whenever work ends.

    Parameters
    ----------
    game
        Simulator of the game. Answers to equal questions must be independent and equally
        distributed.
    policy
        (horizon, states, joint_actions), or with an axis for each player's actions at the end. Row
        (h, s) is a distribution; sums within 1e-6 of one are normalised, and it is the normalised
        policy that is certified. It must not depend on the samples drawn here.
    epsilon
        Largest CCE gap that is accepted, in (0, horizon).
    failure
        delta, the probability with which the answer may be wrong, in (0, 1).
    samples
        How many samples may be drawn. States that no sample leads to at a step are left out
        there, which saves their share.
    seed
        Stream of the random numbers.
    report
        Called with the outcome of every look.

    Returns
    -------
    PolicyCertificate

    Raises
    ------
    InputError
        If an argument is out of range, the samples do not last for one round at every step and
        state, or the simulator is at fault.
    """
    began = time.perf_counter()
    policy = read_policy(game, policy)
    check_between("epsilon", epsilon, 0.0, game.horizon)
    check_between("failure", failure, 0.0, 1.0)
    check_integer("samples", samples, 1)
    cost = samples_per_round(game)
    most = samples // cost
    if most < 1:
        raise InputError(
            f"samples: {samples} do not last for one round at every step and state, which takes "
            f"{cost}; take more"
        )
    draws = Draws(game, policy, most, np.random.default_rng(seed))
    with tqdm(total=most * cost, unit="sample", leave=False, disable=None) as bar:
        for rounds in sorted({max(1, most >> halvings) for halvings in range(_LOOKS)}):
            draws.extend(rounds, bar.update)
            radius = SampledRadius(game, failure / _LOOKS)
            found = _look(game, draws, radius, epsilon, failure)
            if found.answer == "not yet" and rounds == most:
                found = found._replace(
                    forecast=forecast(game, draws, radius.spread, epsilon, failure / _LOOKS)
                )
            found = found._replace(seconds=time.perf_counter() - began)
            if report is not None:
                report(found)
            if found.answer != "not yet":
                break
    return found


def read_policy(game: SampledGame, policy: np.ndarray) -> np.ndarray:
    """Return a policy as (horizon, states, joint_actions) float64 with rows that sum to one.

    Raises
    ------
    InputError
        If the shape is wrong or a row is no distribution; the message names the place.
    """
    try:
        values = np.array(policy, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"policy: not a rectangular array of numbers ({error})") from None
    places, joint = (game.horizon, game.num_states), int(np.prod(game.num_actions))
    if values.shape not in ((*places, joint), (*places, *game.num_actions)):
        raise InputError(
            f"policy: expected shape (horizon, states, joint actions) = {(*places, joint)} or "
            f"{(*places, *game.num_actions)}, got {values.shape}"
        )
    values = values.reshape(*places, joint)
    wrong = ~(values >= 0.0)  # also true for NaN
    if wrong.any():
        step, state, action = (int(each) for each in np.argwhere(wrong)[0])
        raise InputError(
            f"policy at step {step}, state {state}, joint action {action} is "
            f"{values[step, state, action]}; expected a probability in [0, 1]"
        )
    total = values.sum(axis=-1)
    wrong = ~(np.abs(total - 1.0) <= _SUM_TOLERANCE)
    if wrong.any():
        step, state = (int(each) for each in np.argwhere(wrong)[0])
        raise InputError(
            f"policy at step {step}, state {state} sums to {total[step, state]:.12g}; expected 1"
        )
    normalised: np.ndarray = values / total[..., None]
    return normalised


def _look(
    game: SampledGame, draws: Draws, radius: SampledRadius, epsilon: float, failure: float
) -> PolicyCertificate:
    """Return what the samples say so far."""
    upper, lower = gap_bounds(game.start, bound_values(game, draws, radius))
    estimate = bound_values(game, draws, no_radius)
    most, least = float(upper.max()), float(lower.max())
    return PolicyCertificate(
        answer="yes" if most <= epsilon else "no" if least > epsilon else "not yet",
        epsilon=epsilon,
        confidence=1.0 - failure,
        upper=most,
        lower=least,
        from_start=game.start is not None,
        players=_players(game, draws, estimate, upper, lower),
        rounds=draws.rounds,
        samples=draws.samples,
        seconds=0.0,
        forecast=None,
    )


def _players(
    game: SampledGame, draws: Draws, estimate: Values, upper: np.ndarray, lower: np.ndarray
) -> tuple[PlayerBound, ...]:
    estimates = gap_bounds(game.start, estimate)[0]
    return tuple(
        PlayerBound(*bounds, largest_deviation(game, draws, estimate, player))
        for player, bounds in enumerate(
            zip(upper.tolist(), lower.tolist(), estimates.tolist(), strict=True)
        )
    )
