"""Write the reference of this config from its tables."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys
    from pathlib import Path

    from ccerates.analysis.tables import read_csv, write_csv
    from ccerates.analysis.verification import update_reference

    tables = {Path(path).stem: read_csv(Path(path)) for path in snakemake.input.tables}
    folder = Path(snakemake.params.reference)
    for path in update_reference(tables, folder):
        print(f"wrote {path}", file=sys.stderr)
    # Not compared with anything: README.md quotes the times of the reference run.
    write_csv(read_csv(Path(snakemake.input.cost)), folder / "cost.csv")
