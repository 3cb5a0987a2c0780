"""Labels of logarithmic axes: enough to read a value off, few enough not to touch."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.ticker import (
    Formatter,
    LogFormatterSciNotation,
    LogLocator,
    NullFormatter,
    NullLocator,
    StrMethodFormatter,
)

SMALLEST_PLAIN = 1e-5
"""Axes that begin below it are labelled in scientific notation."""

_STEPS = (
    (1.0,),
    (1.0, 2.0, 5.0),
    (1.0, 1.5, 2.0, 3.0, 5.0, 7.0),
    (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.5, 8.0),
    *(tuple(np.arange(1.0, 10.0, gap)) for gap in (1.0, 0.5, 0.25)),
)
"""Multiples of powers of ten that carry a label, from few to many."""


def label_samples(axis: Axis) -> None:
    """Label a logarithmic axis of samples in scientific notation.

    There are at least two labels side by side, or three above each other. Call it once the
    limits stand.
    """
    fewest = 2 if isinstance(axis, XAxis) else 3
    _label(axis, fewest, LogFormatterSciNotation(minor_thresholds=(99, 99)))


def label_gaps(axis: Axis) -> None:
    """Label a logarithmic axis of gaps or ratios in plain numbers, with at least three labels.

    If plain numbers would be too long, all are in scientific notation. Call it once the limits
    stand.
    """
    if min(axis.get_view_interval()) < SMALLEST_PLAIN:
        _label(axis, 3, LogFormatterSciNotation(minor_thresholds=(99, 99)))
    else:
        _label(axis, 3, StrMethodFormatter("{x:g}"))


def label_small_gaps(axes: Axes, linear_below: float) -> None:
    """Make the vertical axis logarithmic down to a gap, and linear from there to zero."""
    axes.set_yscale("symlog", linthresh=linear_below, linscale=0.4)
    low, high = -0.2 * linear_below, 1.3 * axes.get_ylim()[1]
    powers = 10.0 ** np.arange(round(np.log10(linear_below)), np.ceil(np.log10(high)) + 1)
    axes.set_yticks([0.0, *powers[powers <= high]])
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylim(low, high)


def _label(axis: Axis, fewest: int, formatter: Formatter) -> None:
    low, high = sorted(axis.get_view_interval())
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    for steps in _STEPS:
        places = np.outer(powers, steps)
        if np.count_nonzero((low <= places) & (places <= high)) >= fewest:
            break
    axis.set_major_locator(LogLocator(subs=steps))
    axis.set_major_formatter(formatter)
    axis.set_minor_formatter(NullFormatter())
