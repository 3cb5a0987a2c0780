"""Figures and tables in notebooks: as those of the paper are, the same bytes every time."""

# mypy: allow-untyped-calls

from io import BytesIO

import pandas as pd
from IPython.display import HTML, Image
from matplotlib.figure import Figure

from ccerates.plots import style

_DOTS = 200
"""Per inch, enough for screens with small pixels."""

_PIXELS = 110
"""Of the page, per inch of the figure."""


def show_figure(figure: Figure, description: str) -> Image:
    """Return a figure as an image, for the last line of a cell.

    Parameters
    ----------
    figure
        A figure made inside `ccerates.plots.style.context`.
    description
        What it shows, for readers who do not see it.
    """
    content = BytesIO()
    with style.context():
        figure.savefig(content, format="png", dpi=_DOTS, metadata={"Software": None})
    width = round(_PIXELS * figure.get_figwidth())
    return Image(content.getvalue(), format="png", width=width, alt=description)


def show_table(table: pd.DataFrame, **formats: str) -> HTML:
    """Return a table without row numbers, for the last line of a cell.

    Parameters
    ----------
    table
        What to show; missing values stay empty.
    **formats
        How numbers of a column are written, for example ``gap=".3f"``; others have four
        significant digits.
    """

    def written(column: str) -> list[str]:
        form = formats.get(column, ".4g")
        return [
            ""
            if pd.isna(value)
            else format(value, form)
            if isinstance(value, float)
            else str(value)
            for value in table[column].tolist()
        ]

    text = pd.DataFrame({column: written(column) for column in table.columns})
    return HTML(text.to_html(index=False, border=0))
