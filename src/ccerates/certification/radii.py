"""Half the widths of confidence intervals, of the samples at hand and of more of them.

The formula and the union bound are those of `policy_bounds`.
"""

from typing import Protocol

import numpy as np

from ccerates.certification.sampled_game import SampledGame
from ccerates.theory.constants import DIRECT_DEVIATION, DIRECT_RANGE, direct_iota

SIDES = (1, -1)  # upper bounds first, lower bounds second


class Radius(Protocol):
    """Half the width of a confidence interval."""

    def __call__(self, place: tuple[int, int, int], kind: slice, gains: np.ndarray) -> np.ndarray:
        """Return it for sums of gains.

        Parameters
        ----------
        place
            Side (0 or 1), step, state.
        kind
            Which of the m + sum_i A_i sums of a place they are.
        gains
            (sums, samples).

        Returns
        -------
        numpy.ndarray
            (sums,)
        """
        ...


class SampledRadius:
    """The radius of the lemma; keeps the spread of the gains that it has seen.

    Parameters
    ----------
    game
        For its dimensions.
    failure
        Probability with which any of the bounds may fail.

    Attributes
    ----------
    spread
        (2, horizon, states, m + sum_i A_i): mean of (x_k - m_k)^2.
    """

    def __init__(self, game: SampledGame, failure: float) -> None:
        self._horizon, self._events, self._failure = game.horizon, count_sums(game), failure
        sums = len(game.num_actions) + sum(game.num_actions)
        self.spread = np.full((len(SIDES), game.horizon, game.num_states, sums), np.nan)

    def __call__(self, place: tuple[int, int, int], kind: slice, gains: np.ndarray) -> np.ndarray:
        """Return the radius: see `Radius`."""
        bound, count = float(self._horizon - place[1]), gains.shape[-1]
        spread = self.spread[place][kind] = mean_square(gains, bound)
        return radius(spread, bound, count, direct_iota(self._events, count, self._failure))


class PredictedRadius:
    """The radius with more samples of the same spread.

    Parameters
    ----------
    game
        For its dimensions.
    failure
        As for `SampledRadius`.
    spread
        What that has seen.
    factor
        How many times as many samples as there are, a positive number.
    """

    def __init__(
        self, game: SampledGame, failure: float, spread: np.ndarray, factor: float
    ) -> None:
        self._horizon, self._events, self._failure = game.horizon, count_sums(game), failure
        self._spread, self._factor = spread, factor

    def __call__(self, place: tuple[int, int, int], kind: slice, gains: np.ndarray) -> np.ndarray:
        """Return the radius: see `Radius`."""
        count = max(1, int(gains.shape[-1] * self._factor))
        iota = direct_iota(self._events, count, self._failure)
        return radius(self._spread[place][kind], float(self._horizon - place[1]), count, iota)


def no_radius(place: tuple[int, int, int], kind: slice, gains: np.ndarray) -> np.ndarray:  # noqa: ARG001
    """Return zeros, with which both bounds are the estimate."""
    return np.zeros(len(gains))


def count_sums(game: SampledGame) -> int:
    """Return the number of sums that the lemma is used for."""
    kinds = len(game.num_actions) + sum(game.num_actions)
    return len(SIDES) * game.horizon * game.num_states * kinds


def mean_square(gains: np.ndarray, bound: float) -> np.ndarray:
    """Return the mean of (x_k - m_k)^2, with the mean of earlier gains as m_k.

    Parameters
    ----------
    gains
        (sums, samples) in [0, bound].
    bound
        B; m_1 = B / 2.
    """
    centre = np.empty_like(gains)
    centre[:, 0] = bound / 2.0
    earlier = np.arange(1, gains.shape[-1])
    centre[:, 1:] = np.cumsum(gains[:, :-1], axis=-1) / earlier
    squares: np.ndarray = np.square(gains - centre).mean(axis=-1)
    return squares


def radius(spread: np.ndarray, bound: float, count: int, iota: float) -> np.ndarray:
    """Return the radius of a mean of `count` gains in [0, bound] with this mean square."""
    width: np.ndarray = DIRECT_DEVIATION * np.sqrt(iota * spread / count)
    return width + DIRECT_RANGE * bound * iota / count
