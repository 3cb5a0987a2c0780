"""A page's sources with few rows, whose verdicts can be counted by hand."""

from pathlib import Path

import pandas as pd
import pytest
import yaml

from ccerates.analysis.publish import COLUMNS
from ccerates.report.provenance import MAIN_PACKAGES
from ccerates.report.sources import Sources

SVG = """<?xml version="1.0" encoding="utf-8"?>
<svg width="468pt" height="36pt" viewBox="0 0 468 36" xmlns="http://www.w3.org/2000/svg">
 <path d="M 0 0
L 468 36" style="stroke: #ff0000"/>
</svg>
"""

CLAIMS = {
    "sim-players": ("With players; the bounds say sum_i A_i", "players", "sim-players"),
    "online-horizon": ("With the horizon; the bound says H^6", "horizon", "online-horizon"),
    "exponents": ("All exponents", "exponents", "exponents"),
    "bounds": ("The inequalities <hold>", "", "bounds"),
    "tuning": ("What was tuned", "", "tuning"),
    "cost": ("What it cost", "", "cost"),
    "verify": ("Tables agree", "", "verify"),
}

EXPONENTS = [
    ("simulator", "evb-sim", "players", 0, 0.1, 0.05, 0.15, 0.2, "within bound"),
    ("simulator", "q-ftrl", "players", 1, 1.5, 1.4, 1.6, 1.3, "miss"),
    ("online", "evb-online", "horizon", 5, 4.9, 4.8, 5.0, 5.1, "confirmed"),
    ("online", "v-learning", "horizon", 6, 6.5, 6.2, 6.8, 6.6, "inconclusive"),
    ("online", "exp3", "horizon", None, 5.5, 5.2, 5.8, 5.6, "no rate"),
    ("simulator", "evb-sim", "horizon", 4, 4.0, 3.9, 4.1, 4.0, "confirmed"),
]
BOUNDS = [
    ("C1 pathwise inequality", "evb-sim", "deterministic", 10, 0, 0, 3.25, "pass"),
    ("C3 regret bound", "evb-practical", "informative", 10, 9, "any", -2.0, "informative"),
    ("C6 certificate", "evb-sim", "planted", 10, 10, 1, -5.5, "caught"),
    ("C9 exponent of players", "q-ftrl", "interval", 1, 1, 0, -0.1, "miss"),
]
TUNING = [
    ("simulator", "evb-sim", scale, 1.0, samples, None, None, "measured", chosen, chosen)
    for scale, samples, chosen in [
        (0.5, 2_000_000, False), (1, 30_500, True), (2, 450, False), (4, None, False),
    ]
]  # fmt: skip


def table(name, rows):
    """Return a table with the published columns, zero where a row has nothing to say."""
    columns = list(COLUMNS[name])
    return pd.DataFrame([dict.fromkeys(columns, 0) | row for row in rows], columns=columns)


def rows(names, values):
    return [dict(zip(names, each, strict=True)) for each in values]


def sweep(experiment, setting, axis, algorithms):
    same = {"experiment": experiment, "setting": setting, "axis": axis, "status": "measured"}
    return table(
        experiment,
        [
            same | {"algorithm": name, "value": value, "samples_to_target": 1000.0 * value**2}
            for name in algorithms
            for value in (1, 2)
        ],
    )


def tables():
    exponents = ("setting", "algorithm", "axis", "theory", "measured", "ci_low", "ci_high")
    verified = [
        ("sim-players", f"samples_to_target [value={n}]", str(n), str(n), "0", "exact", "pass")
        for n in range(40)
    ]
    verified[3] = (*verified[3][:3], "4", "0", "exact", "fail")
    return {
        "sim-players": sweep("sim-players", "simulator", "players", ("evb-sim", "q-ftrl")),
        "online-horizon": sweep("online-horizon", "online", "horizon", ("evb-online",)),
        "exponents": table("exponents", rows((*exponents, "local_slope", "verdict"), EXPONENTS)),
        "bounds": pd.DataFrame(BOUNDS, columns=list(COLUMNS["bounds"])),
        "tuning": pd.DataFrame(TUNING, columns=list(COLUMNS["tuning"])),
        "verify": pd.DataFrame(verified, columns=list(COLUMNS["verify"])),
        "cost": table(
            "cost",
            [
                {"experiment": "players", "core_seconds": 40.0},
                {"experiment": "horizon", "core_seconds": 600.0, "peak_memory_mb": 300.0},
            ],
        ),
    }


def claims():
    return {
        name: {
            "claim": sentence,
            "command": f"./reproduce {name.replace('-', '_')} --cores 2",
            "shows": [
                *([f"figures/{name}.pdf"] if figure else []),
                f"figures/tables/{csv}.csv",
            ],
            "experiments": [figure] if figure else ["everything"],
        }
        for name, (sentence, figure, csv) in CLAIMS.items()
    }


@pytest.fixture(scope="session")
def make_sources():
    """Return a function that fills a folder with everything that a page needs."""

    def make(folder: Path, name: str = "small") -> Sources:
        sources = Sources(
            claims=folder / "claims.yaml",
            config=folder / f"{name}.yaml",
            lock=folder / "requirements.lock",
            captions=folder / "captions",
            figures=folder / "figures",
            reference=folder / "reference",
        )
        for each in (sources.captions, sources.figures / "tables", sources.reference):
            each.mkdir(parents=True)
        sources.claims.write_text(yaml.safe_dump(claims(), sort_keys=False))
        sources.config.write_text(f"# Made up, <b>small</b>.\nname: {name}\nroot_seed: 1729\n")
        locked = "".join(f"{package}==1.2.3 \\\n    --hash=sha256:0\n" for package in MAIN_PACKAGES)
        sources.lock.write_text(locked)
        for figure in ("sim-players", "online-horizon", "exponents"):
            (sources.captions / f"{figure}.rst").write_text(f"Drawn is\n{figure}. Read & see.\n")
            (sources.figures / f"{figure}.svg").write_text(SVG)
            for suffix in ("pdf", "csv"):
                (sources.figures / f"{figure}.{suffix}").write_text(suffix)
        for own, content in tables().items():
            content.to_csv(sources.table_path(own), index=False)
        return sources

    return make


@pytest.fixture
def sources(make_sources, tmp_path):
    return make_sources(tmp_path / "sources")
