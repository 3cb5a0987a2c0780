"""Every online learner has the parts that the registry promises."""

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.online.registry import MODULES, online_learner

SHAPE, LANES = ((2, 3), 4, 5), 2


def test_names() -> None:
    averaging = {name: online_learner(name).averaging for name in MODULES}
    assert averaging == {
        "v-learning": "alpha",
        "cce-v-learning": "alpha",
        "stage-v-learning": "stage",
        "evb-online": "stage",
    }


def test_unknown_learner() -> None:
    with pytest.raises(InputError, match="unknown online learner 'evb-onlin'; did you mean 'evb-"):
        online_learner("evb-onlin")


@pytest.mark.parametrize("name", MODULES)
def test_state_before_the_first_episode(name) -> None:
    learner = online_learner(name)
    assert learner.options_type().failure == 0.05
    assert learner.options_type().constants == "practical"
    start = np.full((4, LANES), 0.25)
    state = learner.module.allocate(SHAPE, start, LANES)
    assert all(values.shape[-1] == LANES for values in state)
    assert state.upper.shape == state.lower.shape == (6, 2, 4, LANES)
    assert state.surplus.shape == (5, 2, 4, LANES)
    left = np.arange(5.0, -1.0, -1.0)[:, None, None, None]
    np.testing.assert_array_equal(state.upper, np.broadcast_to(left, state.upper.shape))
    assert state.visits.shape == (5, 4, LANES)
    assert state.visits.dtype == np.int64
    assert not state.visits.any()
    work = learner.module.allocate_work(SHAPE, LANES)
    assert work.weight.shape == (2, 3, LANES)
    parameters = learner.module.choose_parameters(learner.options_type(), SHAPE, 100)
    certificate, trace = learner.module.report(state, parameters, 1, 0)
    assert isinstance(trace, learner.trace_type)
    assert isinstance(certificate, float)
