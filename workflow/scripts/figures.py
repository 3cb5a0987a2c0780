"""Draw every figure from the tables."""

from pathlib import Path

from ccerates.analysis.tables import read_csv
from ccerates.plots.exponents import exponents_figure
from ccerates.plots.real_games import real_games_figure
from ccerates.plots.sim_horizon import sim_horizon_figure
from ccerates.plots.style import save_figure
from ccerates.script import logged

with logged(snakemake.log[0]):
    targets, curves, exponents, real_games = (
        read_csv(Path(snakemake.input[name]))
        for name in ("targets", "curves", "exponents", "real_games")
    )
    folder = Path(snakemake.output[0]).parent
    drawn = {
        "sim-horizon": sim_horizon_figure(
            targets, curves, exponents, snakemake.params.target_fraction
        ),
        "exponents": exponents_figure(exponents),
        "real-games": real_games_figure(real_games),
    }
    for name, (figure, points) in drawn.items():
        save_figure(figure, points, folder / name)
