"""The directive `speed-tables`: benchmarks/speed.csv and scale.csv as tables, and their figure."""

from pathlib import Path

import pandas as pd
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks"
NOT_MEASURED = "Not measured yet: there is no `benchmarks/speed.csv`. The command below makes it."

MAIN = {
    "what": "What",
    "ns_per_sample": "ns per sample",
    "samples_per_s": "samples per second",
    "ratio_to_floor": "times the floor",
    "ratio_to_numpy": "times as fast as the plain way",
}
"""Columns for the main case, with their headings."""

LARGE = {
    "game": "Game",
    "what": "What",
    "ns_per_sample": "ns per sample",
    "seconds": "seconds",
    "samples": "samples",
    "peak_mb": "peak memory, MB",
}


class SpeedTables(SphinxDirective):
    """The figure, and a section for each table."""

    def run(self) -> list[nodes.Node]:
        """Return what was measured, or a sentence that says that nothing was."""
        paths = [FOLDER / name for name in ("speed.csv", "scale.csv", "speed.svg")]
        for path in paths:
            self.env.note_dependency(str(path))
        if not all(path.exists() for path in paths):
            return self.parse_text_to_nodes(NOT_MEASURED)
        speed, scale = (pd.read_csv(path) for path in paths[:2])
        depth = len(Path(self.env.docname).parts)
        image = f"![Times and how they grow]({'../' * depth}benchmarks/speed.svg)"
        text = "\n\n".join([image, *sections(speed, scale)])
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def sections(speed: pd.DataFrame, scale: pd.DataFrame) -> list[str]:
    """Return headings and tables as Markdown."""
    main = speed[speed["game"].isin(["main", "matrix game"])]
    large = scale[scale["axis"] == "game"].rename(columns={"value": "game"})
    return [
        "## The main case",
        table(main, MAIN),
        "## Other games",
        "Nanoseconds per sample and, in brackets, times the floor of the same game.",
        by_game(speed[~speed["game"].isin(["main", "matrix game"])]),
        "## Sixteen times the samples",
        "Time of the longest run by that of the shortest; peak memory of both, with evaluation.",
        growths(scale),
        "## Two threads",
        "Time of one thread by that of two, with evaluation, 32 replicates.",
        speed_ups(scale[scale["axis"] == "threads"]),
        "## Games with very many states",
        table(large, LARGE),
    ]


def table(rows: pd.DataFrame, headings: dict[str, str]) -> str:
    """Return some columns as a Markdown table."""
    body = [[shown(row[name]) for name in headings] for _, row in rows.iterrows()]
    return markdown([list(headings.values()), *body])


def by_game(speed: pd.DataFrame) -> str:
    """Return a row for each thing measured and a column for each game."""
    games = list(dict.fromkeys(speed["game"]))
    own = speed.set_index(["what", "game"])
    lines = [["What", *games]]
    for what in dict.fromkeys(speed["what"]):
        cells = (own.loc[(what, game)] for game in games)
        times = [f"{shown(at['ns_per_sample'])} ({shown(at['ratio_to_floor'])})" for at in cells]
        lines.append([what, *times])
    return markdown(lines)


def growths(scale: pd.DataFrame) -> str:
    """Return how much longer the longest run takes, and how much more memory."""
    lines = [["What", "time", "memory, MB"]]
    memory = scale[scale["axis"] == "memory"].set_index("what")["peak_mb"]
    sizes = scale[scale["axis"] == "samples"]
    for what in dict.fromkeys(sizes["what"]):
        seconds = sizes.loc[sizes["what"] == what, "seconds"]
        own = memory.get(f"{what} and gaps")
        peaks = "" if own is None else f"{shown(own.iloc[0])} to {shown(own.iloc[-1])}"
        lines.append([what, f"{shown(seconds.iloc[-1] / seconds.iloc[0])} times", peaks])
    return markdown(lines)


def speed_ups(threads: pd.DataFrame) -> str:
    """Return the time of one thread by that of two for each learner."""
    seconds = threads.pivot(index="what", columns="value", values="seconds")
    if len(seconds.columns) < 2:
        return "The machine had one core."
    one, two = (seconds[count] for count in sorted(seconds.columns, key=int))
    ratios = [[what, shown(one[what] / two[what])] for what in dict.fromkeys(threads["what"])]
    return markdown([["What", "times as fast"], *ratios])


def markdown(rows: list[list[str]]) -> str:
    """Return rows, the first of headings, as a Markdown table."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown(value: object) -> str:
    """Return a number with three digits, nothing for a missing one, a word as it is."""
    if not isinstance(value, (int, float)):
        return str(value)
    if pd.isna(value):
        return ""
    return f"{float(f'{value:.3g}'):,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("speed-tables", SpeedTables)
    return {"parallel_read_safe": True}
