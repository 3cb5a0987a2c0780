import numpy as np
import pandas as pd
import pytest

from ccerates.errors import InputError
from ccerates.plots.players import players_figure

SETTING = {"num_actions": 3, "first_actions": 16, "target_fraction": 0.25}
PANELS = (
    *("players-samples", "players-samples-over-bound"),
    *("action-sum-samples", "action-sum-samples-over-bound"),
)


@pytest.fixture
def tables(sweep):
    """Targets and exponents of both sweeps, and of one that does not matter."""
    sweeps = [sweep(axis) for axis in ("players", "horizon", "action-sum")]
    return [
        pd.concat([getattr(one, name) for one in sweeps], ignore_index=True)
        for name in ("targets", "exponents")
    ]


def test_the_points_are_exactly_what_is_drawn(tables, drawn, recorded):
    figure, points = players_figure(*tables, **SETTING)
    assert tuple(points["panel"].unique()) == PANELS
    first, second, third, fourth = figure.axes
    for axes, panel in zip((first, third, second, fourth), PANELS, strict=True):
        assert drawn(axes) == recorded(points, panel)


@pytest.mark.parametrize(("axis", "values"), [("players", 5), ("action-sum", 4)])
def test_samples_and_samples_over_the_bound_are_those_of_the_table(tables, axis, values):
    _, points = players_figure(*tables, **SETTING)
    for algorithm, power in (("q-ftrl", 1), ("evb-sim", 0)):
        wanted = tables[0]
        wanted = wanted[(wanted["algorithm"] == algorithm) & (wanted["axis"] == axis)]
        assert len(wanted) == values
        for panel, divided in ((f"{axis}-samples", 0), (f"{axis}-samples-over-bound", power)):
            rows = points[(points["panel"] == panel) & (points["series"] == algorithm)]
            rows = rows[rows["kind"] == "measured"]
            scale = wanted["value"].to_numpy() ** divided
            assert rows["x"].to_list() == wanted["value"].to_list()
            for column, source in (
                ("y", "samples_to_target"),
                ("low", "ci_low"),
                ("high", "ci_high"),
            ):
                assert rows[column].to_numpy() == pytest.approx(wanted[source].to_numpy() / scale)


def test_guides_grow_with_the_sum_for_one_and_not_at_all_for_the_other(tables):
    _, points = players_figure(*tables, **SETTING)
    guides = points[points["kind"] == "guide"]
    assert len(guides) == 8
    for (_, series), guide in guides.groupby(["panel", "series"]):
        power = {"q-ftrl bound": 1, "evb-sim bound": 0}[series]
        assert np.diff(np.log(guide["y"])) == pytest.approx(power * np.diff(np.log(guide["x"])))


def test_sums_stand_with_the_actions_of_the_second_player(tables):
    figure, _ = players_figure(*tables, **SETTING)
    for axes in (figure.axes[1], figure.axes[3]):
        assert [label.get_text() for label in axes.get_xticklabels()] == [
            *("18\n$A_2=2$", "20\n$A_2=4$", "24\n$A_2=8$", "32\n$A_2=16$")
        ]
        assert axes.get_xlabel() == r"sum of actions $\Sigma_i A_i$"
    titles = [axes.get_title(loc="left") for axes in figure.axes[:2]]
    assert titles == [
        "(a) Players with $A=3$ actions each",
        "(b) Two players, $A_1=16$ and $A_2$ actions",
    ]
    assert figure.axes[0].get_ylabel() == r"samples until mean gap ≤ $\varepsilon_0/4$"


def test_the_legend_names_what_either_sweep_shows(tables, legend_texts, outside, crowded):
    targets, exponents = tables
    last = targets.index[-1]
    targets.loc[last, ["status", "fitted", "ci_low", "ci_high"]] = ["censored", False] + [
        np.nan
    ] * 2
    figure, points = players_figure(targets, exponents, **SETTING)
    assert legend_texts(figure) == [
        *("Q-FTRL", "EVB-sim", "above largest budget"),
        r"guide $\propto$ the bound's power",
    ]
    assert set(points.loc[points["kind"] == "censored", "x"]) == {32}
    assert outside(figure) == []
    assert crowded(figure) == []


def test_a_sweep_of_one_value_has_it_in_the_middle(tables):
    targets, exponents = tables
    targets = targets[targets["value"].isin([3, 18])]
    figure, _ = players_figure(targets, exponents.assign(measured=np.nan), **SETTING)
    for axes, value in zip(figure.axes[:2], (3, 18), strict=True):
        left, right = axes.get_xlim()
        assert left * right == pytest.approx(value**2)
        assert right > 1.5 * left


def test_a_missing_column_is_named(tables):
    targets, exponents = tables
    with pytest.raises(InputError, match=r"^samples to target: missing column\(s\) status;"):
        players_figure(targets.drop(columns="status"), exponents, **SETTING)
