"""speed.csv and scale.csv: what is in them, from a tiny run of everything to files."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import scale, speed, table
from benchmarks.figure import speed_figure
from benchmarks.peers import jax_setup
from benchmarks.probe import Probe, probe
from benchmarks.timing import Task, Timing
from ccerates.analysis.tables import read_csv

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tiny, tmp_path_factory):
    """The folder that a run wrote, on games that take no time."""
    folder = tmp_path_factory.mktemp("speed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "cases", lambda cache, share: [tiny])
        patch.setattr(scale, "dense", lambda **sizes: tiny.game)
        patch.setattr(scale, "THREADED_REPLICATES", 2)
        patch.setattr(scale, "case_of", lambda *args, **options: tiny)
        patch.setattr(scale, "probe", lambda *args: Probe(2.0, 100, 150.0))
        speed.main(["--output", str(folder), "--share", "0.004", "--repetitions", "1"])
    return folder


def test_a_run_writes_tables_and_figure_and_nothing_else(made):
    names = {path.name for path in made.iterdir()}
    assert names == {"speed.csv", "scale.csv", "speed.pdf", "speed.svg", "speed.png"}


def test_every_learner_and_peer_has_a_row(made):
    rows = read_csv(made / "speed.csv")
    assert tuple(rows.columns) == table.COLUMNS
    assert (rows[["ns_per_sample", "ns_min", "ns_max", "samples_per_s", "samples"]] > 0).all(
        axis=None
    )
    whats = list(rows["what"])
    assert len(set(whats)) == len(whats)
    styles = {"NumPy loop", "vectorised NumPy", "plain Numba"}
    styles |= {"JAX"} if jax_setup.is_installed() else set()
    peers = {f"{name}, {style}" for name in ("evb-sim", "v-learning") for style in styles}
    floors = {"random numbers", "simulator look-ups", "episode look-ups"}
    gaps = {"gap evaluation", "gap evaluation by OpenSpiel's cce_dist"}
    learners = {each + end for each in scale.LEARNERS for end in ("", " and gaps")}
    assert set(whats) == floors | learners | peers | gaps
    main = rows[rows["game"] == "main"]
    assert (main[["players", "actions", "states", "horizon"]] == [2, 2, 3, 2]).all(axis=None)


def test_scale_has_every_axis(made):
    rows = read_csv(made / "scale.csv")
    assert tuple(rows.columns) == scale.COLUMNS
    assert set(rows["axis"]) == {
        *("samples", "threads", "horizon", "states", "actions", "players", "memory", "game")
    }
    assert set(rows.loc[rows["axis"] == "game", "value"]) == {"goofspiel-5", "dense-1000"}
    probed = rows["axis"].isin(["memory", "game"])
    assert (rows["peak_mb"].notna() == probed).all()
    np.testing.assert_allclose(rows["seconds"] * 1e9 / rows["samples"], rows["ns_per_sample"])


def test_figure_shows_the_tables(made):
    rows, growth = (read_csv(made / f"{name}.csv") for name in ("speed", "scale"))
    _, points = speed_figure(rows, growth)
    main = rows[rows["game"] == "main"].set_index("what")
    times = points[(points["panel"] == "times") & (points["kind"] == "median")]
    assert set(times["series"]) == set(main.index)
    expected = main.loc[times["series"]]
    np.testing.assert_array_equal(times["x"], expected["ns_per_sample"])
    np.testing.assert_array_equal(times["low"], expected["ns_min"])
    assert set(points["panel"]) == {"times", *growth["axis"]} - {"threads", "game"}
    memory = points[points["panel"] == "memory"]
    np.testing.assert_array_equal(memory["y"], growth.loc[growth["axis"] == "memory", "peak_mb"])


def test_ratios_compare_with_the_row_that_belongs_to_it():
    times = {
        "simulator look-ups": 10.0,
        "episode look-ups": 20.0,
        "evb-sim and gaps": 30.0,
        "v-learning": 60.0,
        "v-learning, NumPy loop": 6_000.0,
        "gap evaluation": 5.0,
        "gap evaluation by OpenSpiel's cce_dist": 50.0,
    }
    tasks = [Task(what, 2, lambda: None) for what in times]
    timings = [Timing(2e-9 * each, 1e-9 * each, 4e-9 * each) for each in times.values()]
    rows = table.rows("main", tasks, timings).set_index("what")
    np.testing.assert_allclose(rows["ns_per_sample"], list(times.values()))
    np.testing.assert_allclose(rows["ns_max"], 2 * rows["ns_per_sample"])
    np.testing.assert_allclose(rows["samples_per_s"] * rows["ns_per_sample"], 1e9)
    np.testing.assert_allclose(rows["ratio_to_floor"][:5], [1, 1, 3, 3, 300])
    assert rows["ratio_to_floor"][5:].isna().all()
    numpy_ = rows["ratio_to_numpy"]
    assert (numpy_["v-learning"], numpy_["gap evaluation"]) == pytest.approx((100.0, 10.0))
    assert math.isnan(numpy_["evb-sim and gaps"])  # no NumPy loop was measured


def test_a_process_tells_its_own_memory(tmp_path):
    found = probe("evb-sim", "main", 2e-3, tmp_path)
    assert found.samples == 20 * 5 * 8 * 8  # rounds, steps, states
    assert found.seconds > 0
    assert 30 < found.peak_mb < 4_000  # Python and NumPy at least; no test machine has less


@pytest.mark.parametrize(("name", "module"), [("speed", table), ("scale", scale)])
def test_committed_tables_are_of_this_form(name, module):
    path = ROOT / "benchmarks" / f"{name}.csv"
    if not path.exists():
        pytest.skip("nothing has been measured yet")
    rows = pd.read_csv(path)
    assert tuple(rows.columns) == module.COLUMNS
    assert (rows["ns_per_sample"] > 0).all()
