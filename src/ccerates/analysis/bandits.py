"""Regrets of bandits, and how they compare with the bounds that the runs themselves yield."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ccerates.analysis.publish import BANDIT_COLUMNS
from ccerates.analysis.statistics import CONFIDENCE
from ccerates.bandits.arena import BanditRuns, certificate
from ccerates.bandits.evb_bounds import RegretTerms
from ccerates.theory.checks.bandit_cell import BanditCell

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
        constants; `played_variance`, `*_median` are medians over runs, ci_low and ci_high the 95 %
        interval of that of the regret (missing with fewer than six runs), `regret_95` and
        `regret_99` the 95 % and 99 % quantiles; `*_violations` counts runs whose regret exceeds the
        bound: the certificate, and of EVB only its own bound R_K and the second of the two that R_K
        is the smaller of (`analytic`).
    """
    rows = []
    for runs, metadata in items:
        cell = BanditCell(runs, metadata)
        regret = cell.regret
        bounds = {"certificate": certificate(runs, cell.rounds, cell.gain_bound, cell.failure)}
        if cell.is_evb:
            terms = cell.regret_terms
            bounds |= {"bound": terms.regret_bound, "analytic": analytic_bound(terms)}
        low, high = _median_interval(regret)
        row = {
            **{key: metadata[key] for key in ("constants", "adversary", "num_actions", "rounds")},
            "bandit": cell.label,
            "runs": regret.size,
            "played_variance": np.median(runs.played_variance),
            "regret_median": np.median(regret),
            "ci_low": low,
            "ci_high": high,
            "regret_95": np.quantile(regret, 0.95),
            "regret_99": np.quantile(regret, 0.99),
        }
        for name, bound in bounds.items():
            row[f"{name}_median"] = np.median(bound)
            row[f"{name}_violations"] = np.count_nonzero(regret > bound)
        rows.append(row)
    table = pd.DataFrame(rows, columns=list(BANDIT_COLUMNS))
    return table.sort_values(["adversary", "bandit"], ignore_index=True)


def _median_interval(values: np.ndarray) -> tuple[float, float]:
    """Return order statistics between which the median lies, whatever the distribution.

    NaN for fewer than six values: even the extremes hold the median less often than asked for.
    """
    tail = (1.0 - CONFIDENCE) / 2.0
    place = int(stats.binom.ppf(tail, values.size, 0.5))
    if place == 0:
        return np.nan, np.nan
    ordered = np.sort(values)
    return float(ordered[place - 1]), float(ordered[-place])


def analytic_bound(terms: RegretTerms) -> np.ndarray:
    """Return (runs,): what the analysis bounds the regret by, the second bound of Theorem A.

    It is the one to look at for what the variance bias buys. The first, observed one is the sum of
    the estimates and their bias: with a small bias it does not cover their noise anywhere.
    """
    return np.asarray(terms.penalty + terms.stability + terms.bias + terms.constant)


def regrets_over_bounds(items: Sequence[Item]) -> pd.DataFrame:
    """Return one row for each run of the empirical-variance bandit.

    Parameters
    ----------
    items
        As for `bandit_table`; other bandits are left out.

    Returns
    -------
    pandas.DataFrame
        Columns `RATIO_COLUMNS`: `bound` is the run's own `analytic_bound`, `ratio` the realised
        regret over it, above 1 where the regret has overtaken the bound.
    """
    tables = []
    for runs, metadata in items:
        cell = BanditCell(runs, metadata)
        if not cell.is_evb:
            continue
        regret, bound = cell.regret, analytic_bound(cell.regret_terms)
        columns = {
            "bandit": cell.label,
            "adversary": metadata["adversary"],
            "run": np.arange(regret.size),
            "regret": regret,
            "bound": bound,
            "ratio": regret / bound,
        }
        tables.append(pd.DataFrame(columns))
    if not tables:
        return pd.DataFrame(columns=list(RATIO_COLUMNS))
    table = pd.concat(tables, ignore_index=True)
    return table.sort_values(["adversary", "bandit", "run"], ignore_index=True)
