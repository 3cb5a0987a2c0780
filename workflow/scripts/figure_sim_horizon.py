"""Draw samples to target against the horizon."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.style import save_figure
    from ccerates.plots.sweep import sweep_figure

    names = ("targets", "curves", "exponents")
    tables = [read_csv(Path(snakemake.input[name])) for name in names]
    fraction = snakemake.params.target_fraction
    sweep = {"experiment": "sim-horizon", "axis": "horizon", "target_fraction": fraction}
    figure, points = sweep_figure(*tables, **sweep)
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
