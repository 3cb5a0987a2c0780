"""Is a given policy an eps-CCE, with confidence 1 - delta? Answered from fresh samples alone."""

import time
from collections.abc import Callable

import numpy as np
from tqdm import tqdm

from ccerates.certification.answer import PlayerBound, PolicyCertificate
from ccerates.certification.deviations import largest_deviation
from ccerates.certification.draws import Draws, samples_per_round
from ccerates.certification.forecast import forecast
from ccerates.certification.markov_policy import read_policy
from ccerates.certification.policy_bounds import Values, bound_values, gap_bounds
from ccerates.certification.radii import SampledRadius, no_radius
from ccerates.certification.sampled_game import SampledGame
from ccerates.checks import check_between, check_integer
from ccerates.errors import InputError

_LOOKS = 8


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
