"""The page on speed shows what the tables hold, and says so if there are none."""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

EXTENSION = Path(__file__).parents[2] / "docs/_extensions/speed_tables.py"


@pytest.fixture(scope="module")
def speed_tables():
    spec = importlib.util.spec_from_file_location("speed_tables", EXTENSION)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines_of(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]


def test_games_stand_side_by_side(speed_tables):
    rows = pd.DataFrame(
        [("evb-sim", "a", 30.04, 3.0), ("q-ftrl", "a", 1234.5, 9.876), ("evb-sim", "b", 0.5, 1.0),
         ("q-ftrl", "b", 7.0, None)],
        columns=["what", "game", "ns_per_sample", "ratio_to_floor"],
    )  # fmt: skip
    assert lines_of(speed_tables.by_game(rows)) == [
        ["What", "a", "b"],
        ["---", "---", "---"],
        ["evb-sim", "30 (3)", "0.5 (1)"],
        ["q-ftrl", "1,230 (9.88)", "7 ()"],
    ]


def test_threads_are_compared(speed_tables):
    threads = pd.DataFrame(
        [("evb-sim", "1", 3.0), ("evb-sim", "2", 1.5)], columns=["what", "value", "seconds"]
    )
    assert lines_of(speed_tables.speed_ups(threads))[2:] == [["evb-sim", "2"]]
    assert "one core" in speed_tables.speed_ups(threads[:1])


def test_missing_tables_are_told(speed_tables, tmp_path, monkeypatch):
    sphinx_testing = pytest.importorskip("sphinx.testing.util")
    monkeypatch.setattr(speed_tables, "FOLDER", tmp_path)
    (tmp_path / "conf.py").write_text("extensions = ['myst_parser']\n")
    (tmp_path / "index.md").write_text("# Page\n\n```{speed-tables}\n```\n")
    app = sphinx_testing.SphinxTestApp(srcdir=tmp_path)
    app.add_directive("speed-tables", speed_tables.SpeedTables)
    app.build()
    assert "Not measured yet" in (app.outdir / "index.html").read_text(encoding="utf-8")
    app.cleanup()
