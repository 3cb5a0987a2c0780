"""Learners as a config names them: a label stands for an algorithm and its options."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.games.families.parameters import read_parameters
from ccerates.simulator.registry import MODULES, simulator_learner


class ConfiguredLearner(NamedTuple):
    """An algorithm with its options.

    Attributes
    ----------
    algorithm
        Name in the registry.
    options
        Of the algorithm's options type.
    """

    algorithm: str
    options: Any


def algorithm_of(label: str, section: Mapping[str, Any]) -> str:
    """Return the algorithm of a learner, given its section of the config."""
    return str(section.get("algorithm", label))


def configured_learner(label: str, section: Mapping[str, Any]) -> ConfiguredLearner:
    """Read the section of one learner.

    Parameters
    ----------
    label
        Name of the learner in the config and in all tables.
    section
        Options, and ``algorithm`` if that is not the label.

    Raises
    ------
    InputError
        If the algorithm or an option is unknown or out of its range.
    """
    algorithm = algorithm_of(label, section)
    if algorithm not in MODULES:
        hint = did_you_mean(algorithm, MODULES)
        raise InputError(f"learners.{label}: unknown algorithm {algorithm!r}; {hint}")
    values = {key: value for key, value in section.items() if key != "algorithm"}
    try:
        options = read_parameters(simulator_learner(algorithm).options_type, values)
    except InputError as error:
        raise InputError(f"learners.{label}: {error}") from None
    return ConfiguredLearner(algorithm, options)


def check_learners(config: Mapping[str, Any]) -> None:
    """Raise InputError if options of a learner are wrong, or budgets name one without options."""
    learners = config["learners"]
    judged_by = config["bandits"]["failure"]
    for label, section in learners.items():
        failure = getattr(configured_learner(label, section).options, "failure", judged_by)
        if failure != judged_by:
            raise InputError(
                f"learners.{label}: failure is {failure:g} but bandits.failure {judged_by:g}; "
                "write the same in both: the table of bounds judges all by one"
            )
    budgets = {f"sweeps.{key}.budget_scales": each for key, each in _budgets(config["sweeps"])}
    budgets |= {f"curves.{key}.rounds": each for key, each in _budgets(config["curves"])}
    budgets["tuning.budget_scales"] = config["tuning"]["budget_scales"]
    for place, labels in budgets.items():
        for label in labels:
            if label not in learners:
                hint = did_you_mean(label, learners)
                raise InputError(
                    f"{place}: no options for {label!r}; {hint} "
                    f"Or write `{label}: {{}}` below `learners` for the defaults"
                )


def _budgets(sections: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return [
        (name, section.get("budget_scales") or section["rounds"])
        for name, section in sections.items()
    ]
