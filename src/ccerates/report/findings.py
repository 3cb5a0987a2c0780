"""What tables without a verdict of their own show, in sentences with every exception named."""

from collections.abc import Callable, Mapping

import pandas as pd

from ccerates.report.cells import number
from ccerates.report.verdicts import label

Finding = Callable[[pd.DataFrame], list[str]]


def _curves(table: pd.DataFrame, gap: str) -> list[str]:
    """Say for how many curves the gap is smaller at the end than at the start."""
    ordered = table.sort_values("samples")
    ends = ordered.groupby(["game", "algorithm"], sort=True)[gap].agg(["first", "last"])
    grown = ends[ends["last"] >= ends["first"]]
    smaller = len(ends) - len(grown)
    pairs = f"{smaller} of {len(ends)} pairs of a game and an algorithm"
    said = [f"From the smallest budget to the largest the gap falls on {pairs}."]
    said += [
        f"Not so for {label(str(algorithm))} on {game}: from {number(row['first'])} to "
        f"{number(row['last'])}."
        for (game, algorithm), row in zip(
            grown.index.to_list(), grown.to_dict("records"), strict=True
        )
    ]
    return said


def _gap_decay(table: pd.DataFrame) -> list[str]:
    last = table.sort_values("samples").groupby(["game", "algorithm"], as_index=False).last()
    above = last[last["gap_mean"] > last["uniform_gap"]]
    said = _curves(table, "gap_median")
    if len(above):
        names = ", ".join(
            f"{label(algorithm)} on {game}"
            for game, algorithm in zip(above["game"], above["algorithm"], strict=True)
        )
        said.append(f"At the largest budget still above the gap of uniform play: {names}.")
    return said


def _real_games(table: pd.DataFrame) -> list[str]:
    return _curves(table, "gap_mean")


def _ablation(table: pd.DataFrame) -> list[str]:
    last = table.sort_values("samples").groupby(["game", "algorithm"], as_index=False).last()
    gaps = {(row["game"], row["algorithm"]): row["gap_median"] for row in last.to_dict("records")}
    said = []
    for (game, whole), gap in gaps.items():
        parts = [name for place, name in gaps if place == game and name.startswith(f"{whole}-")]
        if parts and gap > 0:
            ratios = ", ".join(f"{label(name)} {number(gaps[game, name] / gap)}" for name in parts)
            end = "median gap at the largest budget over that of the whole"
            said.append(f"{label(whole)} on {game}, {end}: {ratios}.")
    return said


def _bandit(table: pd.DataFrame) -> list[str]:
    said = []
    for bandit, rows in table.groupby("bandit", sort=False):
        if rows["analytic_violations"].notna().any():
            runs, overtaken = int(rows["runs"].sum()), int(rows["analytic_violations"].sum())
            where = rows[rows["analytic_violations"] > 0]["adversary"]
            by = f" (by {', '.join(where)})" if overtaken else ""
            said.append(
                f"{label(str(bandit))}: in {overtaken} of {runs} runs the regret exceeds the "
                f"analytic bound{by}."
            )
    runs, overtaken = int(table["runs"].sum()), int(table["certificate_violations"].sum())
    said.append(f"Any bandit: in {overtaken} of {runs} runs the regret exceeds its certificate.")
    return said


def _certificate(table: pd.DataFrame) -> list[str]:
    runs, violated = int(table["runs"].sum()), int(table["violations"].sum())
    return [f"In {violated} of {runs} runs the gap is above its certificate."]


def _lower_bound(table: pd.DataFrame) -> list[str]:
    below = table[table["below_bound"].astype(bool)]
    if below.empty:
        return []
    lowest = number(float(below["failure_rate"].min()))
    said = "Below the lower bound's samples, where at least a quarter of the runs must fail, the"
    places = f"{len(below)} pairs of a game and a budget of a learner"
    return [f"{said} smallest share that fails is {lowest} (over {places})."]


def _bounds(table: pd.DataFrame) -> list[str]:
    repeated = int(table["check"].str.startswith("C9 ").sum())
    return [f"The {repeated} rows of C9 repeat the exponents and are judged with them."]


def _tuning(table: pd.DataFrame) -> list[str]:
    chosen, used = (table[table[key].astype(bool)] for key in ("chosen", "used"))
    differ = chosen.merge(used, on=["setting", "algorithm"], suffixes=("", "_used"))
    differ = differ[
        (differ["rate_scale"] != differ["rate_scale_used"])
        | (differ["bonus_scale"] != differ["bonus_scale_used"])
    ]
    said = [
        f"{label(row['algorithm'])}: rate times {number(row['rate_scale'])}, bonus times "
        f"{number(row['bonus_scale'])} was chosen on the held-out games."
        for row in chosen.to_dict("records")
    ]
    if len(differ):
        names = ", ".join(map(label, differ["algorithm"]))
        said.append(f"This configuration uses other scales than the chosen ones for {names}.")
    else:
        said.append("Runs use the scales that were chosen.")
    return said


def _cost(table: pd.DataFrame) -> list[str]:
    hours, memory = table["core_seconds"].sum() / 3600, table["peak_memory_mb"].max()
    machine = "one core of the machine that made the reference"
    return [f"Together {hours:.2f} hours on {machine}, at most {memory:.0f} MB for a job."]


FINDINGS: Mapping[str, Finding] = {
    "gap-decay": _gap_decay,
    "real-games": _real_games,
    "ablation": _ablation,
    "bandit": _bandit,
    "certificate": _certificate,
    "lower-bound": _lower_bound,
    "bounds": _bounds,
    "tuning": _tuning,
    "cost": _cost,
}
"""What each table shows."""
