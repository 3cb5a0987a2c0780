import pytest
from matplotlib.colors import to_hex

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.real_games import real_games_figure

SIX = (
    *("q-ftrl", "evb-sim"),
    *("v-learning", "cce-v-learning", "stage-v-learning", "evb-online"),
)


def test_the_points_are_exactly_what_is_drawn(gaps, drawn, recorded):
    figure, points = real_games_figure(gaps(3))
    assert points["panel"].unique().tolist() == ["game-0", "game-1", "game-2"]
    for axes, panel in zip(figure.axes, points["panel"].unique(), strict=True):
        assert drawn(axes) == recorded(points, panel)


def test_curves_hold_means_with_their_intervals(gaps):
    table = gaps(2)
    shuffled = table.sample(frac=1, random_state=1).sort_values("game")
    _, points = real_games_figure(shuffled)
    rows = points[points["kind"] == "exact"]
    for column, source in (
        ("panel", "game"),
        ("series", "algorithm"),
        ("x", "samples"),
        ("y", "gap_mean"),
        ("low", "ci_low"),
        ("high", "ci_high"),
    ):
        assert rows[column].to_list() == table[source].to_list()


@pytest.mark.parametrize(
    ("learners", "games", "columns", "rows"),
    [
        *[(2, 1, 1, 1), (2, 2, 2, 1), (2, 4, 4, 1), (2, 5, 3, 2)],
        *[(6, 1, 1, 1), (6, 3, 3, 1), (6, 4, 2, 2), (6, 5, 3, 2), (6, 8, 3, 3), (6, 10, 3, 4)],
    ],
)
def test_one_panel_per_game_and_at_most_three_of_many_curves_in_a_row(
    gaps, outside, crowded, learners, games, columns, rows
):
    figure, _ = real_games_figure(gaps(games, SIX[:learners]))
    assert len(figure.axes) == games
    spec = figure.axes[0].get_subplotspec()
    assert (spec.get_gridspec().ncols, spec.get_gridspec().nrows) == (columns, rows)
    assert outside(figure) == []
    assert crowded(figure) == []


def test_six_learners_of_both_settings_share_a_panel(gaps, drawn, recorded, legend_texts):
    table = gaps(2, SIX)
    figure, points = real_games_figure(table)
    for axes, panel in zip(figure.axes, ("game-0", "game-1"), strict=True):
        assert drawn(axes) == recorded(points, panel)
        faces = {line.get_marker(): to_hex(line.get_markerfacecolor()) for line in axes.get_lines()}
        for name in SIX:
            look = style.SERIES[name]
            exact = name in ("q-ftrl", "evb-sim")
            assert faces[look.marker] == (look.colour.lower() if exact else to_hex("white"))
    kinds = points[points["kind"] != "reference"].groupby("series")["kind"].unique()
    assert {name: list(kind) for name, kind in kinds.items()} == {
        name: ["exact" if name in ("q-ftrl", "evb-sim") else "upper"] for name in SIX
    }
    assert legend_texts(figure) == [
        *("Q-FTRL", "EVB-sim", "V-learning", "CCE-V-learning", "Stage-V-learning", "EVB-online"),
        *("uniform play", "hollow: upper bound on the gap"),
    ]
    handles = figure.legends[0].legend_handles[:6]
    hollow = [to_hex(handle.get_markerfacecolor()) == to_hex("white") for handle in handles]
    assert hollow == [False, False, True, True, True, True]


@pytest.mark.parametrize("first", [2.6e4, 7.4e4])
@pytest.mark.parametrize("ratio", [2, 8])
def test_labels_do_not_touch_when_budgets_span_less_than_a_decade(gaps, crowded, first, ratio):
    table = gaps(4)
    table = table[table["samples"] <= 1e4]
    table["samples"] = table["samples"].map({1e3: first, 1e4: ratio * first})
    figure, _ = real_games_figure(table)
    assert crowded(figure) == []
    for axes in figure.axes:
        left, right = axes.get_xlim()
        assert sum(left <= place <= right for place in axes.get_xticks()) >= 2


def test_uniform_play_is_a_dashed_reference_if_it_is_known(gaps, legend_texts):
    figure, points = real_games_figure(gaps(1))
    (uniform,) = (
        line for line in figure.axes[0].get_lines() if line.get_ydata().tolist() == [0.8, 0.8]
    )
    assert uniform.get_xdata().tolist() == [1e3, 1e6]
    assert uniform.is_dashed()
    assert len(points[points["series"] == "uniform play"]) == 2
    assert legend_texts(figure) == ["Q-FTRL", "EVB-sim", "uniform play"]

    figure, points = real_games_figure(gaps(1).drop(columns="uniform_gap"))
    assert "uniform play" not in set(points["series"])
    assert legend_texts(figure) == ["Q-FTRL", "EVB-sim"]


def test_upper_bounds_are_hollow(gaps, legend_texts):
    table = gaps(1)
    table.loc[table["algorithm"] == "evb-sim", "gap_kind"] = "upper"
    figure, points = real_games_figure(table)
    assert set(points.loc[points["series"] == "evb-sim", "kind"]) == {"upper"}
    hollow = {
        line.get_marker()
        for line in figure.axes[0].get_lines()
        if to_hex(line.get_markerfacecolor()) == to_hex("white")
    }
    assert hollow == {style.SERIES["evb-sim"].marker}
    assert "hollow: upper bound on the gap" in legend_texts(figure)


def test_a_gap_of_zero_is_shown_below_the_logarithm(gaps):
    table = gaps(2)
    table.loc[0, ["gap_mean", "ci_low"]] = 0.0
    figure, points = real_games_figure(table)
    assert [axes.get_yscale() for axes in figure.axes] == ["symlog", "log"]
    assert [axes.get_xscale() for axes in figure.axes] == ["log", "log"]
    assert 0.0 in points["y"].to_list()
    low, high = figure.axes[0].get_ylim()
    assert low < 0.0 < table["uniform_gap"].max() < high
    assert 0.0 in figure.axes[0].get_yticks()


def test_titles_and_axes_say_what_there_is(gaps):
    figure, _ = real_games_figure(gaps(2))
    assert figure.axes[1].get_title(loc="left") == "game-1\n$m=2$, $S=11$, $H=4$"
    assert figure.get_supxlabel() == "samples"
    assert figure.get_supylabel() == "CCE gap, mean and 95 % interval"


def test_a_missing_column_is_named(gaps):
    with pytest.raises(InputError, match=r"^gaps on real games: missing column\(s\) ci_low;"):
        real_games_figure(gaps().drop(columns="ci_low"))


def test_a_variant_is_named_with_its_algorithm(gaps):
    table = gaps(1)
    variant = table.assign(algorithm=table["algorithm"].replace("q-ftrl", "evb-sim-no-bonus"))
    figure, _ = real_games_figure(variant)
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "EVB-sim, no bonus" in labels
