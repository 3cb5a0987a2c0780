"""The figure of failures shows every cell once, with what is proved."""

import numpy as np
import pandas as pd
import pytest

from ccerates.errors import InputError
from ccerates.plots.lower_bound import lower_bound_figure

ALGORITHMS = ("q-ftrl", "evb-sim", "uniform-sampler")
CELLS = {"base": "", "below": "", "horizon-16": "horizon", "epsilon-0.1": "epsilon"}


@pytest.fixture
def table():
    rows = []
    for place, algorithm in enumerate(ALGORITHMS):
        for number, (cell, axis) in enumerate(CELLS.items()):
            unit = 1000.0 * (1 + number)
            scales = (0.0, 1e-5, 1e-4) if cell == "below" else (0.1, 0.3, 1.0)
            for rate, scale in zip((1.0, 0.75, 0.0), scales, strict=True):
                row = {
                    "cell": cell,
                    "axis": axis,
                    "algorithm": algorithm,
                    "samples": scale * unit,
                    "scaled_samples": scale * (1 + place),
                    "failing_samples": 1e-4 * unit,
                    "below_bound": scale <= 1e-4,
                    "failure_rate": rate,
                    "ci_low": rate - 0.1,
                    "ci_high": rate + 0.1,
                }
                rows.append(row)
    # Empty words are missing in a CSV file.
    return pd.DataFrame(rows).replace({"axis": {"": np.nan}}).sample(frac=1, random_state=2)


@pytest.fixture
def crossings():
    rows = [(name, "all", 0.1, 0.4, 4.0) for name in ALGORITHMS[:2]]
    rows += [(ALGORITHMS[2], "all", np.nan, np.nan, np.nan), ("q-ftrl", "horizon", 1.0, 7.0, 7.0)]
    return pd.DataFrame(
        rows, columns=["algorithm", "axis", "crossing_low", "crossing_high", "spread"]
    )


def test_every_cell_has_its_curve_in_every_panel(table, crossings):
    figure, points = lower_bound_figure(table, crossings)
    panels = [f"scaled-{name}" for name in ALGORITHMS]
    assert points["panel"].unique().tolist() == [*panels, "samples-evb-sim", "below-bound"]
    for panel, rows in points[points["kind"] == "failures"].groupby("panel"):
        if panel != "below-bound":
            assert sorted(rows["series"].unique()) == ["base", "epsilon-0.1", "horizon-16"]
            assert len(rows) == 9
    scaled = points[(points["panel"] == "scaled-evb-sim") & (points["series"] == "base")]
    np.testing.assert_allclose(scaled["x"], [0.2, 0.6, 2.0])
    np.testing.assert_allclose(scaled["y"], [1.0, 0.75, 0.0])
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[0] == "(a) Q-FTRL"
    assert titles[-1] == "(e) Down to budgets below the lower bound"


def test_what_is_proved_ends_at_the_bound(table, crossings):
    _, points = lower_bound_figure(table, crossings)
    proved = points[points["series"] == "proved"]
    assert proved["y"].tolist() == [0.25, 0.25]
    # A ten-thousandth of the unit; the scale of the first learner that has budgets there.
    assert proved["x"].max() in [pytest.approx(1e-4 * (1 + place)) for place in range(3)]
    interval = points[points["kind"] == "interval"]
    assert set(interval["series"]) == {
        f"{name} {cell}" for name in ALGORITHMS for cell in ("base", "below")
    }
    assert (interval["x"] > 0).all()
    np.testing.assert_allclose(interval["high"] - interval["low"], 0.2)


def test_ranges_are_written_where_they_are_known(table, crossings):
    figure, _ = lower_bound_figure(table, crossings)
    texts = [[text.get_text() for text in axes.texts] for axes in figure.axes[:3]]
    known = "half fail at\n0.1\N{EN DASH}0.4\n(ratio 4)"
    assert texts == [[known], [known], []]


def test_missing_columns_are_named(table, crossings):
    with pytest.raises(InputError, match=r"failures: missing column\(s\) ci_low"):
        lower_bound_figure(table.drop(columns="ci_low"), crossings)
    with pytest.raises(InputError, match=r"crossings: missing column\(s\) spread"):
        lower_bound_figure(table, crossings.drop(columns="spread"))
