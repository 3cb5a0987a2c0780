"""Text for people and JSON for programs, on standard output."""

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np


def write(text: str) -> None:
    """Write a line."""
    sys.stdout.write(f"{text}\n")


def write_json(value: Any) -> None:
    """Write a value as JSON: tuples with names as objects, NaN and infinity as null."""
    write(json.dumps(plain(value), indent=2, allow_nan=False))


def plain(value: Any) -> Any:
    """Return `value` made of dictionaries, lists, texts, numbers, truth values and None."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write_table(titles: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write aligned columns; numbers to the right, None as a dash.

    Parameters
    ----------
    titles
        One for each column.
    rows
        Cells: numbers, truth values, texts or None.
    """
    cells = [list(titles)] + [[shown(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    numeric = [
        all(isinstance(cell, int | float | np.number | None) for cell in column)
        for column in zip(*rows, strict=True)
    ]
    for line in cells:
        parts = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        write("  ".join(parts).rstrip())


def shown(value: Any) -> str:
    """Return a value as one printable piece of text."""
    if value is None:
        return "-"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        return f"{value:.5g}"
    text = str(value)
    return text if text.isprintable() else repr(text)
