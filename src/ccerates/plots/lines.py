"""Axes whose y coordinates are the lines of a table, with words on both sides."""

from collections.abc import Mapping

from matplotlib.axes import Axes

_OFFSETS = (8, 36, 118)
"""Where the columns on the right begin, in points from the axes."""


def name_lines(
    axes: Axes,
    heads: Mapping[int, str],
    names: Mapping[int, str],
    columns: Mapping[int, tuple[str, ...]],
) -> None:
    """Write the words of each line beside it; lines count from the top.

    Parameters
    ----------
    axes
        Their limits stand already.
    heads, names
        Words on the left, bold ones and others.
    columns
        Words on the right, at most three on each line.
    """
    axes.set_yticks([*heads, *names], [*heads.values(), *names.values()])
    for label in axes.get_yticklabels()[: len(heads)]:
        label.set_fontweight("bold")
    axes.tick_params(axis="y", length=0)
    for line, texts in columns.items():
        for text, offset in zip(texts, _OFFSETS, strict=False):
            axes.annotate(
                text,
                (1, line),
                xycoords=axes.get_yaxis_transform(),
                xytext=(offset, 0),
                textcoords="offset points",
                va="center",
                fontsize=axes.get_yticklabels()[0].get_fontsize(),
            )
