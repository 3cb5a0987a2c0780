"""Draw certificates beside gaps."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.certificate import certificate_figure
    from ccerates.plots.style import save_figure

    figure, points = certificate_figure(read_csv(Path(snakemake.input.curves)))
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
