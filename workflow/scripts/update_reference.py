"""Write the reference of this config from its tables."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.analysis.verification import update_reference

    tables = {Path(path).stem: read_csv(Path(path)) for path in snakemake.input.tables}
    for path in update_reference(tables, Path(snakemake.params.reference)):
        print(f"wrote {path}", file=sys.stderr)
