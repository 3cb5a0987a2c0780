"""Tables as the analysis makes them, from exact power laws, and readers of what figures show."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

VALUES = {
    "horizon": (4, 6, 8, 12, 16, 24),
    "players": (1, 2, 3, 4, 6),
    "action-sum": (18, 20, 24, 32),
    "actions": (2, 3, 4, 6, 8),
    "states": (2, 3, 5, 9),
    "epsilon": (0.125, 0.25, 0.5, 1.0),
}
THEORY = {
    "horizon": (4.0, 4.0),
    "players": (1.0, 0.0),
    "action-sum": (1.0, 0.0),
    "actions": (1.0, 1.0),
    "states": (1.0, 1.0),
    "epsilon": (-2.0, -2.0),
}
FIT = {
    "horizon": (8, 24),
    "players": (1, 6),
    "action-sum": (18, 32),
    "actions": (3, 8),
    "states": (2, 9),
    "epsilon": (0.125, 0.5),
}
SCALES = {"q-ftrl": 2500.0, "evb-sim": 330.0}
SURPLUS = {"q-ftrl": 0.1, "evb-sim": -0.1}
ONLINE_THEORY = {
    "horizon": (6.0, 6.0, 6.0, 5.0),
    "players": (0.0,) * 4,
    "actions": (1.0,) * 4,
    "states": (1.0,) * 4,
    "epsilon": (-2.0,) * 4,
}
ONLINE_SCALES = {
    "v-learning": 900.0,
    "cce-v-learning": 1400.0,
    "stage-v-learning": 2000.0,
    "evb-online": 600.0,
}
ONLINE_SURPLUS = {
    "v-learning": 0.1,
    "cce-v-learning": -0.3,
    "stage-v-learning": -0.6,
    "evb-online": -0.2,
}


class Tables(NamedTuple):
    targets: pd.DataFrame
    curves: pd.DataFrame
    exponents: pd.DataFrame


def _sweep(axis: str, setting: str = "simulator") -> Tables:
    """Return exact power laws, above or below the bounds by what stands above.

    The experiment is ``sim-{axis}`` or ``online-{axis}``.
    """
    targets, curves, exponents = [], [], []
    online = setting == "online"
    (low, high), experiment = FIT[axis], f"{'online' if online else 'sim'}-{axis}"
    scales, bounds = (ONLINE_SCALES, ONLINE_THEORY) if online else (SCALES, THEORY)
    for (algorithm, scale), theory in zip(scales.items(), bounds[axis], strict=True):
        exponent = theory + (SURPLUS | ONLINE_SURPLUS)[algorithm]
        names = {"experiment": experiment, "algorithm": algorithm, "axis": axis}
        for value in VALUES[axis]:
            samples = scale * value**exponent
            target = value / 4 if axis == "epsilon" else 0.125
            row = {
                **names,
                "setting": setting,
                "value": float(value),
                "samples_to_target": samples,
                "ci_low": 0.9 * samples,
                "ci_high": 1.2 * samples,
                "log_variance": 1e-3 * value,
                "status": "measured",
                "target": target,
                "fitted": low <= value <= high,
            }
            targets.append(row)
            for factor in (0.25, 0.5, 1.0, 2.0, 4.0):
                gap = target / np.sqrt(factor)
                row = {
                    **names,
                    "value": float(value),
                    "samples": factor * samples,
                    "gap_kind": "upper" if online else "exact",
                    "gap_mean": gap,
                    "gap_quartile_low": 0.8 * gap,
                    "gap_quartile_high": 1.3 * gap,
                    "target": target,
                }
                curves.append(row)
        row = {
            "setting": setting,
            "algorithm": algorithm,
            "axis": axis,
            "theory": theory,
            "measured": exponent,
            "ci_low": exponent - 0.15,
            "ci_high": exponent + 0.12,
            "local_slope": exponent + 0.05,
            "points": 4,
            "fit_low": float(low),
            "fit_high": float(high),
            "verdict": "confirmed",
        }
        exponents.append(row)
    return Tables(*map(pd.DataFrame, (targets, curves, exponents)))


def _gap_kind(algorithm: str) -> str:
    online = algorithm.startswith("evb-online") or algorithm.endswith("v-learning")
    return "upper" if online else "exact"


@pytest.fixture
def sweep() -> Callable[..., Tables]:
    return _sweep


@pytest.fixture
def targets() -> pd.DataFrame:
    return _sweep("horizon").targets


@pytest.fixture
def curves() -> pd.DataFrame:
    return _sweep("horizon").curves


@pytest.fixture
def exponents() -> pd.DataFrame:
    return _sweep("horizon").exponents


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
                        "gap_kind": _gap_kind(algorithm),
                        "gap_mean": gap,
                        "ci_low": 0.9 * gap,
                        "ci_high": 1.1 * gap,
                        "uniform_gap": 0.8,
                    }
                    rows.append(row)
        return pd.DataFrame(rows)

    return make


@pytest.fixture
def game_curves() -> Callable[..., pd.DataFrame]:
    """Return gap curves of several games, as `gap_curves` makes them, gaps all different."""

    def make(experiment: str, games: tuple[str, ...], algorithms: tuple[str, ...]) -> pd.DataFrame:
        rows = []
        for number, game in enumerate(games):
            for place, algorithm in enumerate(algorithms):
                for budget in (1e3, 1e4, 1e5, 1e6):
                    gap = 10.0 / (1 + number) / budget ** (0.5 + 0.02 * place)
                    row = {
                        "experiment": experiment,
                        "setting": "online" if _gap_kind(algorithm) == "upper" else "simulator",
                        "algorithm": algorithm,
                        "label": game,
                        "samples": budget,
                        "gap_kind": _gap_kind(algorithm),
                        "gap_mean": 1.1 * gap,
                        "gap_median": gap,
                        "gap_quartile_low": 0.8 * gap,
                        "gap_quartile_high": 1.3 * gap,
                        "uniform_gap": 0.5 / (1 + number),
                        "players": 2,
                        "states": 2 + number,
                        "horizon": 3 + number,
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


@pytest.fixture
def crowded() -> Callable[[Figure], list[str]]:
    """Return pairs of texts of a figure that overlap, once it is laid out.

    Texts are labels of ticks in sight, titles, labels of axes, annotations and legends.
    """

    def read(figure: Figure) -> list[str]:
        figure.draw_without_rendering()
        texts = [text for axes in figure.axes for text in _texts(axes)]
        texts += [text for legend in figure.legends for text in legend.get_texts()]
        shown = [text for text in texts if text.get_visible() and text.get_text()]
        boxes = [(text.get_text(), text.get_window_extent()) for text in shown]
        return [
            f"{one} / {other}"
            for place, (one, first) in enumerate(boxes)
            for other, second in boxes[:place]
            if min(first.x1, second.x1) - max(first.x0, second.x0) > 1
            and min(first.y1, second.y1) - max(first.y0, second.y0) > 1
        ]

    return read


def _texts(axes: Axes) -> list[Text]:
    texts = [axes.xaxis.label, axes.yaxis.label, axes.title, axes._left_title, *axes.texts]
    legend = axes.get_legend()
    texts += legend.get_texts() if legend else []
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        labels = axis.get_majorticklabels()  # of a shared axis: none
        places = zip(axis.get_majorticklocs(), labels, strict=False)
        texts += [label for place, label in places if low <= place <= high]
    return texts
