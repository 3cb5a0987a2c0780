"""Figures of the page: vector images inside it, files to take away beside it."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from ccerates.errors import InputError
from ccerates.report.tables import relative_link

_LARGEST_SVG = 5_000_000
"""In bytes: a page that nobody can open helps nobody."""

_SAFE = " /:=,;'()!@+$*?-_.~[]"
"""No character that would have to be escaped in an attribute enclosed in double quotes."""


@dataclass(frozen=True)
class FigureView:
    """A figure as the page shows it.

    Attributes
    ----------
    name
        That of its files, without suffix.
    image
        SVG image as a data URI, so that its identifiers cannot meet those of another one. It
        needs no escaping in an attribute enclosed in double quotes.
    width, height
        In the units of the image; their ratio keeps its place while a page is laid out.
    alternative
        What it shows, for those who do not see it.
    caption
        How to read it.
    pdf, points
        Links to the PDF file and to the CSV file of all points drawn.
    """

    name: str
    image: str
    width: int
    height: int
    alternative: str
    caption: str
    pdf: str
    points: str


def figure_view(stem: Path, caption: str, folder: Path) -> FigureView:
    """Return a figure as the page shows it.

    Parameters
    ----------
    stem
        Path of its files without suffix.
    caption
        Its first sentence says what is drawn, the others how to read it.
    folder
        Folder of the page.

    Raises
    ------
    InputError
        If the SVG file is missing, too large or not one.
    """
    path = stem.with_name(f"{stem.name}.svg")
    svg, width, height = _read_svg(path)
    first, _, rest = caption.partition(". ")
    pdf, points = (
        relative_link(stem.with_name(stem.name + end), folder) for end in (".pdf", ".csv")
    )
    return FigureView(
        stem.name, svg, width, height, first.rstrip("."), f"{first}. {rest}", pdf, points
    )


def _read_svg(path: Path) -> tuple[str, int, int]:
    try:
        content = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such figure; run the rule that draws it") from None
    if len(content) > _LARGEST_SVG:
        raise InputError(
            f"{path}: {len(content)} bytes are too many for a page, at most {_LARGEST_SVG}; "
            "draw fewer points"
        )
    try:
        root = ElementTree.fromstring(content)
        _, _, width, height = map(float, root.get("viewBox", "").split())
    except (ElementTree.ParseError, ValueError):
        raise InputError(f"{path}: not an SVG image with a viewBox; draw it again") from None
    # Blanks are a tenth of matplotlib's SVG, and mean nothing to text that is drawn as outlines.
    compact = re.sub(r"\s+", " ", re.sub(r">\s+<", "><", content))
    quotes = compact if "'" in compact else compact.replace('"', "'")
    return "data:image/svg+xml," + quote(quotes, safe=_SAFE), round(width), round(height)
