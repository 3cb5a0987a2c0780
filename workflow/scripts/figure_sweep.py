"""Draw samples to target along the axis of one sweep."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.style import save_figure
    from ccerates.plots.sweep import sweep_figure

    tables = [read_csv(Path(snakemake.input[name])) for name in ("targets", "curves", "exponents")]
    figure, points = sweep_figure(
        *tables,
        experiment=snakemake.wildcards.experiment,
        axis=snakemake.params.axis,
        setting=snakemake.params.setting,
        target_fraction=snakemake.params.target_fraction,
    )
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
