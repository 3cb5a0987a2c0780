"""What a page is made from: files that the pipeline wrote, and those that describe it."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from jinja2 import Environment, StrictUndefined, TemplateError

from ccerates.analysis.publish import COLUMNS
from ccerates.analysis.tables import read_csv
from ccerates.errors import InputError

COST = "cost"
"""A table whose times differ from run to run: that of the reference is shown."""


SWEEP = "sweep"
"""Name of the caption of all figures of sweeps without one of their own."""


class _Wildcards(NamedTuple):
    experiment: str


class _Job(NamedTuple):
    """What a caption may ask Snakemake for."""

    wildcards: _Wildcards


@dataclass(frozen=True)
class Sources:
    """Where everything lies.

    Attributes
    ----------
    claims, config, lock
        Files: the claims, the configuration, the locked requirements.
    captions
        Folder with a caption ``{figure}.rst`` for each figure, or ``sweep.rst``.
    figures
        Folder of the figures; that of the tables is ``tables`` in it.
    reference
        Folder of the reference of this configuration, which need not exist.
    """

    claims: Path
    config: Path
    lock: Path
    captions: Path
    figures: Path
    reference: Path

    def table_path(self, name: str) -> Path:
        """Return the CSV file of a table."""
        return (self.reference if name == COST else self.figures / "tables") / f"{name}.csv"

    def has_table(self, name: str) -> bool:
        """Whether there is such a table; only costs may be missing."""
        return name != COST or self.table_path(name).exists()

    def table(self, name: str) -> pd.DataFrame:
        """Return a table.

        Raises
        ------
        InputError
            If it is missing, no table, or lacks a published column.
        """
        path = self.table_path(name)
        table = read_csv(path)
        missing = [column for column in COLUMNS.get(name, ()) if column not in table.columns]
        if missing:
            raise InputError(f"{path}: no column {', '.join(missing)}; make the table again")
        return table

    def caption(self, figure: str) -> str:
        """Return the caption of a figure, in one line.

        It is a template of the kind that ``snakemake --report`` fills in; figures of sweeps share
        one.

        Raises
        ------
        InputError
            If there is none, or it is no template.
        """
        own = self.captions / f"{figure}.rst"
        path = own if own.exists() else self.captions / f"{SWEEP}.rst"
        try:
            template = Environment(undefined=StrictUndefined).from_string(
                path.read_text(encoding="utf-8")
            )
            return " ".join(template.render(snakemake=_Job(_Wildcards(figure))).split())
        except OSError as error:
            raise InputError(f"{own}: {error.strerror}; write the caption of {figure}") from None
        except TemplateError as error:
            raise InputError(f"{path}: {error}; write the caption of {figure}") from None
