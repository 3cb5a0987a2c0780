"""Tables on disk: CSV for programs, booktabs LaTeX for authors who paste them into a paper."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from ccerates.errors import InputError

CSV_FLOAT = "%.10g"
"""Enough digits to compare, few enough to be equal wherever arithmetic agrees to rounding."""


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV: no index, missing values empty, the same bytes every time.

    Parameters
    ----------
    table
        Table to write.
    path
        File to write; its folder is made if need be.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False, float_format=CSV_FLOAT, lineterminator="\n")


def read_csv(path: Path) -> pd.DataFrame:
    """Read a table that `write_csv` wrote.

    Parameters
    ----------
    path
        File to read.

    Returns
    -------
    pandas.DataFrame
        Only empty fields are missing values; a word such as ``none`` stays a word.

    Raises
    ------
    InputError
        If the file is missing or not a CSV table.
    """
    try:
        return pd.read_csv(path, keep_default_na=False, na_values=[""])
    except FileNotFoundError:
        raise InputError(f"{path}: no such table; run the rule that writes it") from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a CSV table ({error}); write it again") from error


def latex_cell(value: object) -> str:
    """Return a cell as LaTeX: integers in full, other numbers with four significant digits.

    Parameters
    ----------
    value
        Number, truth value or word.

    Returns
    -------
    str
        Numbers as mathematics, ``--`` for a missing value, yes or no for a truth value; a word
        stays as it is.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"${value}$"
    number = float(str(value))
    if np.isnan(number):
        return "--"
    mantissa, _, exponent = f"{number:.4g}".partition("e")
    power = rf" \times 10^{{{int(exponent)}}}" if exponent else ""
    return f"${mantissa}{power}$"


def write_latex(table: pd.DataFrame, path: Path, titles: Mapping[str, str]) -> None:
    r"""Write a booktabs tabular, to be read with ``\input``.

    Parameters
    ----------
    table
        Table to write.
    path
        File to write; its folder is made if need be.
    titles
        Columns to show, in this order, with their headings as plain text.

    Raises
    ------
    InputError
        If the table lacks a column of `titles`.
    """
    missing = [column for column in titles if column not in table.columns]
    if missing:
        raise InputError(f"{path}: no column {', '.join(missing)} in the table; drop its title")
    shown = table[list(titles)]
    is_text = [not pd.api.types.is_numeric_dtype(shown[column]) for column in titles]
    styler = shown.rename(columns=titles).style.hide(axis="index")
    styler = styler.format(latex_cell, escape="latex").format_index(escape="latex", axis=1)
    tabular = styler.to_latex(
        hrules=True, column_format="".join("l" if text else "r" for text in is_text)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"% Needs \\usepackage{{booktabs}}\n{tabular}", encoding="utf-8")
