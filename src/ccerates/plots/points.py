"""Draw and record in one call, so that the CSV beside a figure holds exactly what it shows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ccerates.errors import InputError

COLUMNS = ["panel", "series", "kind", "x", "y", "low", "high"]
"""Of the table of points: where, what, which kind of mark, its place and its interval."""


def require_columns(table: pd.DataFrame, columns: Iterable[str], place: str) -> None:
    """Raise `InputError` naming the columns that `table`, called `place`, lacks."""
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise InputError(
            f"{place}: missing column(s) {', '.join(missing)}; the table has "
            f"{', '.join(map(str, table.columns))}"
        )


def records(table: pd.DataFrame) -> Iterator[Any]:
    """Yield the rows of a table, columns as attributes."""
    return iter(table.itertuples(index=False))


class Panel:
    """One set of axes whose marks are also rows of a table.

    Parameters
    ----------
    axes
        Where to draw.
    name
        Value of the column ``panel``.
    """

    def __init__(self, axes: Axes, name: str) -> None:
        self.axes = axes
        self.name = name
        self._rows: list[tuple[object, ...]] = []

    def line(
        self,
        series: str,
        kind: str,
        x: ArrayLike,
        y: ArrayLike,
        band: tuple[ArrayLike, ArrayLike] | None = None,
        *,
        bars: bool = False,
        band_alpha: float = 0.18,
        **looks: Any,
    ) -> None:
        """Draw a line, with a shaded band from ``band[0]`` to ``band[1]`` if given.

        A band along a steep line is too thin to see; with `bars` every point has a pale upright
        bar instead. `band_alpha` in (0, 1] is the opacity of the band.
        """
        self._record(series, kind, x, y, band)
        self.axes.plot(np.asarray(x), np.asarray(y), **looks)
        if band is not None and bars:
            bar: dict[str, Any] = {"linewidth": 4, "alpha": 0.45, "zorder": 1.5}
            self.axes.vlines(x, *band, colors=looks["color"], **bar)
        elif band is not None:
            self.axes.fill_between(
                np.asarray(x),
                np.asarray(band[0]),
                np.asarray(band[1]),
                color=looks["color"],
                alpha=band_alpha,
                linewidth=0,
            )

    def dots(
        self,
        series: str,
        kind: str,
        x: ArrayLike,
        y: ArrayLike,
        interval: tuple[ArrayLike, ArrayLike] | None = None,
        *,
        horizontal: bool = False,
        bar_width: float = 1.1,
        **looks: Any,
    ) -> None:
        """Draw unconnected points, with a bar from ``interval[0]`` to ``interval[1]`` if given.

        The bar lies along y, or along x if `horizontal`. On a side where the end is not known (not
        finite) nothing is drawn. `bar_width` is in points.
        """
        self._record(series, kind, x, y, interval)
        if interval is not None:
            along, across = (x, y) if horizontal else (y, x)
            ends = (np.asarray(end, dtype=float) for end in interval)
            low, high = (np.where(np.isfinite(end), end, along) for end in ends)
            draw = self.axes.hlines if horizontal else self.axes.vlines
            bar: dict[str, Any] = {"linewidth": bar_width, "zorder": looks.get("zorder", 2)}
            draw(across, low, high, colors=looks["color"], **bar)
        self.axes.plot(np.asarray(x), np.asarray(y), linestyle="none", **looks)

    def _record(
        self,
        series: str,
        kind: str,
        x: ArrayLike,
        y: ArrayLike,
        interval: tuple[ArrayLike, ArrayLike] | None,
    ) -> None:
        low, high = (np.nan, np.nan) if interval is None else interval
        numbers = np.broadcast_arrays(
            *(np.asarray(part, dtype=float) for part in (x, y, low, high))
        )
        places = zip(*(part.ravel().tolist() for part in numbers), strict=True)
        self._rows.extend((self.name, series, kind, *place) for place in places)

    def points(self) -> pd.DataFrame:
        """Return everything that was drawn, `COLUMNS`, in the order of drawing."""
        return pd.DataFrame(self._rows, columns=COLUMNS)


def collect(panels: Sequence[Panel]) -> pd.DataFrame:
    """Return one table, `COLUMNS`, of everything that the panels show."""
    return pd.concat([panel.points() for panel in panels], ignore_index=True)
