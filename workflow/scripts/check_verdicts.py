"""Fail, with the rows concerned, if a table differs from its reference."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.analysis.verification import check_verdicts

    compared = read_csv(Path(snakemake.input.verify))
    print(check_verdicts(compared, Path(snakemake.params.reference)), file=sys.stderr)
