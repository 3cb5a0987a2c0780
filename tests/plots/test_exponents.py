import numpy as np
import pandas as pd
import pytest

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.exponents import DIFFERENCES, exponents_figure

NO_DIFFERENCES = pd.DataFrame(columns=DIFFERENCES)


@pytest.fixture
def table(exponents):
    """Both learners on the horizon, then one row that could not be fitted, then one online."""
    extra = pd.DataFrame(
        [
            ("simulator", "q-ftrl", "players", 1.0, np.nan, np.nan, np.nan, np.nan, "not fitted"),
            ("online", "v-learning", "epsilon", -2.0, -1.9, -1.97, -1.8, -1.85, "within bound"),
            ("online", "mine", "epsilon", np.nan, -1.5, -1.6, -1.4, -1.5, "no rate"),
        ],
        columns=[
            *("setting", "algorithm", "axis", "theory", "measured", "ci_low", "ci_high"),
            *("local_slope", "verdict"),
        ],
    )
    return pd.concat([exponents.iloc[::-1], extra], ignore_index=True)


def test_rows_stand_in_groups_in_the_order_of_the_figures(table):
    figure, _ = exponents_figure(table, NO_DIFFERENCES)
    axes = figure.axes[0]
    labels = zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)
    assert [text for _, text in sorted((y, label.get_text()) for y, label in labels)] == [
        *("SIMULATOR", "horizon $H$", "Q-FTRL", "EVB-sim", "players $m$", "Q-FTRL"),
        *("ONLINE", r"epsilon $\varepsilon_0$", "V-learning", "mine"),
    ]
    assert sorted(axes.get_yticks()) == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10]
    low, high = axes.get_ylim()
    assert low > high  # The first line is on top.


def test_points_are_distances_from_the_bound(table):
    _, points = exponents_figure(table, NO_DIFFERENCES)
    rows = points[points["kind"].isin(["measured", "local-slope"])]
    wanted = [
        ("simulator horizon q-ftrl", "measured", 0.1, 2, -0.05, 0.22),
        ("simulator horizon q-ftrl", "local-slope", 0.15, 2, -9, -9),
        ("simulator horizon evb-sim", "measured", -0.1, 3, -0.25, 0.02),
        ("simulator horizon evb-sim", "local-slope", -0.05, 3, -9, -9),
        ("online epsilon v-learning", "measured", 0.1, 9, 0.03, 0.2),
        ("online epsilon v-learning", "local-slope", 0.15, 9, -9, -9),
    ]
    names = list(rows[["series", "kind"]].itertuples(index=False, name=None))
    assert names == [row[:2] for row in wanted]
    numbers = rows[["x", "y", "low", "high"]].fillna(-9).to_numpy()
    assert numbers == pytest.approx(np.array([row[2:] for row in wanted]))


def test_bands_of_agreement_end_at_the_tolerance_or_at_the_edge(table):
    figure, points = exponents_figure(table, NO_DIFFERENCES)
    left, right = figure.axes[0].get_xlim()
    bands = points[points["kind"] == "agreement"].set_index("y")[["low", "high"]]
    wanted = {2: (-0.3, 0.3), 3: (-0.3, 0.3), 5: (left, 0.3), 9: (-0.2, right)}
    assert bands.index.to_list() == list(wanted)
    assert bands.to_numpy() == pytest.approx(np.array(list(wanted.values())))


def test_everything_drawn_is_recorded_and_in_sight(table, drawn, recorded, outside):
    table.loc[0, ["measured", "ci_low", "ci_high", "local_slope"]] = [5.5, 5.2, 5.9, 6.0]
    figure, points = exponents_figure(table, NO_DIFFERENCES)
    axes = figure.axes[0]
    assert drawn(axes) == recorded(points, "exponents")
    left, right = axes.get_xlim()
    finite = points[["x", "low", "high"]].to_numpy()
    assert np.nanmin(finite) >= left
    assert np.nanmax(finite) <= right
    assert outside(figure) == []


def test_the_words_on_the_right_say_bound_measured_and_verdict(table):
    figure, _ = exponents_figure(table, NO_DIFFERENCES)
    lines: dict[float, list[str]] = {}
    for text in figure.axes[0].texts:
        lines.setdefault(text.xy[1], []).append(text.get_text().replace("\N{MINUS SIGN}", "-"))
    assert lines == {
        0: ["bound", "measured", "verdict"],
        2: ["4", "4.10 [3.95, 4.22]", "confirmed"],
        3: ["4", "3.90 [3.75, 4.02]", "confirmed"],
        5: ["1", "", "not fitted"],
        9: ["-2", "-1.90 [-1.97, -1.80]", "within bound"],
        10: ["", "-1.50 [-1.60, -1.40]", "no rate"],
    }


def test_the_legend_and_the_axis_explain_the_marks(table, legend_texts):
    figure, _ = exponents_figure(table, NO_DIFFERENCES)
    assert legend_texts(figure) == [
        "measured, 95 % interval",
        "slope of the last two points",
        "bound",
        "agreement with the bound",
    ]
    assert figure.axes[0].get_xlabel() == "measured minus bound"


def test_a_missing_column_is_named(table):
    with pytest.raises(InputError, match=r"^exponents: missing column\(s\) verdict;"):
        exponents_figure(table.drop(columns="verdict"), NO_DIFFERENCES)


@pytest.fixture
def all_axes(sweep):
    """Exponents and differences of both learners on four axes, as the analysis makes them."""
    tables = [sweep(axis).exponents for axis in ("horizon", "players", "action-sum", "epsilon")]
    rows = []
    for table in tables:
        first, second = table["measured"]
        difference = first - second
        axis = table["axis"].iloc[0]
        row = ("simulator", axis, "q-ftrl", "evb-sim", difference, difference - 0.1, np.nan)
        rows.append(row)
    return pd.concat(tables, ignore_index=True), pd.DataFrame(rows, columns=DIFFERENCES)


def test_differences_stand_in_the_rows_of_the_baselines(all_axes, drawn, recorded):
    figure, points = exponents_figure(*all_axes)
    left, right = figure.axes
    assert drawn(left) == recorded(points, "exponents")
    assert drawn(right) == recorded(points, "differences")
    assert left.get_ylim() == right.get_ylim()
    rows = points[points["panel"] == "differences"]
    measured = rows[rows["kind"] == "measured"]
    assert measured["x"].to_numpy() == pytest.approx(np.array([0.2, 1.2, 1.2, 0.2]))
    assert measured["low"].to_numpy() == pytest.approx(measured["x"].to_numpy() - 0.1)
    assert measured["high"].isna().all()
    assert rows.loc[rows["kind"] == "bounds", "x"].to_list() == [0, 1, 1, 0]
    assert measured["y"].to_list() == [2, 5, 8, 11]
    ours = points[(points["panel"] == "exponents") & (points["kind"] == "measured")]
    lines = dict(zip(ours["series"], ours["y"], strict=True))
    assert [lines[name] for name in measured["series"]] == measured["y"].to_list()


def test_differences_are_named_in_words_and_numbers(all_axes, legend_texts, outside, crowded):
    exponents, differences = all_axes
    differences["ci_high"] = differences["difference"] + 0.1
    figure, _ = exponents_figure(exponents, differences)
    right = figure.axes[1]
    assert right.get_xlabel() == "minus EVB-sim"
    assert [text.get_text() for text in right.texts][:3] == [
        *("measured", "0.20 [0.10, 0.30]", "1.20 [1.10, 1.30]")
    ]
    assert legend_texts(figure)[-1] == "difference of the bounds"
    assert outside(figure) == []
    assert crowded(figure) == []


def test_a_baseline_without_a_bound_has_its_measured_difference_only(all_axes):
    exponents, differences = all_axes
    exponents.loc[exponents["algorithm"] == "q-ftrl", "theory"] = np.nan
    _, points = exponents_figure(exponents, differences)
    bounds = points[(points["panel"] == "differences") & (points["kind"] == "bounds")]
    assert bounds["x"].isna().all()
    rows = points[(points["panel"] == "differences") & (points["kind"] == "measured")]
    assert len(rows) == 4


def test_without_a_measured_difference_there_are_words_and_the_bounds(all_axes):
    exponents, differences = all_axes
    differences[["difference", "ci_low", "ci_high"]] = np.nan
    figure, points = exponents_figure(exponents, differences.iloc[:1])
    left, right = figure.axes[1].get_xlim()
    assert left < 0 < right
    rows = points[points["panel"] == "differences"].set_index("kind")
    assert rows.loc["bounds", "x"] == 0
    assert np.isnan(rows.loc["measured", "x"])


def test_a_missing_column_of_differences_is_named(all_axes):
    exponents, differences = all_axes
    with pytest.raises(InputError, match=r"^differences of exponents: missing column\(s\) ci_low;"):
        exponents_figure(exponents, differences.drop(columns="ci_low"))


def test_points_have_the_looks_of_their_algorithms(all_axes):
    figure, _ = exponents_figure(*all_axes)
    for axes, algorithms in zip(figure.axes, (("q-ftrl", "evb-sim"), ("q-ftrl",)), strict=True):
        colours = {line.get_color() for line in axes.get_lines() if line.get_marker() in ("o", "s")}
        assert colours == {style.SERIES[name].colour for name in algorithms}


@pytest.fixture
def both_settings(sweep, all_axes):
    """Six axes of the simulator's learners, five of the four online, as the analysis makes them."""
    exponents, differences = all_axes
    tables = [exponents, *(sweep(axis).exponents for axis in ("actions", "states"))]
    rows = []
    for axis in ("horizon", "players", "actions", "states", "epsilon"):
        table = sweep(axis, "online").exponents
        tables.append(table)
        slopes = table.set_index("algorithm")["measured"]
        for baseline in ("v-learning", "cce-v-learning", "stage-v-learning"):
            difference = slopes[baseline] - slopes["evb-online"]
            ends = (difference - 0.2, difference + 0.3)
            rows.append(("online", axis, baseline, "evb-online", difference, *ends))
    online = pd.DataFrame(rows, columns=DIFFERENCES)
    return pd.concat(tables, ignore_index=True), pd.concat([differences, online])


def test_both_settings_fit_on_a_page(both_settings, drawn, recorded, outside, crowded):
    figure, points = exponents_figure(*both_settings)
    width, height = figure.get_size_inches()
    assert (width, height < 8.5) == (6.5, True)
    for axes, panel in zip(figure.axes, ("exponents", "differences"), strict=True):
        assert drawn(axes) == recorded(points, panel)
    measured = points[points["kind"] == "measured"]
    assert measured["panel"].value_counts().to_dict() == {"exponents": 32, "differences": 19}
    heads = [label for label in figure.axes[0].get_yticklabels() if label.get_weight() == "bold"]
    names = [label.get_text().split(" $")[0] for label in heads]
    axes = ["horizon", "players", "actions", "sum of actions", "states", "epsilon"]
    online = ["horizon", "players", "actions", "alive states", "epsilon"]
    assert names == ["SIMULATOR", *axes, "ONLINE", *online]
    assert figure.axes[1].get_xlabel() == "minus EVB-sim\nor EVB-online"
    assert outside(figure) == []
    assert crowded(figure) == []


def test_differences_of_the_horizon_online_are_compared_with_those_of_the_bounds(both_settings):
    _, points = exponents_figure(*both_settings)
    rows = points[points["series"].str.startswith("online horizon")]
    rows = rows[rows["panel"] == "differences"]
    bounds, measured = (rows[rows["kind"] == kind] for kind in ("bounds", "measured"))
    assert bounds["x"].to_list() == [1, 1, 1]
    assert measured["x"].to_numpy() == pytest.approx(np.array([1.3, 0.9, 0.6]))
    assert measured["low"].to_numpy() == pytest.approx(measured["x"].to_numpy() - 0.2)
    assert measured["high"].to_numpy() == pytest.approx(measured["x"].to_numpy() + 0.3)


def test_lines_at_zero_stop_between_the_settings(both_settings):
    _, points = exponents_figure(*both_settings)
    for panel, name in (("exponents", "bound"), ("differences", "equal")):
        line = points[(points["panel"] == panel) & (points["series"] == name)]
        first_end, second_start = line["y"].iloc[1], line["y"].iloc[2]
        assert second_start - first_end > 2


def test_a_difference_of_nothing_is_named(all_axes):
    exponents, differences = all_axes
    lacking = exponents[(exponents["algorithm"] != "q-ftrl") | (exponents["axis"] != "players")]
    with pytest.raises(InputError, match="q-ftrl on the axis players, simulator, has no row among"):
        exponents_figure(lacking, differences)
