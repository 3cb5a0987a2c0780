"""Online learners by name, and the form they share.

A learner plays whole episodes of H steps; it knows the numbers of actions, states, steps and
planned episodes, and the distribution of the first state. Its module offers

- its options, a frozen dataclass with fields ``constants`` and ``failure``;
- ``choose_parameters(options, shape, episodes)``, a NamedTuple of numbers and arrays, where shape
  is (num_actions, num_states, horizon);
- ``allocate(shape, start, lanes)``, all that the learner remembers before the first episode: a
  NamedTuple of arrays that end in an axis over lanes, with `start`, (states, lanes), of the
  caller. Among them are ``upper`` and ``lower``, (horizon + 1, players, states, lanes), values that
  are 0 at the end; ``surplus``, (horizon, players, states, lanes), see `VisitChunk`; and
  ``visits``, (horizon, states, lanes) int64. A learner without lower values fills them with NaN;
- ``allocate_work(shape, lanes)``, a NamedTuple of arrays with what lives within one visit only,
  ``weight`` of shape (players, max_actions, lanes) among them;
- ``begin_visit(learner, work, parameters, step, states, num_actions, lanes)``, an inline kernel
  like the next: sets ``weight`` for a visit to one state (a vector) in each lane;
- ``finish_visit(learner, work, parameters, step, states, actions, rewards, next_states,
  num_actions, lanes)`` takes in what happened: (players, lanes) actions and rewards, and a vector
  of next states. The values of the next step are those before the episode goes on;
- ``report(learner, parameters, lane, episodes)``, the certificate (NaN if there is none) and the
  trace after that many episodes.

A table over (action, state) has both in one axis, ``action * num_states + state``, for
`ccerates.lanes.gather` and `scatter`. A lane's numbers do not depend on its companions.
"""

from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from ccerates.checks import did_you_mean
from ccerates.errors import InputError
from ccerates.online.result import Averaging

# Name: module, options type, trace type, and how the certified policy averages visits.
MODULES: dict[str, tuple[str, str, str, Averaging]] = {
    "v-learning": ("ccerates.online.v_learning", "VLearningOptions", "NoTrace", "alpha"),
    "cce-v-learning": ("ccerates.online.cce_v_learning", "CceVLearningOptions", "NoTrace", "alpha"),
    "stage-v-learning": (
        "ccerates.online.stage_v_learning",
        "StageVLearningOptions",
        "NoTrace",
        "stage",
    ),
    "evb-online": ("ccerates.online.evb_online", "EvbOnlineOptions", "EvbOnlineTrace", "stage"),
}


class OnlineLearner(NamedTuple):
    """An online learner.

    Attributes
    ----------
    name
        Its key in `MODULES`.
    module
        Its module.
    options_type
        Dataclass of its options.
    trace_type
        NamedTuple of arrays that its results hold as a trace.
    averaging
        How its certified policy weighs visits, see `ccerates.online.schedule`.
    """

    name: str
    module: ModuleType
    options_type: type[Any]
    trace_type: type[Any]
    averaging: Averaging


def online_learner(name: str) -> OnlineLearner:
    """Return a learner.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    if name not in MODULES:
        raise InputError(f"unknown online learner {name!r}; {did_you_mean(name, MODULES)}")
    path, options_name, trace_name, averaging = MODULES[name]
    module = import_module(path)
    return OnlineLearner(
        name, module, getattr(module, options_name), getattr(module, trace_name), averaging
    )


def check_options(learner: OnlineLearner, options: Any) -> Any:
    """Return the options, the defaults for None.

    Raises
    ------
    InputError
        If they are those of another learner.
    """
    if options is None:
        return learner.options_type()
    if type(options) is not learner.options_type:
        expected = learner.options_type.__name__
        raise InputError(f"{learner.name}: options must be {expected}, got {options!r}")
    return options
