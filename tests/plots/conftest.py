"""Tables as the analysis makes them, from exact power laws, and readers of what figures show."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

HORIZONS = (4, 6, 8, 12, 16, 24)
EXPONENTS = {"q-ftrl": 4.1, "evb-sim": 3.9}
SCALES = {"q-ftrl": 2500.0, "evb-sim": 330.0}


@pytest.fixture
def targets() -> pd.DataFrame:
    rows = []
    for algorithm, exponent in EXPONENTS.items():
        for horizon in HORIZONS:
            samples = SCALES[algorithm] * horizon**exponent
            row = {
                "experiment": "sim-horizon",
                "setting": "simulator",
                "algorithm": algorithm,
                "axis": "horizon",
                "value": float(horizon),
                "samples_to_target": samples,
                "ci_low": 0.9 * samples,
                "ci_high": 1.2 * samples,
                "log_variance": 1e-3 * horizon,
                "status": "measured",
                "target": 0.125,
                "fitted": horizon >= 8,
            }
            rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def curves() -> pd.DataFrame:
    rows = []
    for algorithm, exponent in EXPONENTS.items():
        for horizon in HORIZONS:
            for factor in (0.25, 0.5, 1.0, 2.0, 4.0):
                gap = 0.125 / np.sqrt(factor)
                row = {
                    "experiment": "sim-horizon",
                    "algorithm": algorithm,
                    "axis": "horizon",
                    "value": float(horizon),
                    "samples": factor * SCALES[algorithm] * horizon**exponent,
                    "gap_mean": gap,
                    "gap_quartile_low": 0.8 * gap,
                    "gap_quartile_high": 1.3 * gap,
                    "target": 0.125,
                }
                rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def exponents() -> pd.DataFrame:
    rows = [
        {
            "setting": "simulator",
            "algorithm": algorithm,
            "axis": "horizon",
            "theory": 4.0,
            "measured": exponent,
            "ci_low": exponent - 0.15,
            "ci_high": exponent + 0.12,
            "local_slope": exponent + 0.05,
            "points": 4,
            "fit_low": 8.0,
            "fit_high": 24.0,
            "verdict": "confirmed",
        }
        for algorithm, exponent in EXPONENTS.items()
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def gaps() -> Callable[..., pd.DataFrame]:
    def make(games: int = 2, algorithms: tuple[str, ...] = ("q-ftrl", "evb-sim")) -> pd.DataFrame:
        rows = []
        for game in range(games):
            for place, algorithm in enumerate(algorithms):
                for budget in (1e3, 1e4, 1e5, 1e6):
                    gap = 20.0 * (1 + game) / np.sqrt(budget * (1 + place))
                    row = {
                        "game": f"game-{game}",
                        "players": 2,
                        "states": 10 + game,
                        "horizon": 3 + game,
                        "algorithm": algorithm,
                        "samples": budget,
                        "gap_kind": "exact",
                        "gap_mean": gap,
                        "ci_low": 0.9 * gap,
                        "ci_high": 1.1 * gap,
                        "uniform_gap": 0.8,
                    }
                    rows.append(row)
        return pd.DataFrame(rows)

    return make


@pytest.fixture
def drawn() -> Callable[[Axes], set[tuple[float, float]]]:
    """Return every place where a line or a marker of some axes stands, to ten digits."""

    def read(axes: Axes) -> set[tuple[float, float]]:
        places = np.concatenate([np.asarray(line.get_xydata()) for line in axes.get_lines()])
        return {(float(f"{x:.10g}"), float(f"{y:.10g}")) for x, y in places}

    return read


@pytest.fixture
def recorded() -> Callable[[pd.DataFrame, str], set[tuple[float, float]]]:
    """Return every place that the table of points holds for a panel, to ten digits."""

    def read(points: pd.DataFrame, panel: str) -> set[tuple[float, float]]:
        rows = points[points["panel"] == panel]
        return {
            (float(f"{x:.10g}"), float(f"{y:.10g}"))
            for x, y in zip(rows["x"], rows["y"], strict=True)
        }

    return read


@pytest.fixture
def legend_texts() -> Callable[[Figure], list[str]]:
    def read(figure: Figure) -> list[str]:
        (legend,) = figure.legends
        return [text.get_text() for text in legend.get_texts()]

    return read


@pytest.fixture
def outside() -> Callable[[Figure], list[str]]:
    """Return the texts and legends of a figure that stick out of it, once it is laid out."""

    def read(figure: Figure) -> list[str]:
        figure.draw_without_rendering()
        width, height = figure.canvas.get_width_height()
        found = []
        texts = [text for axes in figure.axes for text in (axes.title, *axes.texts)]
        for artist in (*figure.legends, *texts):
            box = artist.get_window_extent()
            if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1:
                found.append(str(artist))
        return found

    return read
