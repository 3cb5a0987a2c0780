import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from ccerates.errors import InputError
from ccerates.plots.points import COLUMNS, Panel, collect, require_columns


def _panel(name="panel"):
    return Panel(Figure().subplots(), name)


def test_rows_say_what_was_drawn():
    left, right = _panel("left"), _panel("right")
    left.line("a", "mean", [1, 2], [3.0, 4.0], ([2, 3], [5, 6]), color="k")
    left.dots("b", "measured", 7, 8, color="k", marker="o")
    right.dots("c", "measured", [1, 2], [5, 5], ([4, 4], [6, np.nan]), color="k", marker="o")
    assert list(collect([left, right]).fillna(-1).itertuples(index=False, name=None)) == [
        ("left", "a", "mean", 1, 3, 2, 5),
        ("left", "a", "mean", 2, 4, 3, 6),
        ("left", "b", "measured", 7, 8, -1, -1),
        ("right", "c", "measured", 1, 5, 4, 6),
        ("right", "c", "measured", 2, 5, 4, -1),
    ]
    assert [line.get_xydata().tolist() for line in left.axes.get_lines()] == [
        [[1, 3], [2, 4]],
        [[7, 8]],
    ]


def test_an_interval_is_drawn_up_to_where_it_is_known():
    panel = _panel()
    panel.dots("a", "measured", [1, 2], [5, 5], ([4, -np.inf], [6, 7]), color="k")
    (bars,) = panel.axes.collections
    assert [segment.tolist() for segment in bars.get_segments()] == [
        [[1, 4], [1, 6]],
        [[2, 5], [2, 7]],
    ]


def test_a_horizontal_interval_lies_along_x():
    panel = _panel()
    panel.dots("a", "measured", 5, 1, (4, 6), horizontal=True, color="k")
    (bars,) = panel.axes.collections
    assert [segment.tolist() for segment in bars.get_segments()] == [[[4, 1], [6, 1]]]


def test_a_band_has_the_edges_of_the_row():
    panel = _panel()
    panel.line("a", "mean", [1, 2], [3, 4], ([2, 3], [5, 6]), color="k")
    (band,) = panel.axes.collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
    assert corners == {(1, 2), (2, 3), (1, 5), (2, 6)}


def test_a_panel_without_marks_gives_an_empty_table():
    points = collect([_panel()])
    assert points.empty
    assert list(points.columns) == COLUMNS


def test_missing_columns_are_named():
    table = pd.DataFrame(columns=["a", "b"])
    require_columns(table, ["a"], "table")
    with pytest.raises(InputError, match=r"^runs: missing column\(s\) c, d; the table has a, b$"):
        require_columns(table, ["a", "c", "d"], "runs")
