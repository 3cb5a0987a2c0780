"""How many samples would decide what those at hand leave open."""

from typing import Literal, NamedTuple

import numpy as np

from ccerates.certification.draws import Draws, fits_memory, samples_per_round
from ccerates.certification.policy_bounds import bound_values, gap_bounds
from ccerates.certification.radii import PredictedRadius
from ccerates.certification.sampled_game import SampledGame

_MOST = 2.0**40  # times as many samples
_PRECISION = 1.02
# Estimates and spreads are themselves known from samples only; tests follow forecasts on random
# games, of which with this margin most come true.
_MARGIN = 1.5


class Forecast(NamedTuple):
    """An extrapolation, without a promise.

    Attributes
    ----------
    answer
        What more samples will probably answer.
    samples
        About how many samples a run must be allowed for that.
    drawn
        How many of them it will draw, if it reaches the states that were reached so far.
    feasible
        Whether so many fit into memory.
    """

    answer: Literal["yes", "no"]
    samples: int
    drawn: int
    feasible: bool


def forecast(
    game: SampledGame, draws: Draws, spread: np.ndarray, epsilon: float, failure: float
) -> Forecast | None:
    """Return how many samples will probably decide; None if the gap is too close to epsilon.

    Estimates and spreads are taken as they are; the radii are those of more samples.

    Parameters
    ----------
    game
        For its dimensions and start.
    draws
        The samples at hand.
    spread
        What `SampledRadius` saw in them.
    epsilon
        Largest gap that is accepted.
    failure
        Probability with which the bounds of a look may fail.
    """

    def answer(factor: float) -> Literal["yes", "no"] | None:
        radius = PredictedRadius(game, failure, spread, factor)
        upper, lower = gap_bounds(game.start, bound_values(game, draws, radius))
        if upper.max() <= epsilon:
            return "yes"
        return "no" if lower.max() > epsilon else None

    low, high = 1.0, 2.0
    while (decided := answer(high)) is None:
        low, high = high, 2.0 * high
        if high > _MOST:
            return None
    while high / low > _PRECISION:
        middle = float(np.sqrt(low * high))
        at_middle = answer(middle)
        low, high = (middle, high) if at_middle is None else (low, middle)
        decided = at_middle or decided
    rounds = int(np.ceil(draws.rounds * high * _MARGIN))
    return Forecast(
        answer=decided,
        samples=rounds * samples_per_round(game),
        drawn=rounds * draws.samples // draws.rounds,
        feasible=fits_memory(game, rounds),
    )
