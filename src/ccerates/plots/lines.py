"""Axes whose y coordinates are the lines of a table, with words on both sides."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

_SMALL = 7.5
"""Size of the texts on the right, in points."""


def name_lines(axes: Axes, heads: Mapping[int, str], names: Mapping[int, str]) -> None:
    """Write the name of each line on its left, those of `heads` in bold; lines count from the top.

    The limits of the axes stand already.
    """
    axes.set_yticks([*heads, *names], [*heads.values(), *names.values()])
    for label in axes.get_yticklabels()[: len(heads)]:
        label.set_fontweight("bold")
    axes.tick_params(axis="y", length=0)


def write_columns(
    axes: Axes, columns: Mapping[int, tuple[str, ...]], offsets: Sequence[float]
) -> None:
    """Write texts on the right of each line.

    Parameters
    ----------
    axes
        Their limits stand already.
    columns
        Texts by line, as many on each as there are `offsets` or fewer.
    offsets
        Where each column begins, in points from the axes.
    """
    for line, texts in columns.items():
        for text, offset in zip(texts, offsets, strict=False):
            axes.annotate(
                text,
                (1, line),
                xycoords=axes.get_yaxis_transform(),
                xytext=(offset, 0),
                textcoords="offset points",
                va="center",
                fontsize=_SMALL,
            )
