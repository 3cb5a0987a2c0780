"""Draw gap against samples on real games."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.real_games import real_games_figure
    from ccerates.plots.style import save_figure

    figure, points = real_games_figure(read_csv(Path(snakemake.input.gaps)))
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
