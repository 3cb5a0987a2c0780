"""The figure of certificates: what is drawn is what is recorded, and panels hold what they say."""

import numpy as np
import pandas as pd
import pytest

from ccerates.errors import InputError
from ccerates.plots.certificate import CURVES, certificate_figure

SIMULATOR = ("q-ftrl", "evb-sim", "evb-sim-rigorous")
ONLINE = ("v-learning", "cce-v-learning", "stage-v-learning", "evb-online", "evb-online-rigorous")


@pytest.fixture
def certificates():
    """Return exact power laws: certificates are three times the gaps, which are all different."""
    rows = []
    for place, label in enumerate(SIMULATOR + ONLINE):
        for rounds in (1e4, 1e5, 1e6):
            gap = 10.0 * (1 + place) / np.sqrt(rounds)
            row = {
                "experiment": "certificate",
                "setting": "simulator" if label in SIMULATOR else "online",
                "label": label,
                "samples": 12.0 * rounds,
                "horizon": 4,
            }
            for name, value in (("gap", gap), ("certificate", 3.0 * gap)):
                row |= {
                    f"{name}_median": value,
                    f"{name}_quartile_low": 0.9 * value,
                    f"{name}_quartile_high": 1.2 * value,
                }
            rows.append(row)
    return pd.DataFrame(rows)


def test_four_panels_with_exactly_the_recorded_points(
    certificates, drawn, recorded, outside, crowded, legend_texts
) -> None:
    figure, points = certificate_figure(certificates)
    panels = points["panel"].unique()
    for axes, panel in zip(figure.axes, panels, strict=True):
        assert drawn(axes) == recorded(points, panel)
    series = points[points["kind"] == "certificate"].groupby("panel", sort=False)["series"]
    assert [set(names) for _, names in series] == [
        {"evb-sim", "evb-sim-rigorous"},
        {"evb-online", "evb-online-rigorous"},
        {"q-ftrl"},
        {"v-learning", "cce-v-learning", "stage-v-learning"},
    ]
    assert set(points.loc[points["kind"] == "trivial", "y"]) == {4.0}
    assert legend_texts(figure)[-3:] == ["filled: certificate", "hollow: gap", "trivial, $H=4$"]
    assert outside(figure) == []
    assert crowded(figure) == []


def test_points_are_medians_with_quartiles(certificates) -> None:
    _, points = certificate_figure(certificates.sample(frac=1.0, random_state=1))
    for label, rows in certificates.groupby("label"):
        for kind in ("certificate", "gap"):
            shown = points[(points["series"] == label) & (points["kind"] == kind)]
            columns = [f"{kind}_{part}" for part in ("median", "quartile_low", "quartile_high")]
            wanted = rows.sort_values("samples")[["samples", *columns]]
            np.testing.assert_array_equal(shown[["x", "y", "low", "high"]], wanted)


def test_a_gap_of_zero_is_drawn(certificates, crowded) -> None:
    certificates.loc[certificates["label"] == "q-ftrl", "gap_median"] = 0.0
    figure, points = certificate_figure(certificates)
    shown = points[(points["series"] == "q-ftrl") & (points["kind"] == "gap")]
    assert shown["y"].tolist() == [0.0] * 3
    assert figure.axes[0].get_yscale() == "symlog"
    assert crowded(figure) == []


def test_one_setting_is_enough_and_other_experiments_are_left_out(certificates) -> None:
    online = certificates[certificates["setting"] == "online"]
    other = certificates.assign(experiment="coverage", horizon=2)
    figure, points = certificate_figure(pd.concat([online, other]))
    assert len(figure.axes) == 2
    assert set(points.loc[points["kind"] == "gap", "series"]) == set(ONLINE)


def test_faults_are_told(certificates) -> None:
    for column in CURVES:
        with pytest.raises(InputError, match=rf"missing column\(s\) {column}"):
            certificate_figure(certificates.drop(columns=column))
    with pytest.raises(InputError, match="no row of the experiment 'certificate'"):
        certificate_figure(certificates.assign(experiment="coverage"))
    certificates.loc[0, "horizon"] = 5
    with pytest.raises(InputError, match="games of several horizons"):
        certificate_figure(certificates)
