"""``ccerates rates``: bounds worked out by hand."""

import json

import pytest

from ccerates import api
from ccerates.api.bounds import SOURCES
from ccerates.theory.rates import RATES

SIZES = ("--horizon", 10, "--states", 3, "--actions", 2, 5, "--epsilon", 0.5)
BY_HAND = {
    "q-ftrl": 10**4 * 3 * 7 * 4,
    "evb-sim": 10**4 * 3 * 5 * 4,
    "any": 10**4 * 3 * 5 * 4,
    "v-learning": 10**6 * 3 * 5 * 4,
    "cce-v-learning": 10**6 * 3 * 5 * 4,
    "stage-v-learning": 10**6 * 3 * 5 * 4,
    "evb-online": 10**5 * 3 * 5 * 4,
}


def test_every_rate_has_a_source():
    assert SOURCES.keys() == RATES.keys()


def test_table_without_sizes(ccerates):
    code, output, _ = ccerates("rates")
    assert code == 0
    lines = {line.split()[1]: line for line in output.splitlines()}
    assert lines.keys() >= BY_HAND.keys()
    assert "H^4 S sum_i A_i / eps^2" in lines["q-ftrl"]
    assert "H^5 S max_i A_i / eps^2" in lines["evb-online"]
    assert "lower" in lines["any"]
    assert "without constants and logarithmic factors" in output
    assert "samples" not in output.splitlines()[0]


def test_values_by_hand(ccerates):
    found = json.loads(ccerates("rates", *SIZES, "--json").output)
    values = {bound["algorithm"]: bound["samples"] for bound in found}
    assert values == pytest.approx(BY_HAND)


@pytest.mark.parametrize(
    ("setting", "algorithms"),
    [("simulator", ["q-ftrl", "evb-sim", "any"]), ("online", list(BY_HAND)[3:])],
)
def test_one_setting(ccerates, setting, algorithms):
    found = json.loads(ccerates("rates", "--setting", setting, *SIZES, "--json").output)
    assert [bound["algorithm"] for bound in found] == algorithms
    assert {bound["setting"] for bound in found} == {setting}


def test_text_holds_the_numbers_of_the_api(ccerates):
    output = ccerates("rates", *SIZES).output
    bounds = api.rates(horizon=10, states=3, actions=[2, 5], epsilon=0.5)
    for line, bound in zip(output.splitlines()[1:], bounds, strict=False):
        assert f"{bound.samples:.5g}" in line.split()


def test_only_the_lower_bound_is_of_no_algorithm():
    available = {bound.algorithm: bound.available for bound in api.rates()}
    assert available == {name: name != "any" for name in BY_HAND}


def test_ours_are_proved_here():
    sources = {bound.algorithm: bound.source for bound in api.rates()}
    for name, source in sources.items():
        assert (source == "the paper of this repository") is name.startswith("evb")


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (SIZES[2:], "horizon: missing; give all of horizon, states, actions, epsilon, or none"),
        (SIZES[:2], "states, actions, epsilon: missing"),
        ((*SIZES[:-1], 11), "epsilon: expected a number in [1e-09, 10], got 11"),
        ((*SIZES[:-1], 0), "epsilon: expected a number in [1e-09, 10]"),
        ((*SIZES[:-1], "nan"), "epsilon: expected a finite number, got nan"),
        ((*SIZES[:-1], "x"), "argument --epsilon: invalid float value: 'x'"),
        ((*SIZES[2:], "--horizon", 0), "horizon: expected an integer in 1..1000000000, got 0"),
        ((*SIZES[2:], "--horizon", "1e400"), "argument --horizon: expected an integer"),
        ((*SIZES, "--actions", 2, 0), "actions[1]: expected an integer in"),
        (("--setting", "both"), "setting: expected one of simulator, online, got 'both'"),
    ],
)
def test_bad_input(ccerates, sizes, message):
    code, output, errors = ccerates("rates", *sizes)
    assert (code, output) == (2, "")
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert message in errors
