from itertools import pairwise

import matplotlib
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from ccerates.plots import style
from ccerates.plots.points import COLUMNS
from ccerates.plots.real_games import real_games_figure

ALGORITHMS = (
    *("q-ftrl", "evb-sim"),
    *("v-learning", "cce-v-learning", "stage-v-learning", "evb-online"),
)


BANDITS = (
    *("evb-rigorous", "evb-practical", "exp3-ix", "exp3-p"),
    *("tsallis-inf", "log-barrier", "optimistic-log-barrier"),
)


@pytest.mark.parametrize("names", [ALGORITHMS, BANDITS])
def test_every_algorithm_differs_in_colour_marker_and_line(names):
    looks = style.looks(names)
    assert tuple(looks) == names
    for part in ("label", "colour", "marker", "dashes"):
        assert len({getattr(look, part) for look in looks.values()}) == len(names)


@pytest.mark.parametrize("names", [ALGORITHMS, BANDITS])
def test_colours_stay_apart_for_colour_blind_readers(names):
    # Viénot, Brettel and Mollon (1999): what a deuteranope sees, in linear RGB.
    to_deuteranope = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))

    def seen(colour):
        linear = [channel**2.2 for channel in to_rgb(colour)]
        mixed = (sum(w * x for w, x in zip(row, linear, strict=True)) for row in to_deuteranope)
        return [max(value, 0.0) ** (1 / 2.2) for value in mixed]

    colours = [seen(style.SERIES[name].colour) for name in names]
    for place, one in enumerate(colours):
        for other in colours[:place]:
            assert max(abs(a - b) for a, b in zip(one, other, strict=True)) > 0.08


def test_online_learners_differ_in_grey():
    def lightness(colour):
        linear = [channel**2.2 for channel in to_rgb(colour)]
        return 100 * (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]) ** (1 / 2.4)

    steps = sorted(lightness(style.SERIES[name].colour) for name in ALGORITHMS[2:])
    assert min(high - low for low, high in pairwise(steps)) > 7


def test_an_unknown_algorithm_comes_last_under_its_own_name():
    looks = style.looks(["mine", "evb-sim", "also-mine", "q-ftrl", "mine"])
    assert list(looks) == ["q-ftrl", "evb-sim", "also-mine", "mine"]
    assert looks["mine"].label == "mine"
    assert looks["mine"].marker != looks["also-mine"].marker


def test_settings_are_not_global_and_ignore_the_users():
    with matplotlib.rc_context({"font.size": 30.0, "text.usetex": True, "axes.grid": True}):
        before = dict(matplotlib.rcParams)
        with style.context():
            assert matplotlib.rcParams["font.size"] < 10
            assert not matplotlib.rcParams["text.usetex"]
            assert not matplotlib.rcParams["axes.grid"]
        assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((3.981, 3.864, 4.1), "3.98 [3.86, 4.10]"),
        ((-2.0, -2.1, -1.9), "-2.00 [-2.10, -1.90]".replace("-", "\N{MINUS SIGN}")),
        ((3.981, float("nan"), 4.1), "3.98"),
        ((float("nan"),) * 3, ""),
    ],
)
def test_a_number_with_its_interval_leaves_out_what_is_not_known(numbers, text):
    assert style.with_interval(*numbers) == text


def _small_figure() -> Figure:
    with style.context():
        figure = Figure(figsize=(2, 1), layout="constrained")
        figure.subplots().plot([1, 2], [3, 4], label="$x^2$")
    return figure


POINTS = pd.DataFrame([("panel", "series", "kind", 1.5, 1e10 / 3, 0.1, None)], columns=COLUMNS)


def test_two_renderings_have_the_same_bytes(gaps, tmp_path, monkeypatch):
    for name, day in (("first", "0"), ("second", "1700000000")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", day)
        style.save_figure(*real_games_figure(gaps(1)), tmp_path / "new" / name)
    for suffix in ("pdf", "svg", "png", "csv"):
        first, second = (tmp_path / "new" / f"{name}.{suffix}" for name in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()
        assert first.stat().st_size > 500
    assert len(list((tmp_path / "new").iterdir())) == 8


def test_files_carry_no_date_and_only_fonts_that_ship_with_matplotlib(tmp_path):
    style.save_figure(_small_figure(), POINTS, tmp_path / "figure")
    pdf = (tmp_path / "figure.pdf").read_bytes()
    fonts = {part.split()[0] for part in pdf.split(b"/BaseFont /")[1:]}
    assert fonts
    assert all(b"STIX" in font for font in fonts)
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    assert b"CreationDate" not in pdf
    svg = (tmp_path / "figure.svg").read_text()
    assert "<dc:date>" not in svg
    assert "<text" not in svg
    assert b"Software" not in (tmp_path / "figure.png").read_bytes()


def test_the_csv_holds_the_points(tmp_path):
    style.save_figure(_small_figure(), POINTS, tmp_path / "figure")
    text = (tmp_path / "figure.csv").read_bytes().decode()
    assert text == ("panel,series,kind,x,y,low,high\npanel,series,kind,1.5,3333333333.33,0.1,\n")


def test_a_failure_leaves_the_old_files_alone(tmp_path, monkeypatch):
    style.save_figure(_small_figure(), POINTS, tmp_path / "figure")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def fail(*_args, **_keywords):
        raise OSError("disk full")

    monkeypatch.setattr(pd.DataFrame, "to_csv", fail)
    figure = _small_figure()
    figure.axes[0].plot([1, 2], [4, 3])
    with pytest.raises(OSError, match="disk full"):
        style.save_figure(figure, POINTS, tmp_path / "figure")
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
