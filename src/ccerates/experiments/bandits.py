"""Runs of the claim `bandit`: bandits against adversaries, as a config names them."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from ccerates.bandits.adversaries import ADVERSARIES
from ccerates.bandits.arena import BanditRuns, play
from ccerates.bandits.registry import MODULES, PUBLISHED_RATES, options_type
from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.games.families.parameters import read_parameters
from ccerates.streams import LEARNER_STREAM, seed_sequence

EXPERIMENT = "bandit"


class Contest(NamedTuple):
    """A bandit and an adversary with their options."""

    bandit: str
    bandit_options: Any
    adversary: str
    adversary_options: Any


def configured_contest(
    settings: Mapping[str, Any], bandit_label: str, adversary_label: str
) -> Contest:
    """Read the sections of a bandit and of an adversary.

    Parameters
    ----------
    settings
        The config's section ``bandits``.
    bandit_label, adversary_label
        Keys of its sections ``bandits`` and ``adversaries``.

    Raises
    ------
    InputError
        If a name or an option is unknown or out of its range.
    """
    bandit, values = _read(settings, "bandits", bandit_label, MODULES)
    options = options_type(bandit)
    adversary, adversary_values = _read(settings, "adversaries", adversary_label, ADVERSARIES)
    try:
        place = f"bandits.bandits.{bandit_label}"
        if any(field.name == "failure" for field in fields(options)):
            if "failure" in values:  # the bounds of all are judged by one
                raise InputError("remove failure; bandits.failure holds for every bandit")
            values = {"failure": settings["failure"], **values}
        bandit_options = read_parameters(options, values)
        place = f"bandits.adversaries.{adversary_label}"
        adversary_options: Any = read_parameters(
            ADVERSARIES[adversary],  # type: ignore[arg-type]
            adversary_values,
        )
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return Contest(bandit, bandit_options, adversary, adversary_options)


def _read(
    settings: Mapping[str, Any], section: str, label: str, known: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return the name that a label stands for, and its options."""
    key = {"bandits": "bandit", "adversaries": "adversary"}[section]
    values = dict(settings[section][label])
    name = str(values.pop(key, label))
    if name not in known:
        hint = did_you_mean(name, known)
        raise InputError(f"bandits.{section}.{label}: unknown {key} {name!r}; {hint}")
    return name, values


def check_bandits(settings: Mapping[str, Any]) -> None:
    """Raise InputError if a bandit or an adversary of the section ``bandits`` cannot be made."""
    for bandit in settings["bandits"]:
        for adversary in settings["adversaries"]:
            configured_contest(settings, bandit, adversary)


def run_bandit(
    settings: Mapping[str, Any], bandit_label: str, adversary_label: str, *, root_seed: int
) -> tuple[BanditRuns, dict[str, Any]]:
    """Run a bandit against an adversary.

    Parameters
    ----------
    settings, bandit_label, adversary_label
        As for `configured_contest`.
    root_seed
        The project's seed.

    Returns
    -------
    runs : BanditRuns
    metadata : dict
        What `ccerates.bandits.store` keeps beside them.
    """
    contest = configured_contest(settings, bandit_label, adversary_label)
    shape = {key: settings[key] for key in ("num_actions", "rounds", "gain_bound")}
    # The same for every bandit: they meet the same luck.
    seeds = [
        seed_sequence(root_seed, EXPERIMENT, adversary_label, run, LEARNER_STREAM)
        for run in range(settings["runs"])
    ]
    runs = play(*contest, **shape, seeds=seeds)
    rate = "published" if contest.bandit in PUBLISHED_RATES else "own rate"
    metadata = {
        "label": bandit_label,
        "bandit": contest.bandit,
        "constants": getattr(contest.bandit_options, "constants", rate),
        "adversary": adversary_label,
        "rounds": settings["rounds"],
        "num_actions": settings["num_actions"],
        "gain_bound": float(settings["gain_bound"]),
        "failure": settings["failure"],
    }
    return runs, metadata
