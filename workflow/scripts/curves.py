"""Collect gaps against samples of one experiment."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.publish import publish
    from ccerates.analysis.runs import read_runs
    from ccerates.analysis.sample_complexity import gap_curves
    from ccerates.analysis.tables import write_csv

    runs = pd.concat(read_runs(snakemake.input.runs), ignore_index=True)
    curves = gap_curves(runs)
    write_csv(curves, Path(snakemake.output.curves))
    publish(curves, Path(snakemake.output.table[0]))
