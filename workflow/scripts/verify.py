"""Compare the tables with the reference of this config."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.publish import publish
    from ccerates.analysis.tables import read_csv
    from ccerates.analysis.verification import verify

    tables = {Path(path).stem: read_csv(Path(path)) for path in snakemake.input.tables}
    publish(verify(tables, Path(snakemake.params.reference)), Path(snakemake.output[0]))
