"""A copy of the workflow with a tiny config, run once for all tests of a session."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PARTS = (
    "Snakefile", "config", "environment.yml", "examples", "paper", "profiles", "requirements.lock",
    "src", "workflow",
)  # fmt: skip


class Workflow(NamedTuple):
    """A folder with the workflow; jobs run the installed package, whose kernels are cached."""

    folder: Path

    def snakemake(
        self, *options: str, config: str = "tiny.yaml"
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "snakemake", *options, "--configfile", config],
            cwd=self.folder,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            check=False,
            text=True,
        )

    def copy(self, folder: Path) -> "Workflow":
        shutil.copytree(self.folder, folder)
        return Workflow(folder)

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert old in text
        (self.folder / name).write_text(text.replace(old, new, 1))

    def write_config(self, name: str, config: dict) -> str:
        (self.folder / name).write_text(yaml.safe_dump(config, sort_keys=False))
        return name


def tiny_config():
    """Return a config with every claim, as small as it gets; only the horizon has two learners.

    Online a third one: a file in plain Python.
    """
    config = yaml.safe_load((ROOT / "config/smoke.yaml").read_text())
    config |= {"name": "tiny", "replicates": 2, "resamples": 99}
    config["learners"]["exp3"] = {"file": "examples/exp3.py", "rate": 2.0}
    learners = {
        "sim-horizon": {"q-ftrl": [0.025, 0.05], "evb-sim": [0.025, 0.05]},
        "online-horizon": {
            "v-learning": [0.002, 0.004],
            "evb-online": [0.002, 0.004],
            "exp3": [0.002, 0.004],
        },
        "simulator": {"evb-sim": [0.025, 0.05]},
        "online": {"evb-online": [0.002, 0.004]},
    }
    for name, sweep in config["sweeps"].items():
        sweep["values"] = sweep["values"][:2]
        sweep["fit"] = [min(sweep["values"]), max(sweep["values"])]
        sweep["budget_scales"] = learners.get(name, learners[sweep["setting"]])
    config["sweeps"]["sim-horizon"]["game"] |= {"num_actions": 2, "alive_states": 1}
    for tuning in config["tuning"].values():
        tuning |= {"rate_scales": [1], "bonus_scales": [1]}
        tuning["budget_scales"] = learners[tuning["setting"]]
        tuning["game"]["eps_game"] = 0.2
    curves = config["curves"]
    pathfinding = curves["real-games"]["games"]["pathfinding"] | {"horizon": 3}
    real = {"evb-sim": [4, 8], "evb-online": [8, 16], "exp3": [8, 16]}
    curves["real-games"] |= {"games": {"pathfinding": pathfinding}, "rounds": real}
    survival = {"survival": curves["ablation"]["games"]["survival"]}
    decay = {"evb-sim": [16, 32], "evb-online": [16, 32]}
    curves["gap-decay"] |= {"games": survival, "rounds": decay}
    variants = ("evb-sim", "evb-sim-no-bias", "evb-online", "evb-online-no-bias")
    curves["ablation"]["rounds"] = {name: [16, 32] for name in variants}
    audit = {"evb-sim-rigorous": [16], "evb-online-rigorous": [64]}
    curves["audit"] |= {"replicates": 3, "rounds": audit}
    certified = ("evb-sim", "evb-sim-rigorous", "v-learning", "evb-online")
    curves["certificate"]["rounds"] = {name: [16, 32] for name in certified}
    covered = {"evb-sim-rigorous": [20000], "v-learning": [100]}
    curves["coverage"] |= {"replicates": 3, "rounds": covered}
    bandits = config["bandits"]
    bandits |= {"rounds": 50, "runs": 4}
    for section, names in (
        ("bandits", ("evb-rigorous", "exp3-ix")),
        ("adversaries", ("stochastic", "switching")),
    ):
        bandits[section] = {name: bandits[section][name] for name in names}
    scales = {"evb-sim": [0.001, 0.002], "uniform-sampler": [0.001, 0.01]}
    lower_bound = {"replicates": 4, "axes": {"horizon": [8]}, "budget_scales": scales}
    config["lower-bound"] |= lower_bound
    return config


@pytest.fixture(scope="session")
def fresh(tmp_path_factory):
    """The workflow before its first run."""
    workflow = Workflow(tmp_path_factory.mktemp("workflow") / "a folder")
    workflow.folder.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / part, workflow.folder / part, ignore=ignore)
        else:
            shutil.copy2(ROOT / part, workflow.folder)
    workflow.write_config("tiny.yaml", tiny_config())
    return workflow


@pytest.fixture(scope="session")
def finished(fresh, tmp_path_factory):
    """The workflow after a run with the tiny config, not to be changed."""
    workflow = fresh.copy(tmp_path_factory.mktemp("finished") / "a folder")
    run = workflow.snakemake("artifact", "report", "--cores", "2")
    assert run.returncode == 0, run.stderr
    return workflow


@pytest.fixture(scope="session")
def config():
    return tiny_config()
