"""Cells of tables as people read them, with the value by which a column is sorted."""

import math
import re
from typing import NamedTuple

import numpy as np

from ccerates.analysis.tables import CSV_FLOAT

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Cell(NamedTuple):
    """What a cell shows, and its number if that is not what it shows."""

    text: str
    value: str = ""


def power(exponent: float) -> str:
    """Return for example ``⁻²``; an exponent that is no integer is written after a caret."""
    if exponent == int(exponent):
        return f"{exponent:.0f}".translate(_SUPERSCRIPTS)
    return f"^{number(exponent)}"


def number(value: float) -> str:
    """Return a number with four significant digits, or an integer below a million in full."""
    if not math.isfinite(value):
        shown = "\N{EN DASH}" if math.isnan(value) else str(value)
    elif value == int(value) and abs(value) < 1e6:
        shown = f"{value:.0f}"
    else:
        mantissa, _, exponent = f"{value:.4g}".partition("e")
        shown = mantissa
        if exponent:
            shown = f"{mantissa} \N{MULTIPLICATION SIGN} 10{power(int(exponent))}"
    return shown.replace("-", "\N{MINUS SIGN}")


def cell(value: object) -> Cell:
    """Return a cell of a table as read by `ccerates.analysis.tables.read_csv`.

    Parameters
    ----------
    value
        Number, truth value or word; NaN is a missing value.

    Returns
    -------
    Cell
        Numbers with four significant digits, integers below a million in full, yes or no for a
        truth value, a dash for a missing value; a word stays as it is.
    """
    if isinstance(value, str):
        return Cell(value)
    if isinstance(value, bool | np.bool_):
        return Cell("yes" if value else "no")
    own = float(str(value))
    shown = number(own)
    exact = "" if math.isnan(own) else CSV_FLOAT % own
    return Cell(shown, "" if exact == shown else exact)


def mathematics(words: str) -> str:
    """Return a sentence with its formulas in symbols: ``H^4``, ``sum_i A_i``, ``eps^-2``."""
    shown = re.sub(r"\beps\b", "ε", re.sub(r"\bsum_i\b", "Σ_i", words))
    shown = re.sub(r"\b(max|A|Σ)_i\b", r"\1ᵢ", shown)
    return re.sub(r"\^(-?\d+)", lambda match: match[1].translate(_SUPERSCRIPTS), shown)


def with_interval(value: float, low: float, high: float) -> str:
    """Return for example ``3.99 [3.89, 4.09]``, without an interval that is not known."""
    if not math.isfinite(value):
        return "\N{EN DASH}"
    known = math.isfinite(low) and math.isfinite(high)
    shown = f"{value:.2f}" + (f" [{low:.2f}, {high:.2f}]" if known else "")
    return shown.replace("-", "\N{MINUS SIGN}")
