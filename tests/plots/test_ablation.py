import pandas as pd
import pytest
from matplotlib.colors import to_hex

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.ablation import ablation_figure

PARTS = ("", "-no-centre", "-no-bias", "-fixed-rate", "-no-bonus")
SIMULATOR = tuple(f"evb-sim{part}" for part in PARTS)
ONLINE = tuple(f"evb-online{part}" for part in PARTS)
GAMES = ("survival", "congestion")
PANELS = tuple(
    f"{setting}-{game}{suffix}"
    for setting in ("simulator", "online")
    for suffix in ("", "-relative")
    for game in GAMES
)


@pytest.fixture
def ablations(game_curves):
    return game_curves("ablation", GAMES, SIMULATOR + ONLINE)


def test_the_points_are_exactly_what_is_drawn(ablations, drawn, recorded, outside, crowded):
    figure, points = ablation_figure(ablations)
    assert set(points["panel"]) == set(PANELS)
    for axes, panel in zip(figure.axes, PANELS, strict=True):
        assert drawn(axes) == recorded(points, panel)
    assert outside(figure) == []
    assert crowded(figure) == []


def test_gaps_are_those_of_the_table(ablations):
    _, points = ablation_figure(ablations)
    for kind, setting in (("exact", "simulator"), ("upper", "online")):
        rows = points[points["kind"] == kind]
        wanted = ablations[ablations["setting"] == setting]
        assert rows["panel"].to_list() == [f"{setting}-{game}" for game in wanted["label"]]
        assert rows["series"].to_list() == wanted["algorithm"].to_list()
        assert rows["y"].to_list() == wanted["gap_median"].to_list()


def test_relative_gaps_compare_the_same_number_of_samples(ablations):
    _, points = ablation_figure(ablations.sample(frac=1, random_state=2).sort_values("label"))
    rows = points[points["kind"] == "ratio"]
    assert len(rows) == len(ablations)
    for row in rows.itertuples():
        setting, game = row.panel.removesuffix("-relative").split("-")
        cell = ablations[(ablations["label"] == game) & (ablations["samples"] == row.x)]
        gaps = cell.set_index("algorithm")["gap_median"]
        whole = {"simulator": "evb-sim", "online": "evb-online"}[setting]
        assert row.y == pytest.approx(gaps[row.series] / gaps[whole])
        assert row.series.startswith(whole)


def test_a_gap_of_zero_of_the_whole_algorithm_gives_no_ratio(ablations):
    whole = (ablations["algorithm"] == "evb-sim") & (ablations["samples"] == 1e6)
    ablations.loc[whole, "gap_median"] = 0.0
    _, points = ablation_figure(ablations)
    ratios = points[points["kind"] == "ratio"]
    simulator = ratios["panel"].str.startswith("simulator")
    assert ratios.loc[simulator, "x"].max() == 1e5
    assert ratios.loc[~simulator, "x"].max() == 1e6
    assert points.loc[points["kind"] == "exact", "x"].max() == 1e6


@pytest.mark.parametrize("variants", [SIMULATOR, ONLINE])
def test_variants_look_different(variants):
    looks = style.looks(variants)
    assert tuple(looks) == variants
    for part in ("label", "colour", "marker", "dashes"):
        assert len({getattr(look, part) for look in looks.values()}) == len(variants)


def test_a_part_has_one_look_and_one_entry_in_both_settings(ablations, legend_texts):
    figure, _ = ablation_figure(ablations)
    for part in PARTS[1:]:
        assert style.SERIES[f"evb-sim{part}"] == style.SERIES[f"evb-online{part}"]
    assert legend_texts(figure) == [
        *("EVB-sim", "no centre", "no variance bias", "fixed rate", "no bonus", "EVB-online"),
        *("uniform play", "hollow: upper bound on the gap"),
    ]
    for axes, variants in ((figure.axes[2], SIMULATOR), (figure.axes[6], ONLINE)):
        colours = {to_hex(line.get_color()) for line in axes.get_lines()}
        assert colours == {style.SERIES[name].colour.lower() for name in variants}
        faces = {to_hex(line.get_markerfacecolor()) for line in axes.get_lines()}
        assert (faces == {to_hex("white")}) == (variants is ONLINE)


def test_words_tell_the_settings_apart(ablations):
    figure, _ = ablation_figure(ablations)
    titles = [axes.get_title(loc="left").split("\n")[0] for axes in figure.axes]
    assert titles == [
        *("EVB-sim on survival", "EVB-sim on congestion", "", ""),
        *("EVB-online on survival", "EVB-online on congestion", "", ""),
    ]
    assert [figure.axes[place].get_ylabel() for place in (0, 2, 4, 6)] == [
        "CCE gap, median and quartiles",
        "median gap over\nthat of EVB-sim",
        "upper bound on CCE gap,\nmedian and quartiles",
        "median bound over\nthat of EVB-online",
    ]


def test_a_setting_alone_fills_the_figure(game_curves, legend_texts):
    figure, points = ablation_figure(game_curves("ablation", GAMES, SIMULATOR))
    assert len(figure.axes) == 4
    assert set(points["panel"].str.split("-").str[0]) == {"simulator"}
    assert legend_texts(figure)[-1] == "uniform play"


def test_settings_may_have_different_games(game_curves):
    online = game_curves("ablation", ("lock",), ONLINE)
    table = pd.concat([game_curves("ablation", GAMES, SIMULATOR), online], ignore_index=True)
    figure, points = ablation_figure(table)
    assert len(figure.axes) == 6
    assert [name for name in points["panel"].unique() if name.startswith("online")] == [
        *("online-lock", "online-lock-relative")
    ]


def test_what_is_missing_is_named(ablations):
    with pytest.raises(InputError, match=r"^gap curves: missing column\(s\) label;"):
        ablation_figure(ablations.drop(columns="label"))
    with pytest.raises(InputError, match=r"^gap curves: missing column\(s\) setting;"):
        ablation_figure(ablations.drop(columns="setting"))
    with pytest.raises(InputError, match="no row of the experiment 'ablation'"):
        ablation_figure(ablations.assign(experiment="gap-decay"))
    lacking = ablations[(ablations["algorithm"] != "evb-online") | (ablations["label"] != GAMES[1])]
    with pytest.raises(
        InputError, match="no row of evb-online in the ablation on congestion, sett"
    ):
        ablation_figure(lacking)
