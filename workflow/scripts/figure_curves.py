"""Draw gaps against samples of one experiment, a panel for each game."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.gap_curves import gap_curves_figure
    from ccerates.plots.style import save_figure

    curves = read_csv(Path(snakemake.input.curves))
    figure, points = gap_curves_figure(curves, experiment=snakemake.wildcards.experiment)
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
