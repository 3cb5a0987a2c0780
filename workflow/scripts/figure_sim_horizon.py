"""Draw samples to target against the horizon."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.sim_horizon import sim_horizon_figure
    from ccerates.plots.style import save_figure

    names = ("targets", "curves", "exponents")
    tables = [read_csv(Path(snakemake.input[name])) for name in names]
    figure, points = sim_horizon_figure(*tables, snakemake.params.target_fraction)
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
