import pytest
from matplotlib.colors import to_hex

from ccerates.errors import InputError
from ccerates.plots import style
from ccerates.plots.ablation import ablation_figure

VARIANTS = (
    *("evb-sim", "evb-sim-no-centre", "evb-sim-no-bias"),
    *("evb-sim-fixed-rate", "evb-sim-no-bonus"),
)


@pytest.fixture
def ablations(game_curves):
    return game_curves("ablation", ("survival", "congestion"), VARIANTS)


def test_the_points_are_exactly_what_is_drawn(ablations, drawn, recorded, outside, crowded):
    figure, points = ablation_figure(ablations)
    panels = ["survival", "congestion", "survival-relative", "congestion-relative"]
    assert set(points["panel"]) == set(panels)
    for axes, panel in zip(figure.axes, panels, strict=True):
        assert drawn(axes) == recorded(points, panel)
    assert outside(figure) == []
    assert crowded(figure) == []


def test_gaps_are_those_of_the_table(ablations):
    _, points = ablation_figure(ablations)
    rows = points[points["kind"] == "exact"]
    assert rows["panel"].to_list() == ablations["label"].to_list()
    assert rows["series"].to_list() == ablations["algorithm"].to_list()
    assert rows["y"].to_list() == ablations["gap_median"].to_list()


def test_relative_gaps_compare_the_same_number_of_samples(ablations):
    _, points = ablation_figure(ablations.sample(frac=1, random_state=2).sort_values("label"))
    rows = points[points["kind"] == "ratio"]
    assert len(rows) == len(ablations)
    for row in rows.itertuples():
        game = row.panel.removesuffix("-relative")
        cell = ablations[(ablations["label"] == game) & (ablations["samples"] == row.x)]
        gaps = cell.set_index("algorithm")["gap_median"]
        assert row.y == pytest.approx(gaps[row.series] / gaps["evb-sim"])


def test_a_gap_of_zero_of_the_whole_algorithm_gives_no_ratio(ablations):
    whole = (ablations["algorithm"] == "evb-sim") & (ablations["samples"] == 1e6)
    ablations.loc[whole, "gap_median"] = 0.0
    _, points = ablation_figure(ablations)
    assert points.loc[points["kind"] == "ratio", "x"].max() == 1e5
    assert points.loc[points["kind"] == "exact", "x"].max() == 1e6


def test_variants_look_different_and_are_named(ablations, legend_texts):
    figure, _ = ablation_figure(ablations)
    looks = style.looks(VARIANTS)
    assert tuple(looks) == VARIANTS
    for part in ("label", "colour", "marker", "dashes"):
        assert len({getattr(look, part) for look in looks.values()}) == len(VARIANTS)
    assert legend_texts(figure) == [
        *("EVB-sim", "no centre", "no variance bias", "fixed rate", "no bonus", "uniform play")
    ]
    colours = {to_hex(line.get_color()) for line in figure.axes[2].get_lines()}
    assert colours == {look.colour.lower() for look in looks.values()}
    assert figure.axes[2].get_ylabel() == "median gap over\nthat of EVB-sim"


def test_a_missing_column_and_a_missing_experiment_are_named(ablations):
    with pytest.raises(InputError, match=r"^gap curves: missing column\(s\) label;"):
        ablation_figure(ablations.drop(columns="label"))
    with pytest.raises(InputError, match="no row of the experiment 'ablation'"):
        ablation_figure(ablations.assign(experiment="gap-decay"))
