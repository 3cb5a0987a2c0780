"""Which setting a learner learns in, and whether a config asks it to do what it can."""

from collections.abc import Iterator, Mapping
from typing import Any

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.experiments.learners import algorithm_of, own_learner, read_options
from ccerates.online.registry import MODULES as ONLINE_MODULES
from ccerates.online.registry import online_learner
from ccerates.simulator.registry import MODULES as SIMULATOR_MODULES
from ccerates.simulator.registry import simulator_learner

SIMULATOR, ONLINE = "simulator", "online"


def setting_of(label: str, section: Mapping[str, Any]) -> str:
    """Return the setting that a learner's algorithm learns in.

    Parameters
    ----------
    label
        Name of the learner in the config.
    section
        Its options, and ``algorithm`` if that is not the label, or ``file``.

    Returns
    -------
    str
        ``"simulator"`` or ``"online"``.

    Raises
    ------
    InputError
        If no algorithm has the name, or the file defines no learner.
    """
    own = own_learner(label, section)
    if own is not None:
        return own.setting
    algorithm = algorithm_of(label, section)
    if algorithm in SIMULATOR_MODULES:
        return SIMULATOR
    if algorithm in ONLINE_MODULES:
        return ONLINE
    hint = did_you_mean(algorithm, [*SIMULATOR_MODULES, *ONLINE_MODULES])
    raise InputError(f"learners.{label}: unknown algorithm {algorithm!r}; {hint}")


def check_learners(config: Mapping[str, Any]) -> None:
    """Check the learners of a config, and that budgets name learners of the right setting.

    Raises
    ------
    InputError
        If options of a learner are wrong, or budgets name one without options or of another
        setting than the experiment's.
    """
    learners = config["learners"]
    judged_by = config["bandits"]["failure"]
    settings = {label: setting_of(label, section) for label, section in learners.items()}
    for label, section in learners.items():
        if "file" in section:  # takes what its class takes, and bounds nothing
            continue
        find = simulator_learner if settings[label] == SIMULATOR else online_learner
        options = read_options(label, section, find(algorithm_of(label, section)).options_type)
        failure = getattr(options, "failure", judged_by)
        if failure != judged_by:
            raise InputError(
                f"learners.{label}: failure is {failure:g} but bandits.failure {judged_by:g}; "
                "write the same in both: the table of bounds judges all by one"
            )
    for place, labels, setting in _budgets(config):
        for label in labels:
            if label not in learners:
                hint = did_you_mean(label, learners)
                raise InputError(
                    f"{place}: no options for {label!r}; {hint} "
                    f"Or write `{label}: {{}}` below `learners` for the defaults"
                )
            own = settings[label]
            if setting not in (None, own):
                raise InputError(
                    f"{place}: {label!r} is a learner of the setting {own} and this is an "
                    f"experiment of the setting {setting}; remove it here"
                )


def _budgets(config: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], str | None]]:
    """Yield where learners are named, by which keys, and the only setting allowed there if any."""
    for group in ("sweeps", "tuning"):
        for name, section in config[group].items():
            yield f"{group}.{name}.budget_scales", section["budget_scales"], section["setting"]
    for name, section in config["curves"].items():
        yield f"curves.{name}.rounds", section["rounds"], None
