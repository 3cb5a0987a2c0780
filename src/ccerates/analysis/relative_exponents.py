"""Exponents in the number of actions with a target relative to the gap of uniform play.

A target that is fixed in units of the game's parameter is a smaller share of uniform play's gap the
more actions there are, so games get harder with the number of actions for a second reason. Here the
target is the same share of uniform play's gap in every game. This is a diagnostic of ours, thought
of after the results were known: it has no theory and no verdict.
"""

from collections.abc import Mapping

import pandas as pd

from ccerates.analysis.exponents import EXPONENT_COLUMNS, exponents
from ccerates.analysis.runs import CellKey, axis_label, cells
from ccerates.analysis.sample_complexity import samples_to_target

AXIS = "actions"

RELATIVE_COLUMNS = (
    "setting", "algorithm", "axis", "share", "measured", "ci_low", "ci_high", "local_slope",
    "points",
)  # fmt: skip

_SWEEP = ["experiment", "setting", "algorithm", "axis"]


def _shares(points: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each sweep: target over uniform play's gap at its first fitted value."""
    ordered = points[points["axis"] == AXIS].sort_values("value")
    first = ordered[ordered["fitted"]].drop_duplicates(_SWEEP)
    shares = first[_SWEEP].assign(share=first["target"] / first["uniform_gap"])
    return ordered[_SWEEP].drop_duplicates().merge(shares, how="left").sort_values(_SWEEP)


def _with_relative_targets(runs: pd.DataFrame, shares: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of sweeps that have a share, with that share of uniform play's gap as target.

    A cell's gap of uniform play is its mean over the games of the replicates, as everywhere.
    """
    kept = runs.merge(shares.dropna(subset="share"), how="inner", on=_SWEEP)
    if kept.empty:
        return kept
    uniform_gap = {key: cell.uniform_gap for key, cell in cells(kept).items()}
    names = zip(*(kept[name] for name in _SWEEP), kept["value"].map(axis_label), strict=True)
    return kept.assign(target=kept["share"] * [uniform_gap[CellKey(*name)] for name in names])


def relative_exponents(
    runs: pd.DataFrame,
    points: pd.DataFrame,
    fits: Mapping[str, tuple[float, float]],
    *,
    root_seed: int,
    resamples: int,
) -> pd.DataFrame:
    """Fit an exponent in the number of actions for every experiment, setting and algorithm.

    Parameters
    ----------
    runs
        Table of runs, see `ccerates.analysis.runs.cells`; other axes are left out.
    points
        What `ccerates.analysis.sample_complexity.samples_to_target` made of them with the targets
        that they hold.
    fits
        Range of the axis that exponents are fitted on, for each experiment, ends included.
    root_seed
        The project's seed. Resamples are those of `ccerates.analysis.exponents.exponents`, so that
        the two exponents are paired.
    resamples
        Number of bootstrap resamples.

    Returns
    -------
    pandas.DataFrame
        Columns `RELATIVE_COLUMNS`, then experiment and ci_method. `share` is target over uniform
        play's gap in the first cell that was fitted with the targets of `runs`, and so the share
        that is the target here in every cell; the others are those of `exponents`. A sweep
        without such a cell has no share and no exponent, and 0 points.
    """
    shares = _shares(points)
    relative = _with_relative_targets(runs, shares)
    settings = {"root_seed": root_seed, "resamples": resamples}
    if relative.empty:
        fitted = pd.DataFrame(columns=[*EXPONENT_COLUMNS, "experiment", "ci_method"])
    else:
        fitted = exponents(relative, samples_to_target(relative, fits, **settings), **settings)
    table = shares.merge(fitted, how="left", on=_SWEEP)
    table["points"] = pd.to_numeric(table["points"]).fillna(0).astype(int)
    table["ci_method"] = table["ci_method"].fillna("none")
    return table[[*RELATIVE_COLUMNS, "experiment", "ci_method"]]
