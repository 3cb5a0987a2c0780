"""Gap against samples on games that nobody here designed."""

from collections.abc import Mapping

import pandas as pd

from ccerates.analysis.runs import cells
from ccerates.analysis.sample_complexity import bootstrap_seed
from ccerates.analysis.statistics import bootstrap

REAL_GAME_COLUMNS = (
    "game", "players", "states", "horizon", "algorithm", "samples", "gap_kind", "gap_mean",
    "ci_low", "ci_high",
)  # fmt: skip
MORE_COLUMNS = (
    "setting", "uniform_gap", "replicates", "ci_method", "gap_own", "reward_scale",
)  # fmt: skip


def real_game_gaps(
    runs: pd.DataFrame, scales: Mapping[str, float], *, root_seed: int, resamples: int
) -> pd.DataFrame:
    """Return the mean gap for every (game, algorithm, samples) of runs without an axis.

    Parameters
    ----------
    runs
        Table of runs, see `ccerates.analysis.runs.cells`.
    scales
        By game: what a gap of 1 is worth in the game's own reward, see `ccerates.games.units`.
    root_seed
        The project's seed.
    resamples
        Number of bootstrap resamples.

    Returns
    -------
    pandas.DataFrame
        Columns `REAL_GAME_COLUMNS`, then setting, uniform_gap, replicates, ci_method (``bca``,
        ``percentile`` or ``none``), gap_own (mean gap in units of the game's own reward) and
        reward_scale, ordered by game, algorithm, samples.
    """
    rows = []
    for key, cell in cells(runs).items():
        if key.axis:
            continue
        for samples, gap in zip(cell.samples, cell.gap, strict=True):
            estimate = bootstrap(
                lambda replicates, gap=gap: gap[replicates].mean(axis=-1),
                [cell.replicates.size],
                bootstrap_seed(root_seed, key, f"gap at {samples:.0f} samples"),
                resamples,
            )
            row = {
                "game": cell.game,
                "players": cell.players,
                "states": cell.states,
                "horizon": cell.horizon,
                "algorithm": key.algorithm,
                "samples": int(samples),
                "gap_kind": cell.gap_kind,
                "gap_mean": estimate.value,
                "ci_low": estimate.low,
                "ci_high": estimate.high,
                "setting": key.setting,
                "uniform_gap": cell.uniform_gap,
                "replicates": cell.replicates.size,
                "ci_method": estimate.method,
                "gap_own": scales[cell.game] * estimate.value,
                "reward_scale": scales[cell.game],
            }
            rows.append(row)
    table = pd.DataFrame(rows, columns=[*REAL_GAME_COLUMNS, *MORE_COLUMNS])
    return table.sort_values(["game", "algorithm", "samples"], ignore_index=True)
