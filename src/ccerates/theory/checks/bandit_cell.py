"""Many runs of one bandit against one adversary, with what their metadata say."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ccerates.bandits.arena import BanditRuns, realised_regret
from ccerates.bandits.evb_bounds import RegretTerms, regret_terms
from ccerates.bandits.store import METADATA
from ccerates.checks import check_between, check_integer
from ccerates.errors import InputError
from ccerates.theory.constants import BanditConstants, bandit_constants

EVB = "evb"
RIGOROUS = "rigorous"


@dataclass(frozen=True, eq=False)
class BanditCell:
    """The runs of a cell and their setting.

    Attributes
    ----------
    runs
        Arrays over (runs, ...).
    metadata
        What is stored with the runs, see `ccerates.bandits.store`.

    Raises
    ------
    InputError
        If the metadata lack an entry or do not fit the arrays.
    """

    runs: BanditRuns
    metadata: Mapping[str, Any]

    def __post_init__(self) -> None:
        missing = [key for key in METADATA if key not in self.metadata]
        if missing:
            raise InputError(f"metadata of bandit runs: no {', '.join(missing)}; add it")
        check_integer("metadata of bandit runs: rounds", self.rounds, 1)
        check_between("metadata of bandit runs: gain_bound", self.gain_bound, 0.0)
        check_between("metadata of bandit runs: failure", self.failure, 0.0, 1.0)
        if self.metadata["num_actions"] != self.num_actions:
            raise InputError(
                f"{self.label}: num_actions is {self.metadata['num_actions']} in the metadata, but "
                f"the runs have {self.num_actions} arms; give the runs their own metadata"
            )

    @property
    def label(self) -> str:
        """What tables call the bandit."""
        return str(self.metadata["label"])

    @property
    def is_evb(self) -> bool:
        """Whether the bandit is the empirical-variance bandit."""
        return bool(self.metadata["bandit"] == EVB)

    @property
    def is_rigorous(self) -> bool:
        """Whether the bandit's own bound holds with probability 1 - delta."""
        return bool(self.metadata["constants"] == RIGOROUS)

    @property
    def rounds(self) -> int:
        """K."""
        return int(self.metadata["rounds"])

    @property
    def num_actions(self) -> int:
        """A."""
        return int(self.runs.mean_sum.shape[1])

    @property
    def gain_bound(self) -> float:
        """B."""
        return float(self.metadata["gain_bound"])

    @property
    def failure(self) -> float:
        """Delta."""
        return float(self.metadata["failure"])

    @cached_property
    def names(self) -> list[str]:
        """Name of each run."""
        cell = f"bandit/{self.metadata['adversary']}/{self.label}, {self.rounds} rounds"
        return [f"{cell}, run {run}" for run in range(len(self.runs.gain))]

    def constants(self, mode: str) -> BanditConstants:
        """Return the constants of EVB for this setting.

        Parameters
        ----------
        mode
            ``"rigorous"`` or ``"practical"``.
        """
        return bandit_constants(mode, self.num_actions, self.rounds, self.gain_bound, self.failure)

    @cached_property
    def own_constants(self) -> BanditConstants:
        """What EVB ran with."""
        return self.constants(str(self.metadata["constants"]))

    @cached_property
    def regret_terms(self) -> RegretTerms:
        """EVB's regret bound and its terms."""
        runs = self.runs
        return regret_terms(
            runs.final_estimate,
            runs.centred,
            runs.stability,
            runs.bias,
            runs.final_rate,
            self.rounds,
            self.gain_bound,
            self.own_constants,
        )

    @property
    def regret(self) -> np.ndarray:
        """(runs,): max_a sum_k (mu_k(a) - x_k)."""
        regret: np.ndarray = realised_regret(self.runs)
        return regret
