"""Bandits and adversaries as a config names them."""

import copy

import numpy as np
import pytest

from ccerates.bandits.arena import play
from ccerates.errors import InputError
from ccerates.experiments.bandits import check_bandits, run_bandit
from ccerates.streams import LEARNER_STREAM, seed_sequence
from experiments.small_cells import SEED, SMOKE

SETTINGS = SMOKE["bandits"] | {"rounds": 40, "runs": 5, "failure": 0.1, "gain_bound": 2}
SETTINGS["adversaries"] = {"loud": {"adversary": "stochastic", "noise": 0.3}, "switching": {}}


def test_the_shipped_section_can_be_run():
    check_bandits(SMOKE["bandits"])


def test_runs_are_those_of_the_arena():
    runs, metadata = run_bandit(SETTINGS, "exp3-ix", "switching", root_seed=SEED)
    seeds = [seed_sequence(SEED, "bandit", "switching", run, LEARNER_STREAM) for run in range(5)]
    shape = {"num_actions": 4, "rounds": 40, "gain_bound": 2}
    expected = play("exp3-ix", None, "switching", None, **shape, seeds=seeds)
    for name, values in runs._asdict().items():
        np.testing.assert_array_equal(values, getattr(expected, name))
    assert metadata == {
        "label": "exp3-ix", "bandit": "exp3-ix", "constants": "published",
        "adversary": "switching", "rounds": 40, "num_actions": 4, "gain_bound": 2.0,
        "failure": 0.1,
    }  # fmt: skip


def test_rates_that_are_not_published_are_called_own():
    settings = SETTINGS | {"bandits": {"log-barrier": {}}}
    _, metadata = run_bandit(settings, "log-barrier", "switching", root_seed=SEED)
    assert metadata["constants"] == "own rate"


def test_labels_stand_for_bandits_and_adversaries_with_options():
    runs, metadata = run_bandit(SETTINGS, "evb-practical", "loud", root_seed=SEED)
    assert metadata["label"] == "evb-practical"
    assert (metadata["bandit"], metadata["constants"]) == ("evb", "practical")
    assert metadata["adversary"] == "loud"
    # Gains lie 0.3 B = 0.6 above or below a mean of the arm played.
    assert runs.played_variance.min() > 40 * 0.2


@pytest.mark.parametrize(
    ("section", "label", "value", "message"),
    [
        ("bandits", "exp3-ix", {"bandit": "exp4"}, "unknown bandit 'exp4'; did you mean 'exp3-"),
        (
            "bandits",
            "evb-rigorous",
            {"bandit": "evb", "constant": 1},
            "unknown parameter 'constant",
        ),
        (
            "bandits",
            "evb-rigorous",
            {"bandit": "evb", "failure": 0.01},
            "remove failure; bandits.failure holds for every bandit",
        ),
        ("adversaries", "loud", {"adversary": "nature"}, "unknown adversary 'nature'; known: "),
        ("adversaries", "loud", {"adversary": "stochastic", "noise": -1}, "stochastic: noise: exp"),
    ],
)
def test_wrong_sections_are_named(section, label, value, message):
    settings = copy.deepcopy(SETTINGS)
    settings[section][label] = value
    with pytest.raises(InputError) as caught:
        check_bandits(settings)
    assert str(caught.value).startswith(f"bandits.{section}.{label}: {message}")
