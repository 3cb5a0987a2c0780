"""Regrets of bandits, and how they compare with the bounds that the runs themselves yield."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ccerates.bandits.arena import BanditRuns, certificate, realised_regret
from ccerates.bandits.evb_bounds import regret_terms
from ccerates.theory.constants import bandit_constants

BANDIT_COLUMNS = (
    "bandit", "constants", "adversary", "num_actions", "rounds", "runs", "played_variance",
    "regret_median", "regret_95", "regret_99", "bound_median", "bound_violations",
    "certificate_median", "certificate_violations",
)  # fmt: skip
RATIO_COLUMNS = ("bandit", "adversary", "run", "regret", "bound", "ratio")

Item = tuple[BanditRuns, Mapping[str, Any]]
"""Runs with their metadata, as `ccerates.bandits.store.load_bandit_runs` returns them."""


def bandit_table(items: Sequence[Item]) -> pd.DataFrame:
    """Return one row for each bandit and adversary.

    Parameters
    ----------
    items
        Runs of one bandit against one adversary each.

    Returns
    -------
    pandas.DataFrame
        Columns `BANDIT_COLUMNS`, ordered by adversary and bandit. `bandit` is the label with the
        constants; `played_variance`, `bound_median` and `certificate_median` are medians over runs,
        `regret_95` and `regret_99` quantiles of the realised regret in percent, `*_violations`
        counts of runs whose regret exceeds the bound. The bound R_K is EVB's own; for others its
        columns are missing.
    """
    rows = []
    for runs, metadata in items:
        regret = realised_regret(runs)
        median, high, highest = np.quantile(regret, [0.5, 0.95, 0.99])
        shape = (metadata["rounds"], metadata["gain_bound"], metadata["failure"])
        certificates = certificate(runs, *shape)
        row = {
            "bandit": metadata["label"],
            "constants": metadata["constants"],
            "adversary": metadata["adversary"],
            "num_actions": metadata["num_actions"],
            "rounds": metadata["rounds"],
            "runs": regret.size,
            "played_variance": np.median(runs.played_variance),
            "regret_median": median,
            "regret_95": high,
            "regret_99": highest,
            "certificate_median": np.median(certificates),
            "certificate_violations": np.count_nonzero(regret > certificates),
        }
        if metadata["bandit"] == "evb":
            bound = own_bound(runs, metadata)
            row["bound_median"] = np.median(bound)
            row["bound_violations"] = np.count_nonzero(regret > bound)
        rows.append(row)
    table = pd.DataFrame(rows, columns=list(BANDIT_COLUMNS))
    return table.sort_values(["adversary", "bandit"], ignore_index=True)


def own_bound(runs: BanditRuns, metadata: Mapping[str, Any]) -> np.ndarray:
    """Return (runs,): R_K of runs of the empirical-variance bandit."""
    rounds, gain_bound = metadata["rounds"], metadata["gain_bound"]
    constants = bandit_constants(
        metadata["constants"], metadata["num_actions"], rounds, gain_bound, metadata["failure"]
    )
    observed = (runs.final_estimate, runs.centred, runs.stability, runs.bias, runs.final_rate)
    return regret_terms(*observed, rounds, gain_bound, constants).regret_bound


def regrets_over_bounds(items: Sequence[Item]) -> pd.DataFrame:
    """Return one row for each run of the empirical-variance bandit.

    Parameters
    ----------
    items
        As for `bandit_table`; other bandits are left out.

    Returns
    -------
    pandas.DataFrame
        Columns `RATIO_COLUMNS`: `bound` is the run's own R_K and `ratio` the realised regret over
        it, above 1 where the regret has overtaken the bound; infinite over a bound of 0.
    """
    tables = []
    for runs, metadata in items:
        if metadata["bandit"] != "evb":
            continue
        regret, bound = realised_regret(runs), own_bound(runs, metadata)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(regret == 0.0, 0.0, regret / bound)
        columns = {
            "bandit": metadata["label"],
            "adversary": metadata["adversary"],
            "run": np.arange(regret.size),
            "regret": regret,
            "bound": bound,
            "ratio": ratio,
        }
        tables.append(pd.DataFrame(columns))
    if not tables:
        return pd.DataFrame(columns=list(RATIO_COLUMNS))
    table = pd.concat(tables, ignore_index=True)
    return table.sort_values(["adversary", "bandit", "run"], ignore_index=True)
