"""Draw gaps against samples on each family of games."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.gap_decay import gap_decay_figure
    from ccerates.plots.style import save_figure

    figure, points = gap_decay_figure(read_csv(Path(snakemake.input.curves)))
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
