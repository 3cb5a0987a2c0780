"""The one look of all figures: a colour, a marker and a line per algorithm; sizes for print.

Colours are those of Okabe and Ito (2008) and two of Tol (2021), safe for colour-blind readers;
markers and dashes tell the algorithms apart in grey, and the online ones differ in lightness too.
Nothing is set globally: figures are made and saved inside `context`.
"""

import math
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import matplotlib
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

WIDTH = 6.5
"""Width of the text of the paper, in inches."""

GUIDE_COLOUR = "0.75"
"""Of lines that only guide the eye."""

NOTE_COLOUR = "0.25"
"""Of references and remarks."""

_RC: dict[str, Any] = {
    # Fonts that ship with matplotlib, so that a figure looks the same everywhere.
    "font.family": ["STIXGeneral"],
    "mathtext.fontset": "stix",
    "font.size": 8.5,
    "axes.titlesize": 9,
    "axes.labelsize": 8.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "axes.titlelocation": "left",
    "axes.titlepad": 5,
    "axes.linewidth": 0.6,
    "axes.edgecolor": "0.15",
    "axes.axisbelow": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "xtick.major.size": 3.5,
    "ytick.major.size": 3.5,
    "xtick.minor.size": 2,
    "ytick.minor.size": 2,
    "lines.linewidth": 1.2,
    "lines.markersize": 4.5,
    "legend.frameon": False,
    "legend.handlelength": 2.1,
    "legend.columnspacing": 1.1,
    "legend.handletextpad": 0.6,
    "figure.dpi": 100,
    "savefig.dpi": 300,
    # TrueType in PDF stays text; outlines in SVG need no font where the figure is shown.
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    # Element ids of an SVG are random without a salt.
    "svg.hashsalt": "ccerates",
}

# What would make the bytes depend on the day or on the version of a program is left out.
_METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


@dataclass(frozen=True)
class Series:
    """How one algorithm looks.

    Attributes
    ----------
    label
        Name for people.
    colour, marker, dashes
        As matplotlib understands them; `dashes` is a line style.
    """

    label: str
    colour: str
    marker: str
    dashes: Any

    def line(self) -> dict[str, Any]:
        """Return keywords of a line through the points of this algorithm."""
        return {"color": self.colour, "linestyle": self.dashes}

    def dot(self, hollow: bool = False) -> dict[str, Any]:
        """Return keywords of the points, filled or `hollow`, beside those of `line`."""
        return {
            "marker": self.marker,
            "markerfacecolor": "white" if hollow else self.colour,
            "markeredgecolor": self.colour,
            "markeredgewidth": 0.8 if hollow else 1.0,
        }


SERIES = {
    "q-ftrl": Series("Q-FTRL", "#0072B2", "o", "-"),
    "evb-sim": Series("EVB-sim", "#D55E00", "s", (0, (5, 1.2))),
    "evb-sim-no-centre": Series("no centre", "#0072B2", "o", "-"),
    "evb-sim-no-bias": Series("no variance bias", "#009E73", "^", (0, (1, 1))),
    "evb-sim-fixed-rate": Series("fixed rate", "#CC79A7", "D", (0, (5, 1, 1, 1))),
    "evb-sim-no-bonus": Series("no bonus", "#000000", "v", (0, (3, 1, 1, 1, 1, 1))),
    "evb-sim-rigorous": Series("EVB-sim, rigorous", "#882255", "P", "-"),
    "uniform-sampler": Series("uniform sampler", "#000000", "^", (0, (1, 1))),
    "v-learning": Series("V-learning", "#56B4E9", "^", (0, (1, 1))),
    "cce-v-learning": Series("CCE-V-learning", "#117733", "D", (0, (5, 1, 1, 1))),
    "stage-v-learning": Series("Stage-V-learning", "#CC79A7", "v", (0, (3, 1, 1, 1, 1, 1))),
    "evb-online": Series("EVB-online", "#882255", "P", (0, (8, 1.5))),
    "evb-online-no-centre": Series("no centre", "#0072B2", "o", "-"),
    "evb-online-no-bias": Series("no variance bias", "#009E73", "^", (0, (1, 1))),
    "evb-online-fixed-rate": Series("fixed rate", "#CC79A7", "D", (0, (5, 1, 1, 1))),
    "evb-online-no-bonus": Series("no bonus", "#000000", "v", (0, (3, 1, 1, 1, 1, 1))),
    "evb-online-rigorous": Series("EVB-online, rigorous", "#0072B2", "X", "-"),
    "evb-rigorous": Series("EVB, rigorous", "#D55E00", "s", "-"),
    "evb-practical": Series("EVB, practical", "#E69F00", "p", (0, (5, 1.2))),
    "exp3-ix": Series("Exp3-IX", "#0072B2", "o", (0, (1, 1))),
    "exp3-p": Series("Exp3.P", "#56B4E9", "^", (0, (5, 1, 1, 1))),
    "tsallis-inf": Series("Tsallis-INF", "#009E73", "D", (0, (3, 1, 1, 1, 1, 1))),
    "log-barrier": Series("log barrier", "#CC79A7", "v", (0, (8, 1.5))),
    "optimistic-log-barrier": Series("optimistic log barrier", "#000000", "<", (0, (2, 2))),
}
"""Look of each algorithm and bandit, in the order in which figures list them.

What never stands in one panel may share a look: learners of games, ablated ones, bandits. Those
that lack the same part share their label too, and one entry of a legend.
"""

_OTHERS = "X*phd<>"
"""Markers of algorithms that are not in `SERIES`, a reader's own, drawn in black."""

UNIFORM = Series("uniform play", NOTE_COLOUR, "", (0, (7, 4)))
"""Look of the gap of uniform play, a reference without points."""


def looks(algorithms: Iterable[str]) -> dict[str, Series]:
    """Return the look of each of `algorithms`, in the order in which figures list them.

    Algorithms that this module does not know come last, black, under their own name.
    """
    wanted = set(algorithms)
    known = {name: series for name, series in SERIES.items() if name in wanted}
    others = zip(sorted(wanted - SERIES.keys()), cycle(_OTHERS), strict=False)
    return known | {name: Series(name, "black", marker, ":") for name, marker in others}


@contextmanager
def context() -> Iterator[None]:
    """Use the settings of this module, whatever the user's own matplotlib settings are."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(sns.axes_style("ticks"))
        matplotlib.rcParams.update(cast(Any, _RC))
        yield


def handle(label: str, **looks: Any) -> Line2D:
    """Return an entry of a legend."""
    return Line2D([], [], label=label, **looks)


def legend_above(num_entries: int) -> dict[str, Any]:
    """Return keywords of a legend above all panels, in even rows of at most four entries."""
    num_rows = -(-num_entries // 4)
    return {"loc": "outside upper center", "ncols": -(-num_entries // num_rows)}


def with_interval(value: float, low: float, high: float) -> str:
    """Return for example ``"3.98 [3.86, 4.10]"``, without what is not known."""
    if not math.isfinite(value):
        return ""
    interval = f" [{low:.2f}, {high:.2f}]" if math.isfinite(low) and math.isfinite(high) else ""
    return f"{value:.2f}{interval}".replace("-", "\N{MINUS SIGN}")


def save_figure(figure: Figure, points: pd.DataFrame, stem: Path) -> None:
    """Write a figure as ``{stem}.pdf``, ``.svg`` and ``.png`` and its points as ``{stem}.csv``.

    The same figure gives the same bytes every time. All four files are complete before the first
    one takes its place, so an interruption leaves no half-written file.

    Parameters
    ----------
    figure
        A figure made inside `context`.
    points
        What is drawn in it, as `ccerates.plots.points.Panel` records it.
    stem
        Path without suffix; missing folders are made.
    """
    stem.parent.mkdir(parents=True, exist_ok=True)
    mark = f".{uuid.uuid4().hex}.part"
    targets = [stem.with_name(f"{stem.name}.{suffix}") for suffix in (*_METADATA, "csv")]
    parts = [target.with_name(target.name + mark) for target in targets]
    try:
        with context():
            for (suffix, metadata), part in zip(_METADATA.items(), parts, strict=False):
                figure.savefig(part, format=suffix, metadata=metadata)
        points.to_csv(parts[-1], index=False, float_format="%.12g", lineterminator="\n")
        for part, target in zip(parts, targets, strict=True):
            part.replace(target)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)
