"""Draw measured exponents against the theory's and against each other."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.exponents import exponents_figure
    from ccerates.plots.style import save_figure

    tables = [read_csv(Path(snakemake.input[name])) for name in ("exponents", "differences")]
    figure, points = exponents_figure(*tables)
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
