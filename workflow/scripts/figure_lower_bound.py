"""Draw how often learners fail on hidden-action games."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.lower_bound import lower_bound_figure
    from ccerates.plots.style import save_figure

    tables = [read_csv(Path(snakemake.input[name])) for name in ("table", "crossings")]
    figure, points = lower_bound_figure(*tables)
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
