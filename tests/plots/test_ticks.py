import numpy as np
import pytest
from matplotlib.figure import Figure

from ccerates.plots.ticks import label_gaps, label_samples


def _labels(axis, low, high):
    """Return the labels inside the limits, as numbers of the place where they stand."""
    axis.axes.figure.draw_without_rendering()
    places = zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=True)
    return {float(x): label.get_text() for x, label in places if low <= x <= high}


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (3e3, 4e6, [1e4, 1e5, 1e6]),
        (2.5e4, 5.5e4, [3e4, 5e4]),
        (4e5, 3e6, [5e5, 1e6, 2e6]),
        (8e4, 1.3e6, [1e5, 1e6]),
        (1.1e5, 1.7e5, [1.25e5, 1.5e5]),
    ],
)
def test_samples_have_few_labels_but_at_least_two(low, high, wanted):
    axes = Figure(figsize=(3, 2)).subplots()
    axes.set(xscale="log", xlim=(low, high))
    label_samples(axes.xaxis)
    labels = _labels(axes.xaxis, low, high)
    assert list(labels) == pytest.approx(wanted)
    assert all("10^{" in text for text in labels.values())


def test_upright_axes_have_at_least_three_labels():
    axes = Figure(figsize=(3, 2)).subplots()
    axes.set(yscale="log", ylim=(8e4, 1.3e6))
    label_samples(axes.yaxis)
    wanted = [1e5, 2e5, 5e5, 1e6]
    assert list(_labels(axes.yaxis, 8e4, 1.3e6)) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0.003, 2.0, {0.01: "0.01", 0.1: "0.1", 1: "1"}),
        (0.03, 0.3, {0.05: "0.05", 0.1: "0.1", 0.2: "0.2"}),
        (0.32, 0.61, {0.4: "0.4", 0.5: "0.5", 0.6: "0.6"}),
    ],
)
def test_gaps_are_plain_numbers(low, high, wanted):
    axes = Figure(figsize=(3, 2)).subplots()
    axes.set(yscale="log", ylim=(low, high))
    label_gaps(axes.yaxis)
    labels = _labels(axes.yaxis, low, high)
    assert list(labels) == pytest.approx(list(wanted))
    assert list(labels.values()) == list(wanted.values())


def test_very_small_gaps_are_powers_of_ten():
    axes = Figure(figsize=(3, 2)).subplots()
    axes.set(yscale="log", ylim=(3e-8, 0.5))
    label_gaps(axes.yaxis)
    labels = _labels(axes.yaxis, 3e-8, 0.5)
    assert labels
    assert all(rf"10^{{{round(np.log10(x))}}}" in text for x, text in labels.items())


def test_an_inverted_axis_has_the_same_labels():
    axes = Figure(figsize=(3, 2)).subplots()
    axes.set(xscale="log", xlim=(4e6, 3e3))
    label_samples(axes.xaxis)
    assert list(_labels(axes.xaxis, 3e3, 4e6)) == pytest.approx([1e4, 1e5, 1e6])
