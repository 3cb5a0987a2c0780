"""Draw regrets of the bandits, and how they compare with the bounds."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.bandit import bandit_figure
    from ccerates.plots.style import save_figure

    tables = [read_csv(Path(snakemake.input[name])) for name in ("table", "ratios")]
    figure, points = bandit_figure(*tables)
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
