import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.bandit import bandit_figure

BANDITS = (
    *("evb-rigorous", "evb-practical", "exp3-ix", "exp3-p"),
    *("tsallis-inf", "log-barrier", "optimistic-log-barrier"),
)
ADVERSARIES = ("adaptive", "high-variance-optimum", "late-optimum", "stochastic", "switching")
NOISE = ("stochastic-noise-0", "stochastic-noise-20", "stochastic-noise-40")


@pytest.fixture
def table():
    rows = []
    for place, bandit in enumerate(BANDITS):
        for number, adversary in enumerate(ADVERSARIES + NOISE):
            regret = 40.0 * (1 + place) * (1 + 0.1 * number)
            if adversary == "switching":
                regret = -regret
            row = {
                "bandit": bandit,
                "adversary": adversary,
                "played_variance": 10.0 ** (3 - 0.3 * number) + place,
                "regret_median": regret,
                "regret_95": regret + 60.0,
                "regret_99": regret + 90.0,
            }
            rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def ratios():
    """Ten runs each; the practical constants are overtaken in three on the switching adversary."""
    rows = []
    for bandit in ("evb-rigorous", "evb-practical"):
        for adversary in ADVERSARIES:
            for run in range(10):
                regret = 10.0 * (run - 6) - 1.0
                bound = 9.0 if (bandit, adversary) == ("evb-practical", "switching") else 50.0
                rows.append((bandit, adversary, run, regret, bound, regret / bound))
    columns = ["bandit", "adversary", "run", "regret", "bound", "ratio"]
    return pd.DataFrame(rows, columns=columns).sample(frac=1, random_state=4)


def _axes(figure):
    return dict(
        zip(
            ("variance", "overtaken", *(f"quantiles-{name}" for name in ADVERSARIES)),
            figure.axes,
            strict=True,
        )
    )


def test_the_points_are_exactly_what_is_drawn(table, ratios, drawn, recorded, outside, crowded):
    figure, points = bandit_figure(table, ratios)
    axes = _axes(figure)
    assert tuple(points["panel"].unique()) == tuple(axes)
    for panel in axes:
        assert drawn(axes[panel]) == recorded(points, panel)
    assert outside(figure) == []
    assert crowded(figure) == []


def test_regret_stands_against_variance_for_every_noise_level(table, ratios):
    _, points = bandit_figure(table, ratios)
    rows = points[points["kind"] == "median"]
    for bandit in BANDITS:
        wanted = table[(table["bandit"] == bandit) & table["adversary"].str.contains("stochastic")]
        wanted = wanted.sort_values("played_variance")
        mine = rows[rows["series"] == bandit]
        assert len(mine) == 4
        assert mine["x"].to_list() == wanted["played_variance"].to_list()
        assert mine["y"].to_list() == wanted["regret_median"].to_list()


def test_guides_grow_as_the_root_of_the_variance(table, ratios, legend_texts):
    figure, points = bandit_figure(table, ratios)
    guides = points[points["kind"] == "guide"]
    assert len(guides) >= 4
    slopes = np.diff(np.log(guides["y"]))[::2] / np.diff(np.log(guides["x"]))[::2]
    assert slopes == pytest.approx(0.5)
    assert legend_texts(figure) == [
        *(style.SERIES[name].label for name in BANDITS),
        r"guide $\propto \sqrt{V_K}$",
    ]


def test_a_negative_median_is_shown_without_a_logarithm(table, ratios):
    table.loc[table["adversary"] == "stochastic", "regret_median"] *= -1
    figure, points = bandit_figure(table, ratios)
    assert figure.axes[0].get_yscale() == "linear"
    assert (points.loc[points["kind"] == "median", "y"] < 0).sum() == len(BANDITS)
    assert not (points["kind"] == "guide").any()


def test_the_share_of_runs_falls_by_one_run_at_each_ratio(table, ratios):
    figure, points = bandit_figure(table, ratios)
    rows = points[points["kind"] == "share"]
    assert set(rows["series"]) == {
        f"{bandit} {adversary}"
        for bandit in ("evb-rigorous", "evb-practical")
        for adversary in ("switching", "late-optimum")
    }
    for series, mine in rows.groupby("series"):
        bandit, adversary = series.split(" ")
        wanted = ratios[(ratios["bandit"] == bandit) & (ratios["adversary"] == adversary)]
        assert mine["x"].to_list() == sorted(wanted["ratio"])
        for x, y in zip(mine["x"], mine["y"], strict=True):
            assert y == pytest.approx((wanted["ratio"] >= x).mean())
    (bound,) = (
        line
        for line in figure.axes[1].get_lines()
        if to_hex(line.get_color()) == to_hex(style.NOTE_COLOUR)
    )
    assert list(bound.get_xdata()) == [1, 1]
    assert figure.axes[1].get_xscale() == "symlog"


def test_overtaken_bounds_are_counted_in_words(table, ratios):
    figure, _ = bandit_figure(table, ratios)
    legend = figure.axes[1].get_legend()
    assert legend.get_title().get_text() == "runs beyond their bound"
    assert [text.get_text() for text in legend.get_texts()] == [
        "EVB, rigorous, switching: 0 of 10",
        "EVB, rigorous, late-optimum: 0 of 10",
        "EVB, practical, switching: 2 of 10",
        "EVB, practical, late-optimum: 0 of 10",
    ]


def test_quantiles_stand_in_the_row_of_their_bandit(table, ratios):
    figure, points = bandit_figure(table, ratios)
    labels = [label.get_text() for label in figure.axes[2].get_yticklabels()]
    assert labels == [style.SERIES[name].label for name in BANDITS]
    for adversary in ADVERSARIES:
        rows = points[points["panel"] == f"quantiles-{adversary}"]
        for place, bandit in enumerate(BANDITS):
            wanted = table[(table["bandit"] == bandit) & (table["adversary"] == adversary)].iloc[0]
            mine = rows[rows["series"] == bandit].set_index("kind")
            assert set(mine["y"]) == {place}
            for quantile in ("regret_median", "regret_95", "regret_99"):
                assert mine.loc[quantile, "x"] == wanted[quantile]
            span = mine.loc["regret_median", ["low", "high"]].to_list()
            assert span == [wanted["regret_median"], wanted["regret_99"]]
    low, high = figure.axes[2].get_ylim()
    assert low > high


def test_without_evb_there_is_no_share_and_no_count(table, ratios):
    table = table[~table["bandit"].str.startswith("evb")]
    figure, points = bandit_figure(table, ratios.iloc[:0])
    assert not (points["kind"] == "share").any()
    assert figure.axes[1].get_legend() is None


@pytest.mark.parametrize(
    ("which", "column", "place"),
    [(0, "regret_95", "bandits"), (1, "ratio", "regrets over bounds")],
)
def test_a_missing_column_is_named(table, ratios, which, column, place):
    tables = [table, ratios]
    tables[which] = tables[which].drop(columns=column)
    with pytest.raises(InputError, match=rf"^{place}: missing column\(s\) {column};"):
        bandit_figure(*tables)
