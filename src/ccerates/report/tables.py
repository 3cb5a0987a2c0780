"""Tables of the page: the columns that are shown, under headings that are all different."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from ccerates.analysis.comparison import text
from ccerates.analysis.publish import LATEX_TITLES
from ccerates.errors import InputError
from ccerates.report.cells import Cell, cell

OPEN_ROWS = 100
"""A longer table is folded away until a reader opens it."""

TALL_ROWS = 40
"""A longer table is shown in part, and scrolled."""

INLINE_BYTES = 100_000
"""A larger CSV file is linked, not copied into the page."""

_FULL_TITLES = {"verify": ("claim", "quantity", "expected", "got", "tolerance", "verdict")}


@dataclass(frozen=True)
class Column:
    """Heading of a column, and whether it holds numbers."""

    title: str
    numeric: bool


@dataclass(frozen=True)
class TableView:
    """A table as the page shows it.

    Attributes
    ----------
    name
        That of its file, without suffix.
    columns, rows
        What is shown; each row has one cell for each column.
    href
        The whole CSV file, all columns included: a path relative to the page, or the data itself.
    """

    name: str
    columns: list[Column]
    rows: list[list[Cell]]
    href: str

    @property
    def tall(self) -> bool:
        """Whether it needs a box of its own to be scrolled in."""
        return len(self.rows) > TALL_ROWS

    @property
    def folded(self) -> bool:
        """Whether it is too long to be seen at once."""
        return len(self.rows) > OPEN_ROWS


def headings(titles: Mapping[str, str]) -> list[str]:
    """Return headings that make sense one by one.

    LaTeX shows two columns ``95 % from`` and ``to`` side by side, and repeats a heading that
    belongs to the column before it; here such a heading takes up the one before.

    Parameters
    ----------
    titles
        Headings by column, in order.
    """
    found: list[str] = []
    for title in titles.values():
        before = found[-1] if found else ""
        if title == "to" and before.endswith(" from"):
            found.append(f"{before.removesuffix(' from')} to")
        elif list(titles.values()).count(title) > 1:
            found.append(f"{before}: {title.lower()}")
        else:
            found.append(title)
    return found


def _titles(name: str, table: pd.DataFrame) -> dict[str, str]:
    if name in _FULL_TITLES:
        return {column: column.capitalize() for column in _FULL_TITLES[name]}
    return dict(LATEX_TITLES.get(name, {column: column for column in table.columns}))


def table_view(name: str, table: pd.DataFrame, path: Path, folder: Path) -> TableView:
    """Return a table as the page shows it.

    Parameters
    ----------
    name
        Of the table, see `ccerates.analysis.publish.LATEX_TITLES`.
    table
        Its content.
    path
        The CSV file it was read from.
    folder
        Folder of the page.

    Raises
    ------
    InputError
        If the table lacks a column that is shown.
    """
    titles = _titles(name, table)
    missing = [column for column in titles if column not in table.columns]
    if missing:
        raise InputError(f"{path}: no column {', '.join(missing)}; make the table again")
    # Both sides of a comparison in full: four digits would hide a difference.
    show = (lambda value: Cell(text(value))) if name == "verify" else cell
    columns = [
        Column(title, pd.api.types.is_numeric_dtype(table[column]) and table[column].dtype != bool)
        for column, title in zip(titles, headings(titles), strict=True)
    ]
    rows = [[show(value) for value in row] for row in table[list(titles)].to_numpy(dtype=object)]
    return TableView(name, columns, rows, _href(path, folder))


def _href(path: Path, folder: Path) -> str:
    content = path.read_bytes()
    if len(content) > INLINE_BYTES:
        return relative_link(path, folder)
    return "data:text/csv;charset=utf-8," + quote(content, safe=",;:=@/()[]!*$")


def relative_link(path: Path, folder: Path) -> str:
    """Return the link from a page in `folder` to a file."""
    return quote(Path(os.path.relpath(path, folder)).as_posix())
