"""Collect the exponents of all sweeps, and their differences between algorithms."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.publish import publish
    from ccerates.analysis.tables import read_csv

    parts = snakemake.input.exponents, snakemake.input.differences
    outputs = [path for path in snakemake.output if path.endswith(".csv")]
    for paths, output in zip(parts, outputs, strict=True):
        tables = [read_csv(Path(path)) for path in paths]
        publish(pd.concat(tables, ignore_index=True), Path(output))
