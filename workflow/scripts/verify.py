"""Compare the tables with the reference of this config."""

from pathlib import Path

from ccerates.analysis.tables import read_csv, write_csv, write_latex
from ccerates.analysis.verification import VERIFY_TITLES, verify
from ccerates.script import logged

with logged(snakemake.log[0]):
    tables = {Path(path).stem: read_csv(Path(path)) for path in snakemake.input.tables}
    compared = verify(tables, Path(snakemake.params.reference))
    write_csv(compared, Path(snakemake.output[0]))
    write_latex(compared, Path(snakemake.output[1]), VERIFY_TITLES)
