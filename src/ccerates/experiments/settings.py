"""Which setting a learner learns in, and whether a config asks it to do what it can."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.experiments.cells import AUDIT, CERTIFICATE, COVERAGE, FILE_FAILURE
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
        If options of a learner are wrong; if budgets name one without options, or one that cannot
        do what the experiment asks for: its setting, an audit of value bounds, scales to tune.
    """
    learners = config["learners"]
    judged_by = config["bandits"]["failure"]
    settings = {label: setting_of(label, section) for label, section in learners.items()}
    for label, section in learners.items():
        options = _options_of(label, section)
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
    _check_audit(config)
    _check_certificates(config)
    _check_scales(config)


def _options_of(label: str, section: Mapping[str, Any]) -> Any:
    """Return the options of a learner; None if it is one in a file, which holds them itself."""
    if own_learner(label, section) is not None:
        return None
    algorithm = algorithm_of(label, section)
    find = simulator_learner if algorithm in SIMULATOR_MODULES else online_learner
    return read_options(label, section, find(algorithm).options_type)


def _check_audit(config: Mapping[str, Any]) -> None:
    """Raise InputError if the audit holds a learner with stages that has no value bounds."""
    for label in config["curves"].get(AUDIT, {}).get("rounds", {}):
        own = own_learner(label, config["learners"][label])
        if own is not None and own.averaging == "stage":
            raise InputError(
                f"curves.{AUDIT}.rounds: {label!r} is a learner in a file, which has no value "
                "bounds to audit; remove it here"
            )


def _check_certificates(config: Mapping[str, Any]) -> None:
    """Raise InputError if certificates of learners in files would be judged by another delta."""
    judged_by = config["bandits"]["failure"]
    for experiment in (CERTIFICATE, COVERAGE):
        for label in config["curves"].get(experiment, {}).get("rounds", {}):
            own = own_learner(label, config["learners"][label])
            if own is not None and own.averaging is not None and judged_by != FILE_FAILURE:
                raise InputError(
                    f"curves.{experiment}.rounds: the certificate of {label!r}, a learner in a "
                    f"file, may fail with probability {FILE_FAILURE:g} but bandits.failure is "
                    f"{judged_by:g}; write {FILE_FAILURE:g} there or remove the learner here"
                )


def _check_scales(config: Mapping[str, Any]) -> None:
    """Raise InputError if a learner does not take the scales that it is tuned over."""
    for name, tuning in config["tuning"].items():
        for label in tuning["budget_scales"]:
            for rate_scale, bonus_scale in product(tuning["rate_scales"], tuning["bonus_scales"]):
                scales = {"rate_scale": rate_scale, "bonus_scale": bonus_scale}
                try:
                    _options_of(label, {**config["learners"][label], **scales})
                except InputError as error:
                    raise InputError(
                        f"tuning.{name}.budget_scales: {label!r} does not run with rate_scale "
                        f"{rate_scale:g} and bonus_scale {bonus_scale:g} ({error}); remove it here"
                    ) from None


def _budgets(config: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], str | None]]:
    """Yield where learners are named, by which keys, and the only setting allowed there if any."""
    for group in ("sweeps", "tuning"):
        for name, section in config[group].items():
            yield f"{group}.{name}.budget_scales", section["budget_scales"], section["setting"]
    for name, section in config["curves"].items():
        yield f"curves.{name}.rounds", section["rounds"], None
