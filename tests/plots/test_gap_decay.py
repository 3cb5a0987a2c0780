import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.plots.gap_decay import gap_decay_figure

FAMILIES = ("survival", "dense-random", "congestion", "combination-lock", "hidden-action")


@pytest.fixture
def families(game_curves):
    return game_curves("gap-decay", FAMILIES, ("q-ftrl", "evb-sim"))


def test_each_family_has_a_panel_with_exactly_the_recorded_points(
    families, drawn, recorded, outside, crowded
):
    figure, points = gap_decay_figure(families)
    assert tuple(points["panel"].unique()) == FAMILIES
    for axes, panel in zip(figure.axes, FAMILIES, strict=True):
        assert drawn(axes) == recorded(points, panel)
    assert outside(figure) == []
    assert crowded(figure) == []


def test_upper_bounds_are_hollow_beside_exact_gaps(game_curves, legend_texts, outside, crowded):
    six = ("q-ftrl", "evb-sim", "v-learning", "cce-v-learning", "stage-v-learning", "evb-online")
    figure, points = gap_decay_figure(game_curves("gap-decay", FAMILIES, six))
    upper = points[points["kind"] == "upper"]
    assert list(upper["series"].unique()) == list(six[2:])
    assert len(upper) == 4 * 4 * len(FAMILIES)
    assert len(points[points["kind"] == "exact"]) == 2 * 4 * len(FAMILIES)
    assert legend_texts(figure)[-2:] == ["uniform play", "hollow: upper bound on the gap"]
    assert outside(figure) == []
    assert crowded(figure) == []


def test_curves_are_medians_with_quartiles(families):
    _, points = gap_decay_figure(families.sort_values("gap_mean", kind="stable"))
    for (family, algorithm), wanted in families.groupby(["label", "algorithm"]):
        rows = points[(points["panel"] == family) & (points["series"] == algorithm)]
        for column, source in (
            ("x", "samples"),
            ("y", "gap_median"),
            ("low", "gap_quartile_low"),
            ("high", "gap_quartile_high"),
        ):
            assert rows[column].to_list() == wanted[source].to_list()


def test_uniform_play_is_the_reference_over_all_budgets(families, legend_texts):
    figure, points = gap_decay_figure(families)
    rows = points[points["kind"] == "reference"]
    assert rows["y"].to_list() == np.repeat(families["uniform_gap"].unique(), 2).tolist()
    assert set(rows["x"]) == {1e3, 1e6}
    assert legend_texts(figure) == ["Q-FTRL", "EVB-sim", "uniform play"]


def test_titles_name_the_sizes_if_they_are_known(families):
    figure, _ = gap_decay_figure(families)
    assert figure.axes[1].get_title(loc="left") == "dense-random\n$m=2$, $S=3$, $H=4$"
    figure, _ = gap_decay_figure(families.drop(columns=["players", "states", "horizon"]))
    assert figure.axes[1].get_title(loc="left") == "dense-random"
    assert figure.get_supylabel() == "CCE gap, median and quartiles"


def test_other_experiments_do_not_matter_and_a_missing_one_is_named(families):
    other = families.assign(experiment="ablation", label="other")
    _, points = gap_decay_figure(families)
    assert "other" not in set(points["panel"])
    with pytest.raises(InputError, match=r"^gap curves: no row of the experiment 'gap-decay'"):
        gap_decay_figure(other)


def test_a_missing_column_is_named(families):
    with pytest.raises(InputError, match=r"^gap curves: missing column\(s\) gap_median;"):
        gap_decay_figure(families.drop(columns="gap_median"))
