"""Sections of a config become learners, or one line says what to write instead."""

from dataclasses import dataclass

import pytest

from ccerates.errors import InputError
from ccerates.experiments.learners import check_learners, configured_learner
from ccerates.games.families.parameters import read_parameters
from ccerates.simulator.evb_sim import EvbSimOptions
from experiments.small_cells import config


def test_a_learner_runs_the_algorithm_of_its_name_or_another():
    plain = configured_learner("evb-sim", {"rate_scale": 2})
    assert plain == ("evb-sim", EvbSimOptions(rate_scale=2))
    assert configured_learner("mine", {"algorithm": "evb-sim"}) == ("evb-sim", EvbSimOptions())


@pytest.mark.parametrize(
    ("label", "section", "message"),
    [
        ("q-ftrl", {"rate_scal": 2}, "learners.q-ftrl: unknown parameter 'rate_scal'; did you me"),
        ("q-ftrl", {"failure": 2}, "learners.q-ftrl: q-ftrl: failure: expected a number > 0 and <"),
        ("q-ftr", {}, "learners.q-ftr: unknown algorithm 'q-ftr'; did you mean 'q-ftrl'?"),
        ("a", {"algorithm": "b"}, "learners.a: unknown algorithm 'b'; known: "),
        (
            "evb-sim",
            {"constants": "rigorous", "bonus_scale": 0.5},
            "learners.evb-sim: evb-sim: bonus_scale must be 1 with rigorous constants",
        ),
    ],
)
def test_wrong_sections_are_named(label, section, message):
    with pytest.raises(InputError) as caught:
        configured_learner(label, section)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("sweeps", "sim-horizon", "budget_scales"), "sweeps.sim-horizon.budget_scales"),
        (("curves", "gap-decay", "rounds"), "curves.gap-decay.rounds"),
        (("tuning", "budget_scales"), "tuning.budget_scales"),
    ],
)
def test_budgets_of_a_learner_without_options_are_named(path, place):
    wanted = config()
    section = wanted
    for key in path:
        section = section[key]
    section["evb_sim"] = [8]
    with pytest.raises(InputError, match=rf"^{place}: no options for 'evb_sim'; did you mean 'evb"):
        check_learners(wanted)


def test_bounds_of_all_runs_may_fail_equally_often():
    wanted = config()
    wanted["learners"]["q-ftrl"] = {"failure": 0.1}
    with pytest.raises(InputError, match=r"^learners\.q-ftrl: failure is 0\.1 but bandits\.fail"):
        check_learners(wanted)


@dataclass(frozen=True)
class Own:
    """Options of a reader's own learner, which checks nothing."""

    explore: float = 0.1
    steps: int = 3
    fair: bool = True
    mode: str = "fast"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"explore": "many"}, "explore: expected a number, got 'many'"),
        ({"explore": True}, "explore: expected a number, got True"),
        ({"steps": 2.5}, "steps: expected an integer, got 2.5"),
        ({"fair": 1}, "fair: expected true or false, got 1"),
        ({"mode": 3}, "mode: expected text, got 3"),
    ],
)
def test_options_have_the_types_that_their_dataclass_declares(values, message):
    with pytest.raises(InputError) as caught:
        read_parameters(Own, values)
    assert str(caught.value) == message
    assert read_parameters(Own, {"explore": 1, "steps": 2}) == Own(explore=1, steps=2)
