import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.points import COLUMNS
from ccerates.plots.sweep import sweep_figure

COMMON = {"setting": "simulator", "target_fraction": 0.25}
HORIZON = {"experiment": "sim-horizon", "axis": "horizon"} | COMMON
PANELS = ("samples-to-target", "samples-to-target-over-bound", "gap-q-ftrl", "gap-evb-sim")


def _lines(axes, colour):
    """Return the lines of one colour that join at least two points."""
    return [
        line
        for line in axes.get_lines()
        if to_hex(line.get_color()) == to_hex(colour) and len(line.get_xdata()) > 1
    ]


def test_the_points_are_exactly_what_is_drawn(targets, curves, exponents, drawn, recorded):
    figure, points = sweep_figure(targets, curves, exponents, **HORIZON)
    assert list(points.columns) == COLUMNS
    assert tuple(points["panel"].unique()) == PANELS
    for axes, panel in zip(figure.axes, PANELS, strict=True):
        assert drawn(axes) == recorded(points, panel)


def test_samples_stand_at_their_horizons_with_their_intervals(targets, curves, exponents):
    figure, points = sweep_figure(targets, curves, exponents, **HORIZON)
    cells = points[points["kind"].isin(["measured", "not-fitted"])]
    for panel, power in (("samples-to-target", 0), ("samples-to-target-over-bound", 4)):
        rows = cells[cells["panel"] == panel]
        for algorithm, wanted in targets.groupby("algorithm"):
            mine = rows[rows["series"] == algorithm].sort_values("x")
            scale = wanted["value"].to_numpy() ** power
            assert mine["x"].to_list() == wanted["value"].to_list()
            assert (mine["kind"] == "measured").to_list() == wanted["fitted"].to_list()
            for column, source in (
                ("y", "samples_to_target"),
                ("low", "ci_low"),
                ("high", "ci_high"),
            ):
                assert mine[column].to_numpy() == pytest.approx(wanted[source].to_numpy() / scale)
    bars = [bar.get_segments()[0] for bar in figure.axes[0].collections]
    rows = cells[cells["panel"] == "samples-to-target"]
    wanted_bars = [[(row.x, row.low), (row.x, row.high)] for row in rows.itertuples()]
    assert np.array(bars) == pytest.approx(np.array(wanted_bars))


def test_fitted_points_are_filled_and_others_hollow(targets, curves, exponents):
    figure, _ = sweep_figure(targets, curves, exponents, **HORIZON)
    for axes in figure.axes[:2]:
        dots = [line for line in axes.get_lines() if len(line.get_xdata()) == 1]
        assert len(dots) == len(targets)
        for dot in dots:
            filled = to_hex(dot.get_markerfacecolor()) != to_hex("white")
            assert filled == (dot.get_xdata()[0] >= 8)


def test_the_fit_is_the_weighted_least_squares_line_over_its_range_only(targets, curves, exponents):
    rng = np.random.default_rng(5)
    targets["samples_to_target"] *= np.exp(rng.normal(scale=0.2, size=len(targets)))
    wanted = {}
    for algorithm, rows in targets[targets["fitted"]].groupby("algorithm"):
        x, y = np.log(rows["value"]), np.log(rows["samples_to_target"])
        wanted[algorithm] = np.polyfit(x, y, 1, w=1 / np.sqrt(rows["log_variance"]))
        exponents.loc[exponents["algorithm"] == algorithm, "measured"] = wanted[algorithm][0]
    _, points = sweep_figure(targets, curves, exponents, **HORIZON)
    for panel, power in (("samples-to-target", 0), ("samples-to-target-over-bound", 4)):
        for algorithm, line in wanted.items():
            fit = points[(points["panel"] == panel) & (points["kind"] == "fit")]
            fit = fit[fit["series"] == algorithm]
            assert fit["x"].to_list() == [8, 24]
            logs = np.polyval(line, np.log(fit["x"])) - power * np.log(fit["x"])
            assert np.log(fit["y"]).to_numpy() == pytest.approx(logs, abs=1e-10)


def test_without_variances_the_points_weigh_the_same(targets, curves, exponents):
    targets["samples_to_target"] *= np.where(targets["value"] == 12, 1.5, 1.0)
    targets["log_variance"] = np.nan
    _, points = sweep_figure(targets, curves, exponents, **HORIZON)
    rows = targets[targets["fitted"] & (targets["algorithm"] == "q-ftrl")]
    fit = points[(points["kind"] == "fit") & (points["series"] == "q-ftrl")].iloc[:2]
    middle = np.interp(np.log(rows["value"]).mean(), np.log(fit["x"]), np.log(fit["y"]))
    assert middle == pytest.approx(np.log(rows["samples_to_target"]).mean())


def test_each_algorithm_has_a_grey_guide_of_its_bounds_slope(targets, curves, exponents):
    figure, points = sweep_figure(targets, curves, exponents, **HORIZON)
    guides = _lines(figure.axes[0], style.GUIDE_COLOUR)
    rows = points[points["kind"] == "guide"]
    assert rows["series"].to_list() == [*["q-ftrl bound"] * 2, *["evb-sim bound"] * 2]
    for guide, algorithm in zip(guides, ("q-ftrl", "evb-sim"), strict=True):
        slope = np.diff(np.log(guide.get_ydata())) / np.diff(np.log(guide.get_xdata()))
        assert slope == pytest.approx(4)
        assert guide.get_linewidth() < 1
        assert guide.get_xdata().tolist() == list(figure.axes[0].get_xlim())
        # It crosses the fit in the weighted middle of the fitted points.
        mine = targets[(targets["algorithm"] == algorithm) & targets["fitted"]]
        middle = np.average(np.log(mine["value"]), weights=1 / mine["log_variance"])
        height = np.average(np.log(mine["samples_to_target"]), weights=1 / mine["log_variance"])
        ends = np.log(guide.get_xdata()), np.log(guide.get_ydata())
        assert np.interp(middle, *ends) == pytest.approx(height)
    assert list(figure.axes[0].texts) == []


def test_different_bounds_have_guides_of_their_own(sweep, legend_texts, outside):
    tables = sweep("players")
    setting = {"experiment": "sim-players", "axis": "players"} | COMMON
    figure, points = sweep_figure(*tables, **setting)
    for algorithm, power in (("q-ftrl", 1), ("evb-sim", 0)):
        guide = points[points["series"] == f"{algorithm} bound"]
        assert np.diff(np.log(guide["y"])) == pytest.approx(power * np.diff(np.log(guide["x"])))
        mine = tables.targets[tables.targets["algorithm"] == algorithm]
        rows = points[(points["panel"] == PANELS[1]) & (points["kind"] == "measured")]
        ratio = rows.loc[rows["series"] == algorithm, "y"].to_numpy()
        wanted = (mine["samples_to_target"] / mine["value"] ** power).to_numpy()
        assert ratio == pytest.approx(wanted)
    assert [text.get_text() for text in figure.axes[0].texts] == [
        *(r"$\propto$ $m$", r"$\propto$ $1$")
    ]
    assert [text.get_text() for text in figure.axes[1].get_legend().get_texts()] == [
        "over $m$; exponent 1.10 [0.95, 1.22]",
        "over $1$; exponent \N{MINUS SIGN}0.10 [\N{MINUS SIGN}0.25, 0.02]",
    ]
    assert figure.axes[1].get_ylabel() == "samples / the bound's power"
    assert legend_texts(figure)[-1] == r"guide $\propto$ the bound's power"
    assert outside(figure) == []


def test_epsilon_falls_to_the_right_and_takes_its_target_along(sweep, legend_texts, crowded):
    setting = {"experiment": "sim-epsilon", "axis": "epsilon"} | COMMON
    figure, points = sweep_figure(*sweep("epsilon"), **setting)
    for axes in figure.axes[:2]:
        left, right = axes.get_xlim()
        assert left > 1 > 0.125 > right
        assert axes.get_xlabel() == r"epsilon $\varepsilon_0$ (falling to the right)"
    assert figure.axes[1].get_ylabel() == r"samples / $\varepsilon_0^{-2}$"
    guides = points[points["kind"] == "guide"].groupby("series", sort=False)
    for _, guide in guides:
        assert np.diff(np.log(guide["y"])) == pytest.approx(-2 * np.diff(np.log(guide["x"])))
    goals = points[(points["panel"] == "gap-evb-sim") & (points["kind"] == "target")]
    assert goals["y"].to_list() == [0.03125] * 2 + [0.0625] * 2 + [0.125] * 2 + [0.25] * 2
    assert [text.get_text() for text in figure.axes[2].texts] == [
        *(r"$\varepsilon_0=1$", "$0.5$", "$0.25$", "$0.125$")
    ]
    assert r"target $\varepsilon_0/4$" in legend_texts(figure)
    assert crowded(figure) == []


@pytest.mark.parametrize(("status", "end"), [("censored", 3), ("below-grid", -3)])
def test_a_cell_off_the_grid_is_a_hollow_point_with_an_arrow(
    targets, curves, exponents, legend_texts, status, end
):
    last = targets.index[-1]
    targets.loc[last, ["status", "fitted", "ci_low", "ci_high"]] = [status, False, np.nan, np.nan]
    figure, points = sweep_figure(targets, curves, exponents, **HORIZON)
    rows = points[(points["kind"] == status) & (points["panel"] == "samples-to-target")]
    assert rows[["series", "x", "y"]].to_numpy().tolist() == [
        ["evb-sim", 24.0, targets.loc[last, "samples_to_target"]]
    ]
    there = [
        line
        for line in figure.axes[0].get_lines()
        if line.get_xdata().tolist() == [24.0] and line.get_ydata()[0] == rows["y"].iloc[0]
    ]
    arrow, dot = there
    tip = max(arrow.get_marker().vertices[:, 1], key=abs)
    assert tip == end
    assert to_hex(dot.get_markerfacecolor()) == to_hex("white")
    word = "above largest budget" if status == "censored" else "below smallest budget"
    assert word in legend_texts(figure)


def test_an_invalid_cell_is_left_out_of_the_crossings_only(targets, curves, exponents):
    first = targets.index[0]
    targets.loc[first, ["status", "fitted", "samples_to_target"]] = ["invalid", False, np.nan]
    _, points = sweep_figure(targets, curves, exponents, **HORIZON)
    q_ftrl = points[points["series"] == "q-ftrl"]
    assert not (q_ftrl["x"] == 4).any()
    assert len(points[points["series"] == "q-ftrl 4"]) == 5


def test_axes_are_logarithmic_with_plain_horizons(targets, curves, exponents):
    figure, _ = sweep_figure(targets, curves, exponents, **HORIZON)
    for axes in figure.axes:
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    for axes in figure.axes[:2]:
        labels = [label.get_text() for label in axes.get_xticklabels()]
        assert labels == ["4", "6", "8", "12", "16", "24"]
        assert axes.get_xlabel() == "horizon $H$"
    assert figure.axes[0].get_ylabel() == "samples (simulator calls)"
    assert figure.axes[1].get_ylabel() == "samples / $H^{4}$"
    assert figure.axes[0].get_title(loc="left").endswith(r"≤ $\varepsilon_0/4$")
    assert figure.axes[2].get_title(loc="left") == "(c) Q-FTRL: gap by horizon $H$"
    assert figure.axes[2].get_xlim() == figure.axes[3].get_xlim()
    assert figure.axes[2].get_ylim() == figure.axes[3].get_ylim()


def test_exponents_are_written_above_the_points(targets, curves, exponents):
    exponents.loc[1, ["ci_low", "ci_high"]] = np.nan
    figure, points = sweep_figure(targets, curves, exponents, **HORIZON)
    legend = figure.axes[1].get_legend()
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["exponent 4.10 [3.95, 4.22]", "exponent 3.90"]
    figure.draw_without_rendering()
    floor = figure.axes[1].transData.inverted().transform(legend.get_window_extent().p0)[1]
    assert points.loc[points["panel"] == PANELS[1], ["y", "high"]].max().max() < floor


def test_the_legend_names_all_there_is_and_nothing_else(targets, curves, exponents, legend_texts):
    figure, _ = sweep_figure(targets, curves, exponents, **HORIZON)
    assert legend_texts(figure) == [
        "Q-FTRL",
        "EVB-sim",
        "not fitted",
        r"target $\varepsilon_0/4$ = 0.125",
        r"guide $\propto$ $H^{4}$",
    ]
    targets = targets[targets["fitted"]]
    figure, _ = sweep_figure(targets, curves, exponents, **HORIZON)
    assert "not fitted" not in legend_texts(figure)


def test_gap_panels_show_means_quartiles_and_the_target(targets, curves, exponents):
    figure, points = sweep_figure(targets, curves, exponents, **HORIZON)
    for axes, algorithm in zip(figure.axes[2:], ("q-ftrl", "evb-sim"), strict=True):
        mine = curves[curves["algorithm"] == algorithm]
        rows = points[(points["panel"] == f"gap-{algorithm}") & (points["kind"] == "mean")]
        for column, source in (
            ("x", "samples"),
            ("y", "gap_mean"),
            ("low", "gap_quartile_low"),
            ("high", "gap_quartile_high"),
        ):
            assert rows[column].to_list() == mine[source].to_list()
        bars = np.concatenate([bar.get_segments() for bar in axes.collections])
        assert bars[:, :, 0].tolist() == [[x, x] for x in mine["samples"]]
        assert bars[:, 0, 1].tolist() == mine["gap_quartile_low"].to_list()
        assert bars[:, 1, 1].tolist() == mine["gap_quartile_high"].to_list()
        (target,) = _lines(axes, style.NOTE_COLOUR)
        assert target.get_ydata().tolist() == [0.125, 0.125]
        assert [text.get_text() for text in axes.texts] == [
            *("$H=4$", "$6$", "$8$", "$12$", "$16$", "$24$")
        ]


def test_an_algorithm_of_ones_own_gets_a_panel(
    targets, curves, exponents, drawn, recorded, outside
):
    def with_own(table):
        own = table[table["algorithm"] == "evb-sim"].assign(algorithm="mine")
        return pd.concat([table, own], ignore_index=True)

    exponents = with_own(exponents)
    exponents.loc[2, "theory"] = np.nan
    targets = with_own(targets)
    targets.loc[3, ["status", "fitted"]] = ["censored", False]
    targets.loc[8, ["status", "fitted"]] = ["below-grid", False]
    figure, points = sweep_figure(targets, with_own(curves), exponents, **HORIZON)
    assert len(figure.axes) == 5
    assert figure.axes[4].get_title(loc="left").startswith("(e) mine")
    for axes, panel in zip(figure.axes, (*PANELS, "gap-mine"), strict=True):
        assert drawn(axes) == recorded(points, panel)
    assert outside(figure) == []


def test_nothing_sticks_out_or_touches(targets, curves, exponents, outside, crowded):
    targets.loc[targets.index[-1], ["status", "fitted"]] = ["censored", False]
    figure, _ = sweep_figure(targets, curves, exponents, **HORIZON)
    assert outside(figure) == []
    assert crowded(figure) == []
    assert figure.get_size_inches()[0] == 6.5


def test_without_a_valid_cell_there_are_gaps_and_a_remark(targets, curves, exponents):
    targets[["status", "fitted"]] = ["invalid", False]
    exponents["measured"] = np.nan
    figure, points = sweep_figure(targets, curves, exponents, **HORIZON)
    assert figure.axes[0].texts[0].get_text() == "no cell with a valid target"
    assert set(points["panel"]) == {"gap-q-ftrl", "gap-evb-sim"}


def test_other_experiments_and_settings_do_not_matter(targets, curves, exponents):
    _, alone = sweep_figure(targets, curves, exponents, **HORIZON)
    other = exponents.assign(axis="players", theory=1.0)
    online = exponents.assign(setting="online", theory=6.0, algorithm="v-learning")
    _, together = sweep_figure(
        pd.concat([targets, targets.assign(experiment="sim-players")]),
        pd.concat([curves.assign(experiment="sim-players", algorithm="new"), curves]),
        pd.concat([exponents, other, online]),
        **HORIZON,
    )
    pd.testing.assert_frame_equal(alone, together)


@pytest.mark.parametrize(
    ("table", "column", "place"),
    [
        (0, "log_variance", "samples to target"),
        (1, "gap_mean", "gap curves"),
        (2, "theory", "exponents"),
    ],
)
def test_a_missing_column_is_named(targets, curves, exponents, table, column, place):
    tables = [targets, curves, exponents]
    tables[table] = tables[table].drop(columns=column)
    with pytest.raises(InputError, match=rf"^{place}: missing column\(s\) {column};"):
        sweep_figure(*tables, **HORIZON)


ONLINE = {"setting": "online", "target_fraction": 0.5}
LEARNERS = ("v-learning", "cce-v-learning", "stage-v-learning", "evb-online")


def _online(sweep, axis):
    tables = sweep(axis, "online")
    return sweep_figure(*tables, experiment=f"online-{axis}", axis=axis, **ONLINE), tables


@pytest.mark.parametrize("axis", ["horizon", "players", "actions", "states", "epsilon"])
def test_online_sweeps_have_a_panel_per_learner(
    sweep, axis, drawn, recorded, legend_texts, outside, crowded
):
    (figure, points), _ = _online(sweep, axis)
    panels = (*PANELS[:2], *(f"gap-{name}" for name in LEARNERS))
    assert tuple(points["panel"].unique()) == panels
    for axes, panel in zip(figure.axes, panels, strict=True):
        assert drawn(axes) == recorded(points, panel)
    assert legend_texts(figure)[:4] == [
        *("V-learning", "CCE-V-learning", "Stage-V-learning", "EVB-online")
    ]
    assert figure.get_size_inches().tolist() == pytest.approx([6.5, 6.7])
    assert outside(figure) == []
    assert crowded(figure) == []


def test_words_of_an_online_sweep_say_that_gaps_are_upper_bounds(sweep):
    (figure, _), _ = _online(sweep, "horizon")
    first, second, *below = figure.axes
    title = r"(a) Samples until the mean bound on the gap is ≤ $\varepsilon_0/2$"
    assert first.get_title(loc="left") == title
    assert first.get_ylabel() == "samples ($H$ per episode)"
    assert second.get_title(loc="left") == "(b) The same, divided by the bound's power"
    titles = [axes.get_title(loc="left") for axes in below]
    assert titles == [
        *("(c) V-learning, by horizon $H$", "(d) CCE-V-learning, by horizon $H$"),
        *("(e) Stage-V-learning, by horizon $H$", "(f) EVB-online, by horizon $H$"),
    ]
    words = "upper bound on CCE gap,\nmean and quartiles"
    assert [axes.get_ylabel() for axes in below] == [words, "", words, ""]
    assert [axes.get_xlabel() for axes in below] == ["", "", "samples", "samples"]


def test_each_online_learner_is_compared_with_its_own_bound(sweep):
    (figure, points), tables = _online(sweep, "horizon")
    assert [text.get_text() for text in figure.axes[0].texts] == [
        *(r"$\propto$ $H^{6}$", r"$\propto$ $H^{5}$")
    ]
    for name, power in zip(LEARNERS, (6, 6, 6, 5), strict=True):
        guide = points[points["series"] == f"{name} bound"]
        assert np.diff(np.log(guide["y"])) == pytest.approx(power * np.diff(np.log(guide["x"])))
        mine = tables.targets[tables.targets["algorithm"] == name]
        rows = points[(points["panel"] == PANELS[1]) & (points["series"] == name)]
        ratio = rows.loc[rows["kind"].isin(["measured", "not-fitted"]), "y"].to_numpy()
        wanted = (mine["samples_to_target"] / mine["value"] ** power).to_numpy()
        assert ratio == pytest.approx(wanted)
    assert [text.get_text() for text in figure.axes[1].get_legend().get_texts()] == [
        *("over $H^{6}$; exponent 6.10 [5.95, 6.22]", "over $H^{6}$; exponent 5.70 [5.55, 5.82]"),
        *("over $H^{6}$; exponent 5.40 [5.25, 5.52]", "over $H^{5}$; exponent 4.80 [4.65, 4.92]"),
    ]


def test_where_no_bound_grows_samples_are_divided_by_their_mean(sweep, legend_texts):
    (figure, points), tables = _online(sweep, "players")
    for name in LEARNERS:
        mine = tables.targets[tables.targets["algorithm"] == name]
        logs = np.log(mine["samples_to_target"])
        middle = np.exp(np.average(logs, weights=1 / mine["log_variance"]))
        rows = points[(points["panel"] == PANELS[1]) & (points["series"] == name)]
        cells = rows[rows["kind"] == "measured"]
        assert cells["y"].to_numpy() == pytest.approx((mine["samples_to_target"] / middle).array)
        assert cells["low"].to_numpy() == pytest.approx((mine["ci_low"] / middle).array)
        guide = points[points["series"] == f"{name} bound"]
        assert guide["y"].to_numpy() == pytest.approx(middle)
    assert figure.axes[1].get_title(loc="left") == "(b) The same, divided by their mean"
    assert figure.axes[1].get_ylabel() == "samples / their mean"
    assert legend_texts(figure)[-1] == "guide: constant"


def test_curves_that_end_at_one_budget_are_named_in_a_legend(sweep, crowded):
    tables = sweep("players", "online")
    number = tables.curves.groupby(["algorithm", "value"]).cumcount()
    tables.curves["samples"] = 1e6 * 2.0**number
    figure, _ = sweep_figure(*tables, experiment="online-players", axis="players", **ONLINE)
    for axes in figure.axes[2:]:
        assert list(axes.texts) == []
        legend = axes.get_legend()
        assert [text.get_text() for text in legend.get_texts()] == [
            *("$m=1$", "$2$", "$3$", "$4$", "$6$")
        ]
        # It stands below all curves.
        figure.draw_without_rendering()
        ceiling = axes.transData.inverted().transform(legend.get_window_extent().p1)[1]
        assert ceiling < tables.curves["gap_quartile_low"].min()
        curves = [line.get_color() for line in axes.get_lines() if len(line.get_xdata()) == 5]
        assert [handle.get_color() for handle in legend.legend_handles] == curves
    assert crowded(figure) == []


def test_all_panels_of_a_figure_name_the_values_in_the_same_way(sweep):
    tables = sweep("horizon", "online")
    (figure, _), _ = _online(sweep, "horizon")
    for axes in figure.axes[2:]:
        assert [text.get_text() for text in axes.texts][:2] == ["$H=4$", "$6$"]
        assert axes.get_legend() is None
    one = (tables.curves["algorithm"] == "cce-v-learning") & (tables.curves["value"] == 6)
    tables.curves.loc[one, "samples"] /= 20  # ends with the curve of the smaller horizon
    figure, _ = sweep_figure(*tables, experiment="online-horizon", axis="horizon", **ONLINE)
    for axes in figure.axes[2:]:
        assert list(axes.texts) == []
        assert axes.get_legend().get_texts()[0].get_text() == "$H=4$"


def test_powers_of_close_guides_stand_a_line_apart(sweep, crowded):
    targets, curves, exponents = sweep("horizon", "online")
    sharp = targets["algorithm"] == "evb-online"
    for column in ("samples_to_target", "ci_low", "ci_high"):
        targets.loc[sharp, column] *= 30
    figure, _ = sweep_figure(
        targets, curves, exponents, experiment="online-horizon", axis="horizon", **ONLINE
    )
    high, low = (text.xy[1] for text in figure.axes[0].texts)
    assert high - low >= 0.08 - 1e-12
    assert crowded(figure) == []
