"""What a sweep varies, in words and symbols."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """One axis of a sweep.

    Attributes
    ----------
    words
        Name for people.
    symbol
        Mathematics, without dollar signs.
    falling
        Whether samples grow as the quantity falls. Figures show it falling to the right then.
    """

    words: str
    symbol: str
    falling: bool = False

    @property
    def label(self) -> str:
        """Words and symbol, for an axis of a figure."""
        return f"{self.words} ${self.symbol}$"

    def power(self, exponent: float) -> str:
        """Return the quantity to the power of `exponent`, as mathematics with dollar signs."""
        if exponent in (0, 1):
            return f"${self.symbol if exponent else 1}$"
        base = f"({self.symbol})" if " " in self.symbol else self.symbol
        return f"${base}^{{{exponent:g}}}$"


QUANTITIES = {
    "horizon": Quantity("horizon", "H"),
    "players": Quantity("players", "m"),
    "actions": Quantity("actions", "A"),
    "action-sum": Quantity("sum of actions", r"\Sigma_i A_i"),
    "states": Quantity("states", "S"),
    "epsilon": Quantity("epsilon", r"\varepsilon_0", falling=True),
}
"""Quantity of each axis of `ccerates.theory.rates`."""

_ALIVE_STATES = Quantity("alive states", "S - 1")


def quantity_of(axis: str, setting: str) -> Quantity:
    """Return what a sweep varies; online the axis of the states does not count the dead one."""
    return _ALIVE_STATES if (axis, setting) == ("states", "online") else QUANTITIES[axis]
