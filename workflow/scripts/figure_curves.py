"""Draw gaps against samples of one experiment, a panel for each game."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.ablation import ablation_figure
    from ccerates.plots.gap_decay import gap_decay_figure
    from ccerates.plots.style import save_figure

    draw = {"ablation": ablation_figure, "gap-decay": gap_decay_figure}
    curves = read_csv(Path(snakemake.input.curves))
    figure, points = draw[snakemake.wildcards.experiment](curves)
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
