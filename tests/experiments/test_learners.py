"""Sections of a config become learners, or one line says what to write instead."""

from dataclasses import dataclass

import pytest

from ccerates.errors import InputError
from ccerates.experiments.learners import algorithm_of, own_learner, read_options
from ccerates.experiments.settings import check_learners, setting_of
from ccerates.games.families.parameters import read_parameters
from ccerates.simulator.evb_sim import EvbSimOptions
from experiments.small_cells import config


def test_a_learner_runs_the_algorithm_of_its_name_or_another():
    mine = {"algorithm": "evb-sim", "rate_scale": 2}
    assert algorithm_of("evb-sim", {"rate_scale": 2}) == algorithm_of("mine", mine) == "evb-sim"
    assert read_options("mine", mine, EvbSimOptions) == EvbSimOptions(rate_scale=2)
    assert own_learner("mine", mine) is None


@pytest.mark.parametrize(
    ("label", "section", "setting"),
    [
        ("q-ftrl", {}, "simulator"),
        ("evb-online", {"rate_scale": 2}, "online"),
        ("v-learning", {"algorithm": "evb-sim"}, "simulator"),
        ("mine", {"algorithm": "v-learning"}, "online"),
    ],
)
def test_the_algorithm_says_the_setting(label, section, setting):
    assert setting_of(label, section) == setting


ONLINE = """
class Learner:
    averaging = "alpha"

    def __init__(self, num_actions, num_states, horizon, episodes, pace=1.0):
        pass

    def act(self, step, state):
        pass

    def update(self, step, state, actions, rewards, next_state):
        pass
"""


def test_the_class_in_a_file_says_the_setting(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(ONLINE)
    section = {"file": str(path), "pace": 2.0}
    assert setting_of("mine", section) == "online"
    assert own_learner("mine", section).options == {"pace": 2.0}
    path.write_text(ONLINE.replace('averaging = "alpha"', "").replace("episodes", "rounds"))
    assert setting_of("mine", section) == "simulator"
    with pytest.raises(InputError, match=r"^learners\.mine: .*own\.py: unknown option 'pac'; did"):
        setting_of("mine", {"file": str(path), "pac": 2.0})


def test_options_are_read_for_every_learner_and_files_need_none(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(ONLINE)
    wanted = config()
    wanted["learners"]["mine"] = {"file": str(path)}
    wanted["curves"]["gap-decay"]["rounds"]["mine"] = [4]
    check_learners(wanted)
    wanted["sweeps"]["online-horizon"]["budget_scales"]["mine"] = [1]
    check_learners(wanted)


@pytest.mark.parametrize(
    ("group", "name", "learner", "own"),
    [
        ("sweeps", "sim-horizon", "v-learning", "online"),
        ("sweeps", "online-horizon", "short", "simulator"),
        ("tuning", "held-out", "evb-online", "online"),
        ("tuning", "held-out-online", "q-ftrl", "simulator"),
    ],
)
def test_sweeps_and_tuning_hold_one_setting(group, name, learner, own):
    wanted = config()
    section = wanted[group][name]
    section["budget_scales"] = section["budget_scales"] | {learner: [1]}
    with pytest.raises(InputError) as caught:
        check_learners(wanted)
    assert str(caught.value) == (
        f"{group}.{name}.budget_scales: {learner!r} is a learner of the setting {own} and this is "
        f"an experiment of the setting {section['setting']}; remove it here"
    )


def test_an_audit_holds_no_own_learner_with_stages(tmp_path):
    path = tmp_path / "own.py"
    wanted = config()
    wanted["learners"]["mine"] = {"file": str(path)}
    wanted["curves"]["audit"] = wanted["curves"]["gap-decay"] | {"rounds": {"mine": [4]}}
    path.write_text(ONLINE)
    check_learners(wanted)  # without stages there is nothing to compare at their ends
    path.write_text(ONLINE.replace('"alpha"', '"stage"'))
    with pytest.raises(InputError, match=r"^curves\.audit\.rounds: 'mine' is a learner in a file"):
        check_learners(wanted)
    wanted["curves"]["gap-decay"] = wanted["curves"].pop("audit")
    check_learners(wanted)


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [("pace=1.0", "rate_scale"), ("rate_scale=1.0", "bonus_scale"),
     ("rate_scale=1.0, bonus_scale=1.0", None)],
)  # fmt: skip
def test_own_learners_are_tuned_if_they_take_both_scales(tmp_path, arguments, missing):
    path = tmp_path / "own.py"
    path.write_text(ONLINE.replace("pace=1.0", arguments))
    wanted = config()
    wanted["learners"]["mine"] = {"file": str(path)}
    tuning = wanted["tuning"]["held-out-online"]
    tuning["budget_scales"] = {"mine": [1]}
    if missing is None:
        check_learners(wanted)
        return
    with pytest.raises(InputError) as caught:
        check_learners(wanted)
    assert str(caught.value).startswith(
        "tuning.held-out-online.budget_scales: 'mine' does not run with rate_scale 1 and bonus_scal"
    )
    assert f"unknown option '{missing}'" in str(caught.value)
    assert str(caught.value).endswith("; remove it here")


def test_rigorous_constants_are_tuned_with_their_own_bonus_only():
    wanted = config()
    wanted["learners"]["rigorous"] = {"algorithm": "evb-online", "constants": "rigorous"}
    tuning = wanted["tuning"]["held-out-online"]
    tuning["budget_scales"] = {"rigorous": [1]}
    check_learners(wanted)
    tuning["bonus_scales"] = [1, 0.3]
    with pytest.raises(InputError) as caught:
        check_learners(wanted)
    assert str(caught.value) == (
        "tuning.held-out-online.budget_scales: 'rigorous' does not run with rate_scale 1 and "
        "bonus_scale 0.3 (learners.rigorous: evb-online: bonus_scale must be 1 with rigorous "
        "constants); remove it here"
    )


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
    wanted = config()
    wanted["learners"] = {label: section}
    with pytest.raises(InputError) as caught:
        check_learners(wanted)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("sweeps", "sim-horizon", "budget_scales"), "sweeps.sim-horizon.budget_scales"),
        (("curves", "gap-decay", "rounds"), "curves.gap-decay.rounds"),
        (("tuning", "held-out", "budget_scales"), "tuning.held-out.budget_scales"),
    ],
)
def test_budgets_of_a_learner_without_options_are_named(path, place):
    wanted = config()
    section = wanted
    for key in path:
        section[key] = dict(section[key])
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
