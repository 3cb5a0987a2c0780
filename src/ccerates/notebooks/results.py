"""Where the results of a configuration are, whoever asks from below the repository's folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ccerates.config import read_config, read_yaml
from ccerates.errors import InputError

VARIABLE = "CCERATES_CONFIG"
"""Environment variable: the name of a configuration in ``config/``, or the path of its file."""

DEFAULT = "paper"
"""Configuration that is meant if the variable is not set."""


class MissingResultsError(InputError):
    """Results that the pipeline has not made yet; the message says what makes them."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows: the message alone."""
        return str(self).splitlines()


@dataclass(frozen=True)
class Results:
    """What the pipeline made of one configuration.

    Attributes
    ----------
    root
        The repository's folder.
    config
        The configuration, as its file holds it.
    """

    root: Path
    config: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Name of the configuration."""
        return str(self.config["name"])

    def run_files(self, experiment: str) -> list[Path]:
        """Return the files of all runs of an experiment, in the order of the pipeline.

        Parameters
        ----------
        experiment
            A sweep or curves of the configuration, for example ``"sim-horizon"``.

        Raises
        ------
        InputError
            If there is no such experiment.
        MissingResultsError
            If a file is missing.
        """
        sections = {**self.config["sweeps"], **self.config["curves"]}
        if experiment not in sections:
            raise InputError(f"{experiment}: no such experiment; there are {', '.join(sections)}")
        section = sections[experiment]
        if experiment in self.config["sweeps"]:
            cells = [f"{section['axis']}-{value:.12g}" for value in section["values"]]
            learners = section["budget_scales"]
        else:
            cells, learners = section["games"], section["rounds"]
        runs = self.root / "results" / self.name / "runs" / experiment
        files = [runs / cell / f"{learner}.parquet" for cell in cells for learner in learners]
        return [self._there(path, "experiments", experiment) for path in files]

    def table_file(self, name: str) -> Path:
        """Return the file of a published table, for example ``"exponents"``.

        Raises
        ------
        MissingResultsError
            If it is missing.
        """
        place = Path("figures", "tables", f"{name}.csv")
        built = place if self.name == DEFAULT else Path("build", self.name) / place
        return self._there(self.root / built, "shows", place.as_posix())

    def _there(self, path: Path, key: str, value: str) -> Path:
        """Return a path that exists; otherwise name the claim that lists `value` under `key`."""
        if path.exists():
            return path
        claims = read_yaml(self.root / "config" / "claims.yaml").values()
        commands = (claim["command"] for claim in claims if value in claim[key])
        command = next(commands, "./reproduce --cores 2")
        if self.name != DEFAULT:
            command += f" --configfile config/{self.name}.yaml"
        raise MissingResultsError(
            f"{path.relative_to(self.root)}: not made yet. In the repository's folder run\n"
            f"    {command}\n"
            "or, for everything in tiny within minutes,\n"
            "    ./reproduce --cores 2 --configfile config/smoke.yaml\n"
            f"and start Jupyter with {VARIABLE}=smoke in the environment."
        )


def find_results() -> Results:
    """Return the results of the configuration that `VARIABLE` names, `DEFAULT` without it.

    The repository is looked for from the current folder upwards.

    Raises
    ------
    InputError
        If the current folder is not inside the repository, or there is no such configuration.
    """
    here = Path.cwd()
    for root in (here, *here.parents):
        if (root / "Snakefile").is_file() and (root / "config").is_dir():
            break
    else:
        raise InputError(
            f"{here}: not in the repository; open notebooks from its folder notebooks/"
        )
    wanted = os.environ.get(VARIABLE, DEFAULT)
    path = Path(wanted) if wanted.endswith(".yaml") else root / "config" / f"{wanted}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(each.stem for each in (root / "config").glob("*.yaml")))
        raise InputError(
            f"{VARIABLE}={wanted}: no such configuration; write one of {known}, or the path of "
            "a file that ends in .yaml"
        )
    return Results(root, read_config(path))
