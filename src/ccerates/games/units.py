"""Gaps in the units of a game's own reward, which an import may have rescaled to [0, 1]."""

import math
from typing import Any

from ccerates.errors import InputError
from ccerates.games.model import MarkovGame

DEFAULT_UNIT = "units of the game's own reward"


def reward_scale(game: MarkovGame) -> float:
    """Return how much of its own reward a unit of the table's reward is worth.

    Own reward = offset + scale * table reward, the same for all players, states and steps.

    Parameters
    ----------
    game
        Its metadata may hold ``reward_scale``, a number > 0; without it the two are equal.

    Raises
    ------
    InputError
        If the metadata holds no such number.
    """
    scale: Any = game.metadata.get("reward_scale", 1.0)
    numeric = isinstance(scale, int | float) and not isinstance(scale, bool)
    if not numeric or not math.isfinite(scale) or scale <= 0.0:
        raise InputError(
            f"metadata: reward_scale: expected a number > 0, got {scale!r}; make the game again"
        )
    return float(scale)


def reward_unit(game: MarkovGame) -> str:
    """Return the name of the unit of the game's own reward, its metadata's ``reward_unit``."""
    return str(game.metadata.get("reward_unit", DEFAULT_UNIT))


def own_gap(game: MarkovGame, gap: float) -> float:
    """Return a gap, or any other difference of values, in the game's own units.

    Parameters
    ----------
    game
        The game.
    gap
        In units of the table's reward.
    """
    return reward_scale(game) * gap
