"""Draw samples to target against the number of players and against the sum of actions."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from ccerates.analysis.tables import read_csv
    from ccerates.plots.players import players_figure
    from ccerates.plots.style import save_figure

    targets, exponents = (
        pd.concat([read_csv(Path(path)) for path in snakemake.input[name]], ignore_index=True)
        for name in ("targets", "exponents")
    )
    figure, points = players_figure(targets, exponents, **snakemake.params.settings)
    save_figure(figure, points, Path(snakemake.output[0]).with_suffix(""))
